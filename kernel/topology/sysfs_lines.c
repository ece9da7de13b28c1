/* Lines are made through the names of files, so that they say what the files say. */
#include "kernel/topology/sysfs_lines.h"

#include "kernel/lib/crc32.h"
#include "kernel/topology/sysfs_names.h"

enum { VALUE_BYTES = 256, CHUNK_BYTES = 2048 };

/* A value on its way, of any length: an empty one becomes "-". */
struct value {
    struct textbuf text;
    char storage[VALUE_BYTES];
    struct textbuf *out;
    bool has_begun;
};

static void pass_on(struct textbuf *text, void *context)
{
    struct value *value = context;

    value->has_begun |= text->length != 0;
    textbuf_put_bytes(value->out, text->text, text->length);
}

static struct textbuf *value_begin(struct value *value, struct textbuf *out)
{
    textbuf_init(&value->text, value->storage, sizeof value->storage);
    value->text.flush = pass_on;
    value->text.flush_context = value;
    value->out = out;
    value->has_begun = false;
    return &value->text;
}

static void value_end(struct value *value)
{
    pass_on(&value->text, value);
    if (!value->has_begun)
        textbuf_putc(value->out, '-');
}

static void put_cpu_file(struct textbuf *out, const struct topology *topology, uint32_t cpu,
                         const char *name)
{
    struct value value;
    struct textbuf none;

    textbuf_init(&none, NULL, 0);
    if (!sysfs_cpu_text(topology, cpu, name, &none))
        return;
    textbuf_printf(out, "cpu %u %s ", (unsigned)cpu, name);
    sysfs_cpu_text(topology, cpu, name, value_begin(&value, out));
    value_end(&value);
    textbuf_putc(out, '\n');
}

static void put_cache_file(struct textbuf *out, const struct topology *topology, uint32_t cpu,
                           uint32_t index, const char *name)
{
    struct value value;
    struct textbuf none;

    textbuf_init(&none, NULL, 0);
    if (!sysfs_cache_text(topology, cpu, index, name, &none))
        return;
    textbuf_printf(out, " %s ", name);
    sysfs_cache_text(topology, cpu, index, name, value_begin(&value, out));
    value_end(&value);
}

static void put_cpu(struct textbuf *out, const struct topology *topology, uint32_t cpu)
{
    for (const char *const *file = sysfs_cpu_files; *file; file++)
        put_cpu_file(out, topology, cpu, *file);
    for (uint32_t index = 0; index < topology->cpus[cpu].cache_count; index++) {
        textbuf_printf(out, "cpu %u cache %u", (unsigned)cpu, (unsigned)index);
        for (const char *const *file = sysfs_cache_files; *file; file++)
            put_cache_file(out, topology, cpu, index, *file);
        textbuf_putc(out, '\n');
    }
}

void sysfs_put_lines(struct textbuf *out, const struct topology *topology)
{
    struct value value;

    textbuf_put(out, "online ");
    cpumask_put_list(value_begin(&value, out), &topology->online);
    value_end(&value);
    textbuf_putc(out, '\n');
    for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
        if (topology->cpus[cpu].is_online)
            put_cpu(out, topology, cpu);
    for (uint32_t i = 0; i < topology->node_count; i++) {
        textbuf_printf(out, "node %u cpulist ", (unsigned)topology->nodes[i].node);
        sysfs_node_text(topology, topology->nodes[i].node, "cpulist", value_begin(&value, out));
        value_end(&value);
        textbuf_putc(out, '\n');
    }
}

static void count_chunk(struct textbuf *chunk, void *context)
{
    uint32_t *crc = context;

    *crc = crc32_update(*crc, chunk->text, chunk->length);
}

uint32_t sysfs_lines_crc32(const struct topology *topology)
{
    char chunk[CHUNK_BYTES];
    struct textbuf out;
    uint32_t crc = 0;

    textbuf_init(&out, chunk, sizeof chunk);
    out.flush = count_chunk;
    out.flush_context = &crc;
    sysfs_put_lines(&out, topology);
    count_chunk(&out, &crc);
    return crc;
}
