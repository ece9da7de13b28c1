/* Which watchdogs registers and tables show, and what would be read next. Values are laid out
 * as the data sheets say; those of q35 as QEMU 7.2 had them. */
#include "kernel/facts/watchdog.h"

#include <string.h>

#include "tests/unit/unit_test.h"

static struct machine_facts facts;
static struct facts_register registers[32];
static struct watchdogs found;

static void start(void)
{
    facts = (struct machine_facts){.registers = registers};
}

static void put(enum facts_space space, uint64_t address, uint32_t bytes, uint64_t value)
{
    registers[facts.register_count++] = (struct facts_register){space, bytes, address, value};
}

static void put_pci(uint32_t address, uint32_t value)
{
    put(FACTS_PCI, address, 4, value);
}

static const struct watchdog *only(const char *kind)
{
    watchdogs_find(&facts, &found);
    if (found.count != 1 || strcmp(found.list[0].kind, kind) != 0)
        fail_msg("%u watchdogs, the first is %s", found.count,
                 found.count ? found.list[0].kind : "none");
    return &found.list[0];
}

static bool wants(enum facts_space space, uint64_t address)
{
    watchdogs_find(&facts, &found);
    for (uint32_t i = 0; i < found.want_count; i++)
        if (found.wants[i].space == space && found.wants[i].address == address)
            return true;
    return false;
}

static void put_q35(uint32_t gcs, uint32_t control)
{
    put_pci(0xF8000, 0x29188086);
    put_pci(0xF8008, 0x06010002);
    put_pci(0xF8040, 0x00000601);
    put_pci(0xF8044, 0x00000080);
    put_pci(0xF80F0, 0xFED1C001);
    put(FACTS_MEMORY, 0xFED1F410, 4, gcs);
    put(FACTS_PORT, 0x668, 2, control);
    put(FACTS_PORT, 0x672, 2, 0x0004);
}

static void nothing_recorded_is_no_watchdog_and_nothing_to_read(void **state)
{
    (void)state;
    start();
    watchdogs_find(&facts, &found);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.want_count, 0);
}

static void each_register_is_asked_for_once_its_place_is_known(void **state)
{
    static const struct facts_register steps[] = {
        {FACTS_PCI, 4, 0xF8040, 0x601}, {FACTS_PCI, 4, 0xF8044, 0x80},
        {FACTS_PCI, 4, 0xF80F0, 0xFED1C001}, {FACTS_MEMORY, 4, 0xFED1F410, 0x20},
    };

    (void)state;
    start();
    put_pci(0xF8000, 0x29188086);
    put_pci(0xF8008, 0x06010002);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        assert_true(wants(steps[i].space, steps[i].address));
        registers[facts.register_count++] = steps[i];
    }
    assert_true(wants(FACTS_PORT, 0x668));
    assert_true(wants(FACTS_PORT, 0x672));
    assert_false(wants(FACTS_PORT, 0x660)); /* the count, where a write would start the timer */
    start();
    put_q35(0x20, 0);
    only("tco");
    assert_int_equal(found.want_count, 0);
}

static void tco_runs_unless_halted_and_resets_unless_told_not_to(void **state)
{
    const struct watchdog *tco;

    (void)state;
    start();
    put_q35(0x20, 0x0000);
    tco = only("tco");
    assert_int_equal(tco->state, WATCHDOG_RUNNING);
    assert_int_equal(tco->reset, WATCHDOG_NO_RESET);
    assert_true(tco->has_timeout);
    assert_int_equal(tco->timeout_ms, 4800); /* twice 4 ticks of 0.6 s */
    start();
    put_q35(0x00, 0x0800);
    tco = only("tco");
    assert_int_equal(tco->state, WATCHDOG_STOPPED);
    assert_int_equal(tco->reset, WATCHDOG_RESETS);
}

/* Bit 0 of offset 0x40 is 1 on every hub that has its power management ports there. */
static void a_bridge_with_other_registers_is_left_alone(void **state)
{
    (void)state;
    start();
    put_pci(0xF8000, 0xA1508086);
    put_pci(0xF8008, 0x06010031);
    put_pci(0xF8040, 0x00000000);
    put_pci(0xF8044, 0x00000080);
    watchdogs_find(&facts, &found);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.want_count, 0);
    start();
    put_q35(0x20, 0);
    registers[0].value = 0x29188087; /* somebody else's */
    watchdogs_find(&facts, &found);
    assert_int_equal(found.count, 0);
}

static void tco_of_series_100_stands_in_the_smbus_function(void **state)
{
    const struct watchdog *tco;

    (void)state;
    start();
    put_pci(0xFC000, 0xA1238086);
    put_pci(0xFC050, 0x00000401);
    put_pci(0xFC054, 0x00000100);
    put(FACTS_PORT, 0x408, 2, 0x0800);
    put(FACTS_PORT, 0x412, 2, 0x000A);
    tco = only("tco");
    assert_int_equal(tco->state, WATCHDOG_STOPPED);
    assert_int_equal(tco->reset, WATCHDOG_MAY_RESET);
    assert_int_equal(tco->timeout_ms, 12000);
    registers[2].value = 0; /* its ports are off */
    watchdogs_find(&facts, &found);
    assert_int_equal(found.count, 0);
}

static void put_esb(uint32_t config, uint32_t lock, uint32_t command)
{
    put_pci(0x18000, 0x25AB8086);
    put(FACTS_PCI, 0x18060, 2, config);
    put(FACTS_PCI, 0x18068, 1, lock);
    put_pci(0x18004, command);
    put_pci(0x18010, 0xFEBF1000);
    put(FACTS_MEMORY, 0xFEBF1000, 4, 30000);
    put(FACTS_MEMORY, 0xFEBF1004, 4, 10000);
}

static void esb_is_enabled_by_its_lock_register(void **state)
{
    const struct watchdog *esb;

    (void)state;
    start();
    put_esb(0, 0x2, 0x2);
    esb = only("i6300esb");
    assert_int_equal(esb->state, WATCHDOG_RUNNING);
    assert_int_equal(esb->reset, WATCHDOG_RESETS);
    assert_int_equal(esb->timeout_ms, 40000);
    assert_string_equal(esb->place, "PCI 00:03.0");
    start();
    put_esb(0x24, 0x0, 0x2); /* no output, ticks of a microsecond */
    esb = only("i6300esb");
    assert_int_equal(esb->state, WATCHDOG_STOPPED);
    assert_int_equal(esb->reset, WATCHDOG_NO_RESET);
    assert_int_equal(esb->timeout_ms, 40);
    start();
    put_esb(0, 0x2, 0x0); /* memory decoding is off: what is at the address is not its own */
    assert_false(only("i6300esb")->has_timeout);
}

static void amd_hub_shows_control_and_count(void **state)
{
    const struct watchdog *fch;

    (void)state;
    start();
    put_pci(0xA0000, 0x790B1022);
    assert_true(wants(FACTS_MEMORY, 0xFED80B00));
    put(FACTS_MEMORY, 0xFED80B00, 4, 0x00000001);
    put(FACTS_MEMORY, 0xFED80B04, 4, 0x0000003C);
    put(FACTS_MEMORY, 0xFED80300, 4, 0x03000080);
    fch = only("amd-fch");
    assert_int_equal(fch->state, WATCHDOG_RUNNING);
    assert_int_equal(fch->timeout_ms, 60000);
    registers[1].value = 0x00000009; /* runs, but disabled */
    assert_int_equal(only("amd-fch")->state, WATCHDOG_STOPPED);
    registers[1].value = 0xFFFFFFFF; /* not decoded: missing is not stopped */
    assert_int_equal(only("amd-fch")->state, WATCHDOG_UNKNOWN);
    registers[0].value = 0x43851002; /* behind an index port, which is not written */
    assert_int_equal(only("amd-fch")->state, WATCHDOG_UNKNOWN);
    assert_int_equal(found.want_count, 0);
}

static void a_management_controller_is_named_by_its_interface(void **state)
{
    (void)state;
    start();
    facts.smbios = (struct smbios){.has_ipmi = true, .ipmi_interface = 1, .ipmi_address = 0xCA3};
    assert_string_equal(only("ipmi")->place, "SMBIOS type 38, KCS at 0xca3");
    assert_int_equal(found.list[0].state, WATCHDOG_UNKNOWN);
    facts.smbios.ipmi_interface = 200;
    assert_string_equal(only("ipmi")->place, "SMBIOS type 38, unknown interface at 0xca3");
}

/* WDAT with three entries: running, period, and a write, whose register is never asked for. */
static uint32_t make_wdat(uint8_t *bytes, uint64_t running_at)
{
    static const uint8_t entries[3][4] = {{0x08, 0}, {0x05, 1}, {0x09, 2}};
    const uint64_t at[3] = {running_at, 0x412, 0x464};
    uint8_t *next = bytes + 68;

    memset(bytes, 0, 68 + 3 * 24);
    memcpy(bytes, "WDAT", 4);
    bytes[4] = 68 + 3 * 24;
    bytes[36] = 32;
    bytes[48] = 200; /* ms */
    bytes[60] = 1;
    bytes[64] = 3;
    for (int i = 0; i < 3; i++, next += 24) {
        memcpy(next, entries[i], 4);
        next[4] = 1; /* port */
        next[5] = 16;
        next[7] = 2;
        memcpy(next + 8, &at[i], 8);
        next[16] = 1;
        next[20] = 0xFF;
    }
    return bytes[4];
}

static void wdat_is_asked_and_never_told(void **state)
{
    uint8_t bytes[160];
    struct acpi_table table = {"WDAT", 0, bytes, make_wdat(bytes, 0x408)};
    const struct watchdog *wdat;

    (void)state;
    start();
    facts.tables = &table;
    facts.table_count = 1;
    assert_true(wants(FACTS_PORT, 0x408));
    assert_true(wants(FACTS_PORT, 0x412));
    assert_int_equal(found.want_count, 2);
    put(FACTS_PORT, 0x408, 2, 0x0001);
    put(FACTS_PORT, 0x412, 2, 0x0132); /* under the mask 0x32 */
    wdat = only("wdat");
    assert_int_equal(wdat->state, WATCHDOG_RUNNING);
    assert_int_equal(wdat->timeout_ms, 10000);
    assert_string_equal(wdat->place, "ACPI WDAT, port 0x408");
    registers[0].value = 0;
    assert_int_equal(only("wdat")->state, WATCHDOG_STOPPED);
    for (uint32_t length = 0; length < table.length_bytes; length++) {
        struct acpi_table cut = {"WDAT", 0, bytes, length};

        facts.tables = &cut;
        watchdogs_find(&facts, &found);
        assert_int_equal(found.count, 0);
    }
    facts.tables = &table;
    make_wdat(bytes, 0x412); /* the register of both questions */
    facts.register_count = 0;
    watchdogs_find(&facts, &found);
    assert_int_equal(found.want_count, 1);
    make_wdat(bytes, 0x10008); /* no port */
    facts.register_count = 0;
    watchdogs_find(&facts, &found);
    assert_int_equal(found.want_count, 1);
}

static void wdrt_and_wddt_have_their_own_registers(void **state)
{
    uint8_t bytes[71] = {'W', 'D', 'R', 'T', 71};
    uint8_t other[64] = {'W', 'D', 'D', 'T', 64};
    struct acpi_table tables[2] = {{"WDRT", 0, bytes, 71}, {"WDDT", 0, other, 64}};

    (void)state;
    start();
    facts.tables = tables;
    facts.table_count = 2;
    memcpy(bytes + 36, "\0\x20\0\0\0\0\xB0\xFE\0\0\0\0", 12);
    memcpy(bytes + 48, "\0\x20\0\0\4\0\xB0\xFE\0\0\0\0", 12);
    bytes[70] = 1; /* 100 ms */
    put(FACTS_MEMORY, 0xFEB00000, 4, 1);
    put(FACTS_MEMORY, 0xFEB00004, 4, 50);
    assert_int_equal(only("wdrt")->state, WATCHDOG_RUNNING);
    assert_int_equal(found.list[0].timeout_ms, 5000);
    other[60] = 3; /* available, active */
    memcpy(other + 42, "\1\x10\0\0\x60\4\0\0\0\0\0\0", 12);
    watchdogs_find(&facts, &found);
    assert_int_equal(found.count, 2);
    assert_string_equal(found.list[1].place, "ACPI WDDT, port 0x460");
    assert_int_equal(found.list[1].state, WATCHDOG_RUNNING);
}

static void the_sentence_says_what_is_not_known(void **state)
{
    char text[200];
    struct textbuf out;

    (void)state;
    start();
    put_q35(0x20, 0x0000);
    textbuf_init(&out, text, sizeof text);
    watchdog_put(&out, only("tco"));
    assert_string_equal(text, "TCO timer of the chipset (PCI 00:1f.0, port 0x660): running, "
                              "time-out 4.8 s, its reset is switched off");
    facts.register_count = 5;
    textbuf_init(&out, text, sizeof text);
    watchdog_put(&out, only("tco"));
    assert_string_equal(text, "TCO timer of the chipset (PCI 00:1f.0, port 0x660): reading does "
                              "not show whether it runs");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_recorded_is_no_watchdog_and_nothing_to_read),
        cmocka_unit_test(each_register_is_asked_for_once_its_place_is_known),
        cmocka_unit_test(tco_runs_unless_halted_and_resets_unless_told_not_to),
        cmocka_unit_test(a_bridge_with_other_registers_is_left_alone),
        cmocka_unit_test(tco_of_series_100_stands_in_the_smbus_function),
        cmocka_unit_test(esb_is_enabled_by_its_lock_register),
        cmocka_unit_test(amd_hub_shows_control_and_count),
        cmocka_unit_test(a_management_controller_is_named_by_its_interface),
        cmocka_unit_test(wdat_is_asked_and_never_told),
        cmocka_unit_test(wdrt_and_wddt_have_their_own_registers),
        cmocka_unit_test(the_sentence_says_what_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
