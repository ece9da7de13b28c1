/* The lines that say what is true of a machine, and who says so. */
#include "kernel/facts/corpus_reader.h"

#include <string.h>

bool corpus_header(struct corpus_reader *reader, char *rest)
{
    struct facts_builder *builder = reader->builder;
    char *colon = strchr(rest, ':');

    if (!colon)
        return true;
    *colon = '\0';
    return expectations_add_header(builder->expectations, builder->arena, text_rest(rest),
                                   text_rest(colon + 1)) ||
           text_out_of_memory(builder->error);
}

bool corpus_truth(struct corpus_reader *reader, char *rest)
{
    static const struct { const char *word; enum truth_kind kind; } kinds[] = {
        {"hwloc-linux", TRUTH_HWLOC_LINUX}, {"hwloc-x86", TRUTH_HWLOC_X86},
        {"aida64", TRUTH_AIDA64},           {"libcpuid", TRUTH_LIBCPUID},
    };
    struct facts_builder *builder = reader->builder;
    const char *word = text_word(&rest), *kernel = NULL;
    enum truth_kind kind = TRUTH_OTHER;

    if (strcmp(word, "sysfs") == 0) {
        kind = strcmp(text_word(&rest), "same") == 0 ? TRUTH_SYSFS_SAME : TRUTH_SYSFS_PAIRED;
        if (strcmp(text_word(&rest), "kernel") != 0)
            return corpus_fail(reader, "truth sysfs same|paired kernel VERSION");
        kernel = text_rest(rest);
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(word, kinds[i].word) == 0)
            kind = kinds[i].kind;
    return expectations_add_truth(builder->expectations, builder->arena, kind, kernel) ||
           text_out_of_memory(builder->error);
}

/* "level V type T size S [id V] shared_cpu_list LIST": one value each. */
static bool read_pairs(struct corpus_reader *reader, enum expectation_kind kind, uint32_t cpu,
                       uint32_t index, const char *more, char *rest)
{
    bool has_value = false;

    for (char *name = text_word(&rest); *name; name = text_word(&rest)) {
        const char *value = text_word(&rest);

        if (!*value)
            return facts_builder_fail(reader->builder, "'%.40s' has no value: right are pairs of "
                                                       "a name and a value", name);
        has_value = true;
        if (!facts_builder_expect(reader->builder, kind, cpu, index, name, value, more, NULL))
            return false;
    }
    return has_value || facts_builder_fail(reader->builder, "nothing is expected in this line");
}

static bool read_expect_sysfs_cpu(struct corpus_reader *reader, char *rest)
{
    uint32_t cpu, cache;
    char *name;

    if (!text_number(text_word(&rest), &cpu))
        return corpus_fail(reader, "expect-sysfs cpu N NAME VALUE");
    name = text_word(&rest);
    if (strcmp(name, "cache") == 0) {
        if (!text_number(text_word(&rest), &cache))
            return corpus_fail(reader, "expect-sysfs cpu N cache I NAME VALUE …");
        return read_pairs(reader, EXPECT_CACHE, cpu, cache, "", rest);
    }
    if (!*name || !*text_rest(rest))
        return corpus_fail(reader, "expect-sysfs cpu N NAME VALUE");
    return facts_builder_expect(reader->builder, EXPECT_CPU, cpu, EXPECTATION_NONE, name,
                                text_rest(rest), "", NULL);
}

bool corpus_expect_sysfs(struct corpus_reader *reader, char *rest)
{
    char *subject = text_word(&rest), *name;
    uint32_t node;

    if (strcmp(subject, "cpu") == 0)
        return read_expect_sysfs_cpu(reader, rest);
    if (strcmp(subject, "node") != 0)
        return facts_builder_expect(reader->builder, EXPECT_CPUS, EXPECTATION_NONE,
                                    EXPECTATION_NONE, subject, text_rest(rest), "", NULL);
    if (!text_number(text_word(&rest), &node))
        return corpus_fail(reader, "expect-sysfs node N cpulist LIST");
    name = text_word(&rest);
    return facts_builder_expect(reader->builder, EXPECT_NODE, EXPECTATION_NONE, node, name,
                                text_rest(rest), "", NULL);
}

bool corpus_expect_hwloc(struct corpus_reader *reader, char *rest)
{
    const char *which = text_word(&rest), *object = text_word(&rest), *cpus = text_word(&rest),
               *list = text_word(&rest);
    bool is_linux = strcmp(which, "linux") == 0;

    if ((!is_linux && strcmp(which, "x86") != 0) || strcmp(cpus, "cpus") != 0 || !*list)
        return corpus_fail(reader, "expect-hwloc linux|x86 OBJECT cpus LIST [id V] [size BYTES]");
    return facts_builder_expect(reader->builder, is_linux ? EXPECT_HWLOC_LINUX : EXPECT_HWLOC_X86,
                                EXPECTATION_NONE, reader->ordinal++, object, list,
                                text_rest(rest), NULL);
}

bool corpus_expect_aida64(struct corpus_reader *reader, char *rest)
{
    const char *subject = text_word(&rest);
    uint32_t cpu;

    if (strcmp(subject, "cpu") != 0 || !text_number(text_word(&rest), &cpu))
        return corpus_fail(reader, "expect-aida64 cpu N package P core C thread T");
    return read_pairs(reader, EXPECT_AIDA64, cpu, EXPECTATION_NONE, "", rest);
}

bool corpus_expect_libcpuid(struct corpus_reader *reader, char *rest)
{
    const char *subject = text_word(&rest), *purpose = text_word(&rest);

    if (strcmp(subject, "purpose") != 0 || !*purpose)
        return corpus_fail(reader, "expect-libcpuid purpose P cores C logical L …");
    return read_pairs(reader, EXPECT_LIBCPUID, EXPECTATION_NONE, EXPECTATION_NONE, purpose, rest);
}
