/* masks FILE --rules PROFILE: what sysfs of that kernel would say. */
#include <stdio.h>
#include <string.h>

#include "host/command.h"
#include "host/complain.h"
#include "host/machine.h"
#include "kernel/topology/sysfs_lines.h"

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

enum { CHUNK_BYTES = 1 << 16 };

static void to_output(struct textbuf *chunk, void *context)
{
    fwrite(chunk->text, 1, chunk->length, context);
}

static void put_topology(const struct topology *topology)
{
    char chunk[CHUNK_BYTES];
    struct textbuf out;

    textbuf_init(&out, chunk, sizeof chunk);
    out.flush = to_output;
    out.flush_context = stdout;
    sysfs_put_lines(&out, topology);
    to_output(&out, stdout);
}

int cmd_masks(int argc, char **argv)
{
    const char *path = NULL, *profile = "linux-6.12";
    struct machine machine;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rules") == 0 && i + 1 < argc) {
            profile = argv[++i];
        } else if (argv[i][0] == '-' || path) {
            return complain_argument(argv[i]);
        } else {
            path = argv[i];
        }
    }
    if (!path)
        return complain_usage("no FILE is named");
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
