/* masks FILE --rules PROFILE: what sysfs of that kernel would say. */
#include <stdio.h>
#include <string.h>

#include "host/command.h"
#include "host/machine.h"
#include "kernel/topology/sysfs_names.h"

const char cmd_masks_usage[] =
    "usage: coretruth masks FILE --rules PROFILE\n"
    "\n"
    "Prints what the kernel of PROFILE would conclude from FILE (facts.txt, a corpus\n"
    "file, an oracle record, a case directory), as lines\n"
    "  online LIST\n"
    "  cpu N NAME VALUE\n"
    "  cpu N cache I level V type T size S [id V] shared_cpu_list LIST\n"
    "  node N cpulist LIST\n"
    "in the words of expect-sysfs. Without --rules: linux-6.12.\n";

enum { TEXT_BYTES = 1 << 16 };
static char storage[TEXT_BYTES];

static const char *shown(const struct textbuf *text)
{
    return text->length ? text->text : "-";
}

static void put_cpu(const struct topology *topology, uint32_t cpu)
{
    struct textbuf text;

    for (const char *const *file = sysfs_cpu_files; *file; file++) {
        textbuf_init(&text, storage, sizeof storage);
        if (sysfs_cpu_text(topology, cpu, *file, &text))
            printf("cpu %u %s %s\n", cpu, *file, shown(&text));
    }
    for (uint32_t index = 0; index < topology->cpus[cpu].cache_count; index++) {
        printf("cpu %u cache %u", cpu, index);
        for (const char *const *file = sysfs_cache_files; *file; file++) {
            textbuf_init(&text, storage, sizeof storage);
            if (sysfs_cache_text(topology, cpu, index, *file, &text))
                printf(" %s %s", *file, shown(&text));
        }
        putchar('\n');
    }
}

static void put_topology(const struct topology *topology)
{
    struct textbuf text;

    textbuf_init(&text, storage, sizeof storage);
    cpumask_put_list(&text, &topology->online);
    printf("online %s\n", shown(&text));
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
        if (topology->cpus[cpu].is_online)
            put_cpu(topology, cpu);
    for (uint32_t i = 0; i < topology->node_count; i++) {
        textbuf_init(&text, storage, sizeof storage);
        sysfs_node_text(topology, topology->nodes[i].node, "cpulist", &text);
        printf("node %u cpulist %s\n", topology->nodes[i].node, shown(&text));
    }
}

int cmd_masks(int argc, char **argv)
{
    const char *path = NULL, *profile = "linux-6.12";
    struct machine machine;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rules") == 0 && i + 1 < argc) {
            profile = argv[++i];
        } else if (argv[i][0] == '-' || path) {
            fputs(cmd_masks_usage, stderr);
            return HOST_USAGE;
        } else {
            path = argv[i];
        }
    }
    if (!path) {
        fputs(cmd_masks_usage, stderr);
        return HOST_USAGE;
    }
    uint32_t profiles = machine_profiles(profile);
    if (!profiles)
        return HOST_USAGE;
    bool is_good = machine_open(path, &machine) && machine_build(&machine, profiles);
    for (unsigned i = 0; is_good && i < RULE_PROFILE_COUNT; i++)
        if (profiles >> i & 1)
            put_topology(&machine.topologies[i]);
    machine_free(&machine);
    return is_good ? HOST_GOOD : HOST_USAGE;
}
