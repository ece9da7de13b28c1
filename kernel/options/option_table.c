/* The table. A new option is its row here, its name and its field in options.h. */
#include "kernel/options/option_table.h"

#define KIB 1024ull
#define TIB (1ull << 40)
#define FIELD(name) offsetof(struct options, name)
#define WORDS(names) {names, sizeof(names) / sizeof((names)[0])}

static const char *const run_words[] = {"topology", "latency", "bench", "cycle"};
static const char *const map_words[] = {"4k", "2m", "1g"};
static const char *const table_words[] = {"none", "sizes", "walk", "chunks"};
static const char *const screen_words[] = {"auto", "none"};
static const char *const colour_words[] = {"none", "ansi"};
static const char *const after_words[] = {"return", "poweroff", "reboot", "halt"};
static const char *const quiet_words[] = {"firmware", "exit"};

const struct option_row option_table[OPTION_COUNT] = {
    [OPTION_RUN] = {
        .name = "run", .kind = KIND_WORD_SET, .field = FIELD(run), .grammar = "PART,... or all",
        .fallback = "topology,latency,bench,cycle", .fixed = WORDS(run_words),
        .help = "What is done, always in this order: reading and concluding (never left out), "
                "measured topology, page clearing, offline/online cycles."},
    [OPTION_RULES] = {
        .name = "rules", .kind = KIND_WORD_SET, .field = FIELD(rules),
        .grammar = "PROFILE,... or all", .fallback = "all", .source = WORDS_RULES,
        .help = "Linux generations whose conclusions are drawn."},
    [OPTION_SIZES] = {
        .name = "sizes", .kind = KIND_SIZES, .field = FIELD(sizes), .grammar = "SIZE,... or auto",
        .fallback = "auto", .special = "auto", .min = 4 * KIB, .max = 64 * TIB,
        .multiple = 4 * KIB, .range = "4K to 64T, whole pages of 4K",
        .help = "Sizes of the memory regions that are cleared; auto: the plan chooses from what "
                "fits the RAM and the budget."},
    [OPTION_EXTENTS] = {
        .name = "extents", .kind = KIND_SIZES, .field = FIELD(extents),
        .grammar = "SIZE,... or auto", .fallback = "auto", .special = "auto", .min = 4 * KIB,
        .max = TIB, .multiple = 4 * KIB, .range = "4K to 1T, whole pages of 4K",
        .help = "Bytes that one call clears; auto: the plan chooses."},
    [OPTION_VARIANTS] = {
        .name = "variants", .kind = KIND_WORD_SET64, .field = FIELD(variants),
        .grammar = "VARIANT,... or all or auto", .fallback = "auto", .special = "auto",
        .source = WORDS_VARIANTS,
        .help = "Ways of clearing a page that are compared; auto: those this CPU can run and a "
                "kernel could use."},
    [OPTION_MAP] = {
        .name = "map", .kind = KIND_WORD_SET, .field = FIELD(map), .grammar = "PAGE,... or all or auto",
        .fallback = "auto", .special = "auto", .fixed = WORDS(map_words),
        .help = "Page sizes the regions are mapped with; auto: the plan chooses."},
    [OPTION_CPUS] = {
        .name = "cpus", .kind = KIND_LIST, .field = FIELD(cpus), .grammar = "LIST or all",
        .fallback = "all", .special = "all", .max = 65535, .range = "0 to 65535, and online",
        .help = "Logical CPUs that are measured, as in 0-3,8. All CPUs are started and read in "
                "any case."},
    [OPTION_NODES] = {
        .name = "nodes", .kind = KIND_LIST, .field = FIELD(nodes), .grammar = "LIST or all",
        .fallback = "all", .special = "all", .max = 1023, .range = "0 to 1023, and present",
        .help = "Memory nodes that are cleared."},
    [OPTION_TABLE] = {
        .name = "table", .kind = KIND_WORD, .field = FIELD(table), .grammar = "WORD",
        .fallback = "none", .fixed = WORDS(table_words),
        .help = "A table as it is posted with patches, with published values beside it: sizes "
                "(16M to 4G), walk (128G of 1G pages, or what fits), chunks (4K to 1G a call). "
                "Sets sizes and extents that are not given."},
    [OPTION_BLOCKS] = {
        .name = "blocks", .kind = KIND_NUMBER, .field = FIELD(blocks), .grammar = "N or auto",
        .fallback = "auto", .special = "auto", .min = 2, .max = 256, .range = "2 to 256 blocks",
        .help = "Interleaved blocks of each comparison; auto: the plan chooses."},
    [OPTION_BUDGET] = {
        .name = "budget", .kind = KIND_TIME, .field = FIELD(budget_ms), .grammar = "TIME",
        .fallback = "5m", .min = 100, .max = 86400000, .range = "100ms to 24h",
        .help = "Time for all that is measured; the plan fits itself into it. A number with ms, "
                "s, m or h."},
    [OPTION_SEED] = {
        .name = "seed", .kind = KIND_NUMBER64, .field = FIELD(seed), .grammar = "N",
        .fallback = "1", .max = UINT64_MAX, .range = "0 to 2^64-1, decimal, or hexadecimal after 0x",
        .help = "Start of the random orders. The same seed gives the same orders."},
    [OPTION_CYCLES] = {
        .name = "cycles", .kind = KIND_NUMBER, .field = FIELD(cycles), .grammar = "N",
        .fallback = "5", .min = 1, .max = 1000000, .range = "1 to 1000000 cycles",
        .help = "Offline/online cycles of run=cycle."},
    [OPTION_CONSOLE] = {
        .name = "console", .kind = KIND_CONSOLE, .field = FIELD(console),
        .grammar = "PLACE[,BAUD]", .fallback = "auto", .min = 50, .max = 4000000,
        .range = "50 to 4000000 baud",
        .help = "Serial line: auto (the SPCR table, else COM1 if it answers), none, com1 to com4 "
                "or ttyS0 to ttyS3, io:PORT, mmio:ADDRESS (registers one byte apart), "
                "mmio32:ADDRESS (four bytes apart). Without BAUD the line stays as the firmware "
                "set it."},
    [OPTION_SCREEN] = {
        .name = "screen", .kind = KIND_WORD, .field = FIELD(screen), .grammar = "WORD",
        .fallback = "auto", .fixed = WORDS(screen_words),
        .help = "Whether the screen shows what goes on and the last page; none leaves it alone."},
    [OPTION_COLOUR] = {
        .name = "colour", .kind = KIND_WORD, .field = FIELD(colour), .grammar = "WORD",
        .fallback = "none", .fixed = WORDS(colour_words),
        .help = "Whether the last page that the serial line gets as text, and those that keys "
                "ask for there, have colours: none (printable characters only) or ansi."},
    [OPTION_REPORT] = {
        .name = "report", .kind = KIND_WORD_SET, .field = FIELD(report),
        .grammar = "FILE,... or all or none", .fallback = "all", .special = "none",
        .source = WORDS_REPORTS, .help = "Report files that are made."},
    [OPTION_AFTER] = {
        .name = "after", .kind = KIND_WORD, .field = FIELD(after), .grammar = "WORD",
        .fallback = "return", .fixed = WORDS(after_words),
        .help = "What follows the report; return goes back to the firmware's menu and is halt "
                "where there is nothing to return to (BIOS, quiet=exit)."},
    [OPTION_PAUSE] = {
        .name = "pause", .kind = KIND_TIME, .field = FIELD(pause_ms), .grammar = "TIME",
        .fallback = "30s", .max = 86400000, .range = "0s to 24h",
        .help = "How long the last page waits for a key before after= is carried out. Each key "
                "shows another page and starts the time anew. Without a screen nothing waits."},
    [OPTION_QUIET] = {
        .name = "quiet", .kind = KIND_WORD, .field = FIELD(quiet), .grammar = "WORD",
        .fallback = "firmware", .fixed = WORDS(quiet_words),
        .help = "How the UEFI firmware is kept out: firmware (it waits and gets the machine "
                "back, files are saved) or exit (it is left for good). Without meaning on BIOS."},
    [OPTION_INJECT] = {
        .name = "inject", .kind = KIND_INJECT, .field = FIELD(injects),
        .grammar = "KIND:KEY=VALUE,...", .fallback = "none",
        .range = "1 to 60000 ms, 1 to 1000000 ns, 1 to 99 percent, vectors 16 to 255",
        .help = "A fault on purpose, to see that it is found: silent:apic=N, stuck:apic=N, "
                "late:apic=N,ms=T, fault:apic=N, slow:cpus=0-3/4-7,ns=60, "
                "contend:cpus=0-1/2-3,percent=40, spurious:apic=N, interrupt:apic=N,vector=V, "
                "caches-off:apic=N, stray-store:at=ADDRESS. May be given up to 8 times."},
    [OPTION_HELP] = {
        .name = "help", .kind = KIND_HELP, .field = FIELD(is_help), .grammar = "(no value)",
        .fallback = "no", .help = "Prints this table and does nothing else."},
};

struct options_word_list option_row_words(const struct option_row *row,
                                          const struct options_words *words)
{
    switch (row->source) {
    case WORDS_RULES: return words->rules;
    case WORDS_VARIANTS: return words->variants;
    case WORDS_REPORTS: return words->reports;
    default: return row->fixed;
    }
}
