/* Feature bits that CPUs of one kind should have in common. */
#include "kernel/topology/checks_run.h"

enum { KINDS_MAX = 8 };
enum cpuid_register { EAX, EBX, ECX, EDX };

struct feature_word {
    uint32_t leaf, subleaf;
    enum cpuid_register reg;
    uint32_t ignored;   /* bits that follow CR4, the APIC id or the clock */
};

static const struct feature_word feature_words[] = {
    {0x1, 0, ECX, 1u << 27 /* OSXSAVE */},
    {0x1, 0, EDX, 0},
    {0x7, 0, EBX, 0},
    {0x7, 0, ECX, 1u << 4 /* OSPKE */},
    {0x7, 0, EDX, 0},
    {0x7, 1, EAX, 0},
    {0x80000001, 0, ECX, 1u << 15 /* LWP: one core of each family 0x15 unit has it */},
    {0x80000001, 0, EDX, 0},
    {0x80000007, 0, EDX, 0},
    {0x80000008, 0, EBX, 0},
    {0x80000021, 0, EAX, 0},
};

static const struct feature_word version_word = {0x1, 0, EAX, 0};

static uint32_t pick(const struct cpuid_regs *regs, enum cpuid_register reg)
{
    return reg == EAX ? regs->eax : reg == EBX ? regs->ebx : reg == ECX ? regs->ecx : regs->edx;
}

static bool read_word(const struct check_run *run, uint32_t fact, const void *context,
                      uint64_t *value)
{
    const struct feature_word *word = context;
    struct cpuid_regs regs;

    if (!checks_row(run, fact, word->leaf, word->subleaf, &regs))
        return false;
    *value = pick(&regs, word->reg) & ~word->ignored;
    return true;
}

static void put_bits(struct textbuf *text, const struct check_values *groups)
{
    uint64_t differing = 0;
    const char *between = "";

    for (uint32_t i = 1; i < groups->count; i++)
        differing |= groups->value[0] ^ groups->value[i];
    textbuf_put(text, __builtin_popcountll(differing) == 1 ? "bit " : "bits ");
    for (uint32_t bit = 0; bit < 32; bit++)
        if (differing >> bit & 1) {
            textbuf_printf(text, "%s%u", between, bit);
            between = ", ";
        }
}

static const char *register_name(enum cpuid_register reg)
{
    static const char *const names[] = {"EAX", "EBX", "ECX", "EDX"};

    return names[reg];
}

static void compare_word(struct check_run *run, const struct feature_word *word, int kind)
{
    char bits[160], storage[CHECKS_TEXT_BYTES - 160], source[48];
    struct check_values groups;
    struct textbuf text;

    if (!checks_group(run, read_word, word, kind, &groups) || groups.count < 2)
        return;
    textbuf_init(&text, source, sizeof(source));
    textbuf_printf(&text, "leaf 0x%x.%u %s", word->leaf, word->subleaf, register_name(word->reg));
    textbuf_init(&text, bits, sizeof(bits));
    put_bits(&text, &groups);
    textbuf_init(&text, storage, sizeof(storage));
    checks_put_groups(&text, &groups);
    checks_mark_groups(checks_report(run, 0, source, "CPUs differ in %s, %s: %s.", source, bits,
                                     storage), &groups);
}

static void check_features(struct check_run *run)
{
    int kinds[KINDS_MAX];
    uint32_t kind_count = checks_kinds(run, kinds, KINDS_MAX);

    for (uint32_t i = 0; i < sizeof(feature_words) / sizeof(feature_words[0]); i++)
        for (uint32_t kind = 0; kind < kind_count; kind++)
            compare_word(run, &feature_words[i], kinds[kind]);
}

static void check_version(struct check_run *run)
{
    compare_word(run, &version_word, -1);
}

static const struct check checks[] = {
    {"cpuid-features-differ", FINDING_WARNING, "", "all",
     "CPUs of one core type differ in feature bits", "",
     "kernels use what all CPUs have; firmware or microcode treats CPUs unequally", check_features,
     NULL},
    {"cpuid-version-differs", FINDING_WARNING, "", "all",
     "CPUs differ in family, model or stepping (leaf 1 EAX)", "", "mixed parts in one machine",
     check_version, NULL},
};
CHECK_GROUP(checks_of_features, checks);
