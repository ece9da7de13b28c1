/* One function a kind. PCI functions are looked for on bus 0, where chipsets have theirs. A
 * register that reads as all ones is not there. */
#include "kernel/facts/watchdog.h"

#include "kernel/facts/acpi_sdt.h"
#include "kernel/facts/watchdog_tables.h"
#include "kernel/lib/bits.h"

enum {
    PCI_COMMAND = 0x04, PCI_CLASS = 0x08, PCI_BAR0 = 0x10, PCI_MEMORY_ON = 1 << 1,
    PCI_DEVICES = 32,
};

/* A table may name one register a hundred times; what finds no room is asked for in the
 * round after this one. */
static bool add_want(struct watchdogs *found, struct facts_register want)
{
    for (uint32_t i = 0; i < found->want_count; i++) {
        const struct facts_register *one = &found->wants[i];
        if (one->space == want.space && one->address == want.address && one->bytes == want.bytes)
            return false;
    }
    if (found->want_count < WATCHDOG_WANTS_MAX)
        found->wants[found->want_count++] = want;
    return false;
}

bool watchdog_read(struct watchdog_walk *walk, enum facts_space space, uint64_t address,
                   uint32_t bytes, uint64_t *value)
{
    const struct facts_register *known = facts_find_register(walk->facts, space, address, bytes);
    uint64_t absent = bytes == 8 ? UINT64_MAX : (1ull << bytes * 8) - 1;

    *value = known ? known->value : 0;
    if (!known)
        return add_want(walk->found, (struct facts_register){space, bytes, address, 0});
    return *value != absent;
}

struct watchdog *watchdog_add(struct watchdog_walk *walk, const char *kind, const char *name)
{
    struct watchdogs *found = walk->found;

    if (found->count == WATCHDOGS_MAX)
        return NULL;
    found->list[found->count] = (struct watchdog){.kind = kind, .name = name};
    return &found->list[found->count++];
}

void watchdog_place(struct watchdog *watchdog, const char *format, ...)
{
    struct textbuf place;
    va_list args;

    textbuf_init(&place, watchdog->place, sizeof(watchdog->place));
    va_start(args, format);
    textbuf_vprintf(&place, format, args);
    va_end(args);
}

void watchdog_set_timeout(struct watchdog *watchdog, uint64_t ms)
{
    watchdog->has_timeout = ms != 0; /* a count of 0 is one that nobody set */
    watchdog->timeout_ms = ms;
}

static uint32_t function_at(uint32_t device, uint32_t function)
{
    return device << 15 | function << 12; /* bus 0, as in ECAM */
}

static bool pci_read(struct watchdog_walk *walk, uint32_t function, uint32_t offset,
                     uint32_t *value)
{
    uint64_t wide;
    bool is_read = watchdog_read(walk, FACTS_PCI, function + offset, 4, &wide);

    *value = (uint32_t)wide;
    return is_read;
}

/* The id as recorded; 0 where there is nothing. Ids are not asked for: the scan has them. */
static uint32_t pci_id(const struct watchdog_walk *walk, uint32_t function)
{
    const struct facts_register *known = facts_find_register(walk->facts, FACTS_PCI, function, 4);

    return known ? (uint32_t)known->value : 0;
}

/* --- Intel's TCO timer [Intel I/O controller hub data sheets, "TCO registers"] ----------- */

enum {
    ICH_LPC_DEVICE = 0x1F, ICH_CLASS_ISA_BRIDGE = 0x0601,
    ICH_PMBASE = 0x40, ICH_ACPI_CNTL = 0x44, ICH_ACPI_EN = 1 << 7, ICH_PMBASE_MASK = 0xFF80,
    ICH_RCBA = 0xF0, ICH_RCBA_EN = 1, ICH_GCS = 0x3410, ICH_NO_REBOOT = 1 << 5,
    TCO_AT = 0x60,                    /* from PMBASE */
    PCH_SMBUS_FUNCTION = 4, PCH_TCOBASE = 0x50, PCH_TCOCTL = 0x54, PCH_TCO_BASE_EN = 1 << 8,
    PCH_TCOBASE_MASK = 0xFFE0,
    TCO1_CNT = 0x08, TCO_TMR_HLT = 1 << 11, TCO_TMR = 0x12, TCO_TMR_MASK = 0x3FF,
    TCO_TICK_MS = 600,
    VENDOR_INTEL = 0x8086,
};

/* The timer goes round twice: an SMI after the first time, the reset after the second. */
static void read_tco(struct watchdog_walk *walk, uint32_t function, uint32_t port,
                     enum watchdog_reset reset, bool has_period)
{
    struct watchdog *tco = watchdog_add(walk, "tco", "TCO timer of the chipset");
    uint64_t control, period;

    if (!tco)
        return;
    watchdog_place(tco, "PCI 00:1f.%u, port 0x%x", function, port);
    tco->reset = reset;
    if (watchdog_read(walk, FACTS_PORT, port + TCO1_CNT, 2, &control))
        tco->state = control & TCO_TMR_HLT ? WATCHDOG_STOPPED : WATCHDOG_RUNNING;
    if (has_period && watchdog_read(walk, FACTS_PORT, port + TCO_TMR, 2, &period))
        watchdog_set_timeout(tco, (period & TCO_TMR_MASK) * TCO_TICK_MS * 2);
}

/* ICH6 to series 9. Older ones have no RCBA, and their period elsewhere. */
static void find_ich_tco(struct watchdog_walk *walk)
{
    uint32_t at = function_at(ICH_LPC_DEVICE, 0), class, base, control, rcba;
    enum watchdog_reset reset = WATCHDOG_MAY_RESET;
    uint64_t gcs;

    if ((pci_id(walk, at) & 0xFFFF) != VENDOR_INTEL || !pci_read(walk, at, PCI_CLASS, &class) ||
        class >> 16 != ICH_CLASS_ISA_BRIDGE || !pci_read(walk, at, ICH_PMBASE, &base) ||
        !pci_read(walk, at, ICH_ACPI_CNTL, &control))
        return;
    /* Series 100 and later have other registers there: bit 0 says that it is a port. */
    if ((base & ~ICH_PMBASE_MASK) != 1 || !(base & ICH_PMBASE_MASK) || !(control & ICH_ACPI_EN))
        return;
    bool has_rcba = pci_read(walk, at, ICH_RCBA, &rcba) && (rcba & ICH_RCBA_EN);
    if (has_rcba && watchdog_read(walk, FACTS_MEMORY, (rcba & ~0x3FFFu) + ICH_GCS, 4, &gcs))
        reset = gcs & ICH_NO_REBOOT ? WATCHDOG_NO_RESET : WATCHDOG_RESETS;
    read_tco(walk, 0, (base & ICH_PMBASE_MASK) + TCO_AT, reset, has_rcba);
}

/* From series 100 on; its no-reboot bit lies behind a bridge that firmware hides. */
static void find_pch_tco(struct watchdog_walk *walk)
{
    uint32_t at = function_at(ICH_LPC_DEVICE, PCH_SMBUS_FUNCTION), base, control;

    if ((pci_id(walk, at) & 0xFFFF) != VENDOR_INTEL ||
        !pci_read(walk, at, PCH_TCOCTL, &control) || !(control & PCH_TCO_BASE_EN) ||
        !pci_read(walk, at, PCH_TCOBASE, &base) || !(base & PCH_TCOBASE_MASK))
        return;
    read_tco(walk, PCH_SMBUS_FUNCTION, base & PCH_TCOBASE_MASK, WATCHDOG_MAY_RESET, true);
}

/* --- 6300ESB [Intel 6300ESB data sheet, chapter 17] --------------------------------------- */

enum {
    ESB_ID_HIGH = 0x25AB, ESB_CONFIG = 0x60, ESB_NO_OUTPUT = 1 << 5, ESB_FAST = 1 << 2,
    ESB_LOCK = 0x68, ESB_ENABLED = 1 << 1,
    ESB_PRELOAD1 = 0, ESB_PRELOAD2 = 4, ESB_PRELOAD_MASK = 0xFFFFF,
};

/* Both registers answer to accesses of their own width only, QEMU's at least. */
static bool read_esb(struct watchdog_walk *walk, uint32_t at, uint64_t *config, uint64_t *lock)
{
    bool has_lock = watchdog_read(walk, FACTS_PCI, at + ESB_LOCK, 1, lock);

    return watchdog_read(walk, FACTS_PCI, at + ESB_CONFIG, 2, config) && has_lock;
}

/* Ticks of a millisecond, or of a microsecond where ESB_FAST is set. */
static void read_esb_timeout(struct watchdog_walk *walk, uint32_t at, uint64_t config,
                             struct watchdog *esb)
{
    uint32_t command, bar;
    uint64_t first, second;

    if (!pci_read(walk, at, PCI_COMMAND, &command) || !(command & PCI_MEMORY_ON) ||
        !pci_read(walk, at, PCI_BAR0, &bar) || !(bar & ~0xFu) ||
        !watchdog_read(walk, FACTS_MEMORY, (bar & ~0xFu) + ESB_PRELOAD1, 4, &first) ||
        !watchdog_read(walk, FACTS_MEMORY, (bar & ~0xFu) + ESB_PRELOAD2, 4, &second))
        return;
    first = (first & ESB_PRELOAD_MASK) + (second & ESB_PRELOAD_MASK);
    watchdog_set_timeout(esb, config & ESB_FAST ? first / 1000 : first);
}

static void find_esb(struct watchdog_walk *walk)
{
    for (uint32_t i = 0; i < PCI_DEVICES * 8; i++) {
        uint32_t at = function_at(i / 8, i % 8);
        uint64_t config, lock;
        struct watchdog *esb;

        if (pci_id(walk, at) != (ESB_ID_HIGH << 16 | VENDOR_INTEL))
            continue;
        esb = watchdog_add(walk, "i6300esb", "Intel 6300ESB");
        if (!esb)
            return;
        watchdog_place(esb, "PCI 00:%02x.%u", i / 8, i % 8);
        if (!read_esb(walk, at, &config, &lock))
            continue;
        esb->state = lock & ESB_ENABLED ? WATCHDOG_RUNNING : WATCHDOG_STOPPED;
        esb->reset = config & ESB_NO_OUTPUT ? WATCHDOG_NO_RESET : WATCHDOG_RESETS;
        read_esb_timeout(walk, at, config, esb);
    }
}

/* --- AMD [amd SB600 RRG 2.3.4; BKDGs and PPRs, "Watchdog Timer", "ACPI MMIO"] -------------- */

#define AMD_SB600 0x43851002u  /* also SB700, SB800: its base is behind an index port */
#define AMD_HUDSON 0x780B1022u
#define AMD_FCH 0x790B1022u
#define AMD_PM_DECODE 0xFED80300u
#define AMD_WATCHDOG 0xFED80B00u

enum { AMD_SMBUS_DEVICE = 0x14, AMD_FREQUENCY_AT = 24 };

/* The unit of the count is in PMx00[25:24] from the 790B on. */
static void read_fch(struct watchdog_walk *walk, bool has_unit, struct watchdog *fch)
{
    static const uint32_t unit_us[] = {32, 10000, 100000, 1000000};
    uint64_t control, count, decode;

    if (!watchdog_read(walk, FACTS_MEMORY, AMD_WATCHDOG, 4, &control))
        return;
    fch->state = watchdog_state_of_control((uint32_t)control);
    fch->reset = WATCHDOG_RESETS;
    if (has_unit && watchdog_read(walk, FACTS_MEMORY, AMD_WATCHDOG + 4, 4, &count) &&
        watchdog_read(walk, FACTS_MEMORY, AMD_PM_DECODE, 4, &decode))
        watchdog_set_timeout(fch, (count & 0xFFFF) * unit_us[decode >> AMD_FREQUENCY_AT & 3] /
                                      1000);
}

static void find_amd(struct watchdog_walk *walk)
{
    uint32_t id = pci_id(walk, function_at(AMD_SMBUS_DEVICE, 0));
    struct watchdog *fch;

    if (id != AMD_SB600 && id != AMD_HUDSON && id != AMD_FCH)
        return;
    fch = watchdog_add(walk, "amd-fch", "watchdog of AMD's controller hub");
    if (!fch)
        return;
    watchdog_place(fch, id == AMD_SB600 ? "PCI 00:14.0" : "PCI 00:14.0, memory 0x%x",
                   AMD_WATCHDOG);
    if (id != AMD_SB600)
        read_fch(walk, id == AMD_FCH, fch);
}

/* --- a management controller --------------------------------------------------------------- */

static void find_bmc(struct watchdog_walk *walk)
{
    static const char *const interfaces[] = {"unknown interface", "KCS", "SMIC", "BT", "SSIF"};
    const struct smbios *smbios = &walk->facts->smbios;
    struct watchdog *bmc;

    if (!smbios->has_ipmi)
        return;
    bmc = watchdog_add(walk, "ipmi", "watchdog of a management controller");
    if (bmc)
        watchdog_place(bmc, "SMBIOS type 38, %s at 0x%llx",
                       interfaces[smbios->ipmi_interface < 5 ? smbios->ipmi_interface : 0],
                       (unsigned long long)smbios->ipmi_address);
}

void watchdogs_find(const struct machine_facts *facts, struct watchdogs *found)
{
    struct watchdog_walk walk = {facts, found};

    *found = (struct watchdogs){0};
    watchdog_find_in_tables(&walk);
    find_ich_tco(&walk);
    find_pch_tco(&walk);
    find_esb(&walk);
    find_amd(&walk);
    find_bmc(&walk);
}

const char *watchdog_state_name(enum watchdog_state state)
{
    static const char *const names[] = {"unknown", "stopped", "running"};

    return names[state];
}

const char *watchdog_reset_name(enum watchdog_reset reset)
{
    static const char *const names[] = {"unknown", "yes", "no"};

    return names[reset];
}

void watchdog_put(struct textbuf *out, const struct watchdog *watchdog)
{
    textbuf_printf(out, "%s (%s): %s", watchdog->name, watchdog->place,
                   watchdog->state == WATCHDOG_UNKNOWN ? "reading does not show whether it runs"
                                                       : watchdog_state_name(watchdog->state));
    if (watchdog->has_timeout)
        textbuf_printf(out, ", time-out %llu.%llu s",
                       (unsigned long long)(watchdog->timeout_ms / 1000),
                       (unsigned long long)(watchdog->timeout_ms / 100 % 10));
    if (watchdog->reset == WATCHDOG_NO_RESET)
        textbuf_put(out, ", its reset is switched off");
}
