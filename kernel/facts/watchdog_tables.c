/* WDAT is a list of actions, each with the register and what to do to it; only queries that
 * read are carried out. WDRT names a control and a count register, WDDT holds a status of
 * its own. [Microsoft Hardware Watchdog Timers Design Specification; Microsoft WDRT; Intel
 * WDDT] */
#include "kernel/facts/watchdog_tables.h"

#include "kernel/facts/acpi_sdt.h"

enum {
    WDAT_FIXED_BYTES = 68, WDAT_ENTRY_BYTES = 24, WDAT_ENTRIES_MAX = 128,
    WDAT_QUERY_PERIOD = 0x05, WDAT_QUERY_RUNNING = 0x08, WDAT_QUERY_STOPPED = 0x0A,
    WDAT_READ_VALUE = 0, WDAT_READ_COUNTDOWN = 1, WDAT_ENABLED = 1,
    WDRT_FIXED_BYTES = 71, WDRT_CONTROL = 36, WDRT_COUNT = 48, WDRT_MAX_COUNT = 68,
    CONTROL_RUNS = 1, CONTROL_DISABLED = 1 << 3,
    WDDT_FIXED_BYTES = 64, WDDT_TIMER = 42, WDDT_STATUS = 60, WDDT_AVAILABLE = 1, WDDT_ACTIVE = 2,
};

/* Every CPU with 64-bit mode has 36 address bits; more would be a fault on some. */
#define PORT_LIMIT (1ull << 16)
#define MEMORY_LIMIT (1ull << 36)

struct wdat_entry {
    uint8_t action, instruction;
    struct acpi_address at;
    uint32_t value, mask;
};

enum watchdog_state watchdog_state_of_control(uint32_t control)
{
    return (control & CONTROL_RUNS) && !(control & CONTROL_DISABLED) ? WATCHDOG_RUNNING
                                                                     : WATCHDOG_STOPPED;
}

static bool open_table(struct watchdog_walk *walk, const char *signature, uint32_t fixed_bytes,
                       struct acpi_sdt *sdt)
{
    const struct acpi_table *table = facts_table(walk->facts, signature);
    struct input_error error;

    return table && acpi_sdt_open(sdt, table->bytes, table->length_bytes, signature, fixed_bytes,
                                  &error);
}

/* Ports and memory of 8, 16 or 32 bits that do not cross their alignment. */
static bool read_at(struct watchdog_walk *walk, const struct acpi_address *at, uint64_t *value)
{
    uint32_t bytes = at->access_size ? 1u << ((at->access_size - 1) & 3) : at->bit_width / 8u;
    bool is_port = at->space == ACPI_SPACE_IO;

    if (at->access_size > 3 || (bytes != 1 && bytes != 2 && bytes != 4) ||
        (!is_port && at->space != ACPI_SPACE_MEMORY) || at->address == 0 ||
        at->address % bytes != 0 || at->address >= (is_port ? PORT_LIMIT : MEMORY_LIMIT))
        return false;
    if (!watchdog_read(walk, is_port ? FACTS_PORT : FACTS_MEMORY, at->address, bytes, value))
        return false;
    *value >>= at->bit_offset < 32 ? at->bit_offset : 0;
    return true;
}

static void put_place(struct watchdog *watchdog, const char *table, const struct acpi_address *at)
{
    watchdog_place(watchdog, "ACPI %s, %s 0x%llx", table,
                   at->space == ACPI_SPACE_IO ? "port" : "memory",
                   (unsigned long long)at->address);
}

static bool next_entry(struct acpi_sdt *sdt, struct wdat_entry *entry)
{
    return reader_u8(&sdt->rest, &entry->action) && reader_u8(&sdt->rest, &entry->instruction) &&
           reader_skip(&sdt->rest, 2) && acpi_address_read(&sdt->rest, &entry->at) &&
           reader_u32(&sdt->rest, &entry->value) && reader_u32(&sdt->rest, &entry->mask);
}

/* "Running" and "stopped" are questions of their own: the value read equals the entry's. */
static void take_entry(struct watchdog_walk *walk, const struct wdat_entry *entry,
                       uint32_t period_ms, struct watchdog *wdat)
{
    uint64_t value;

    if (entry->action == WDAT_QUERY_PERIOD && entry->instruction == WDAT_READ_COUNTDOWN &&
        read_at(walk, &entry->at, &value))
        watchdog_set_timeout(wdat, (value & entry->mask) * period_ms);
    if ((entry->action != WDAT_QUERY_RUNNING && entry->action != WDAT_QUERY_STOPPED) ||
        entry->instruction != WDAT_READ_VALUE)
        return;
    put_place(wdat, "WDAT", &entry->at);
    if (read_at(walk, &entry->at, &value))
        wdat->state = ((value & entry->mask) == entry->value) ==
                              (entry->action == WDAT_QUERY_RUNNING)
                          ? WATCHDOG_RUNNING : WATCHDOG_STOPPED;
}

static void find_wdat(struct watchdog_walk *walk)
{
    enum { PERIOD_AT = 48, FLAGS_AT = 60, COUNT_AT = 64 };
    struct wdat_entry entry;
    struct watchdog *wdat;
    struct acpi_sdt sdt;
    uint32_t period_ms = 0, count = 0;
    uint8_t flags = 0;

    if (!open_table(walk, "WDAT", WDAT_FIXED_BYTES, &sdt))
        return;
    wdat = watchdog_add(walk, "wdat", "watchdog of the firmware's action table");
    if (!wdat)
        return;
    struct reader period = reader_of(sdt.bytes, sdt.length_bytes), flag = period, entries = period;
    reader_skip(&period, PERIOD_AT);
    reader_skip(&flag, FLAGS_AT);
    reader_skip(&entries, COUNT_AT);
    reader_u32(&period, &period_ms);
    reader_u8(&flag, &flags);
    reader_u32(&entries, &count);
    watchdog_place(wdat, "ACPI WDAT%s", flags & WDAT_ENABLED ? "" : ", not enabled in the table");
    for (uint32_t i = 0; i < count && i < WDAT_ENTRIES_MAX && next_entry(&sdt, &entry); i++)
        take_entry(walk, &entry, period_ms, wdat);
}

static bool address_at(const struct acpi_sdt *sdt, uint32_t offset, struct acpi_address *address)
{
    struct reader reader = reader_of(sdt->bytes, sdt->length_bytes);

    return reader_skip(&reader, offset) && acpi_address_read(&reader, address);
}

static void find_wdrt(struct watchdog_walk *walk)
{
    static const uint32_t unit_ms[] = {1000, 100, 10};
    struct acpi_address control, count;
    struct watchdog *wdrt;
    struct acpi_sdt sdt;
    uint64_t value;
    uint16_t most;
    uint8_t unit;

    if (!open_table(walk, "WDRT", WDRT_FIXED_BYTES, &sdt) ||
        !address_at(&sdt, WDRT_CONTROL, &control) || !address_at(&sdt, WDRT_COUNT, &count))
        return;
    wdrt = watchdog_add(walk, "wdrt", "watchdog of the firmware's resource table");
    if (!wdrt)
        return;
    put_place(wdrt, "WDRT", &control);
    if (read_at(walk, &control, &value))
        wdrt->state = watchdog_state_of_control((uint32_t)value);
    struct reader reader = reader_of(sdt.bytes, sdt.length_bytes);
    if (reader_skip(&reader, WDRT_MAX_COUNT) && reader_u16(&reader, &most) &&
        reader_u8(&reader, &unit) && unit < 3 && read_at(walk, &count, &value))
        watchdog_set_timeout(wdrt, (value & 0xFFFF) * unit_ms[unit]);
}

static void find_wddt(struct watchdog_walk *walk)
{
    struct acpi_address timer;
    struct acpi_sdt sdt;
    struct watchdog *wddt;
    uint16_t status;

    if (!open_table(walk, "WDDT", WDDT_FIXED_BYTES, &sdt) ||
        !address_at(&sdt, WDDT_TIMER, &timer))
        return;
    struct reader reader = reader_of(sdt.bytes, sdt.length_bytes);
    if (!reader_skip(&reader, WDDT_STATUS) || !reader_u16(&reader, &status) ||
        !(status & WDDT_AVAILABLE))
        return;
    wddt = watchdog_add(walk, "wddt", "watchdog of the firmware's description table");
    if (!wddt)
        return;
    put_place(wddt, "WDDT", &timer);
    wddt->state = status & WDDT_ACTIVE ? WATCHDOG_RUNNING : WATCHDOG_STOPPED;
}

void watchdog_find_in_tables(struct watchdog_walk *walk)
{
    find_wdat(walk);
    find_wdrt(walk);
    find_wddt(walk);
}
