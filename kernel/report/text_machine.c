/* report.txt: the machine: CPU, firmware, how it was booted, memory by kind, CPUs
 * that did not come up, and every option in effect. */
#include "kernel/facts/watchdog.h"
#include "kernel/report/fixed.h"
#include "kernel/report/machine.h"
#include "kernel/report/sections.h"
#include "kernel/report/text.h"

static void put_cpu(struct textbuf *out, const struct machine_facts *facts)
{
    struct machine_cpu cpu;

    machine_describe_cpu(facts, &facts->cpus[0], &cpu);
    text_pair(out, "CPU", "%s", cpu.brand[0] ? cpu.brand : "no brand string");
    if (cpu.has_signature)
        text_pair(out, "", "%s family %u (0x%x), model %u (0x%x), stepping %u, signature 0x%x",
                  cpu.vendor, (unsigned)cpu.family, (unsigned)cpu.family, (unsigned)cpu.model,
                  (unsigned)cpu.model, (unsigned)cpu.stepping, (unsigned)cpu.signature);
    if (cpu.has_microcode)
        text_pair(out, "microcode", "0x%x", (unsigned)cpu.microcode);
    if (cpu.is_virtual)
        text_pair(out, "virtual machine", "yes, under \"%s\": measured numbers are the "
                  "hypervisor's, and no verdict is given on hardware",
                  cpu.hypervisor[0] ? cpu.hypervisor : "unnamed hypervisor");
    if (facts->has_tsc_hz) {
        char mhz[32];
        struct textbuf text;

        textbuf_init(&text, mhz, sizeof(mhz));
        fixed_put(&text, (int64_t)fixed_muldiv(facts->tsc_hz, 1, 1000), 3);
        text_pair(out, "TSC", "%s MHz, measured on this boot", mhz);
    }
}

static void put_states(struct textbuf *out, const struct machine_facts *facts)
{
    if (facts->cpu_count == 0) {
        text_pair(out, "logical CPUs", "not read");
        return;
    }
    text_pair(out, "logical CPUs", "%u online, %u silent, %u faulted, %u disabled by the firmware",
              (unsigned)machine_count_cpus(facts, CPU_ONLINE),
              (unsigned)machine_count_cpus(facts, CPU_SILENT),
              (unsigned)machine_count_cpus(facts, CPU_FAULTED),
              (unsigned)machine_count_cpus(facts, CPU_DISABLED));
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        const struct cpu_facts *cpu = &facts->cpus[i];

        if (cpu->state == CPU_SILENT || cpu->state == CPU_FAULTED)
            text_pair(out, "", "APIC ID %u: %s", (unsigned)cpu->madt_apic_id,
                      cpu->state == CPU_FAULTED ? "took an exception while it was read"
                      : cpu->is_untried         ? "was not started"
                                                : "never answered");
        if (cpu->unsent_count)
            text_pair(out, "", "APIC ID %u: %u messages to it were not sent",
                      (unsigned)cpu->madt_apic_id, (unsigned)cpu->unsent_count);
    }
}

static void put_secure_boot(struct textbuf *out, const struct machine_facts *facts)
{
    static const char *const states[] = {"off", "on"}, *const modes[] = {"user", "setup"};
    struct efi_variable state = facts->secure_boot, mode = facts->setup_mode;

    if (!facts->firmware_vendor[0] && !state.is_read)
        return;
    if (!state.is_read)
        text_pair(out, "Secure Boot", "not known: the firmware has no variable SecureBoot");
    else if (state.value > 1)
        text_pair(out, "Secure Boot", "not known: SecureBoot is %u, which is reserved",
                  (unsigned)state.value);
    else if (mode.is_read && mode.value <= 1)
        text_pair(out, "Secure Boot", "%s, %s mode", states[state.value], modes[mode.value]);
    else
        text_pair(out, "Secure Boot", "%s", states[state.value]);
}

static void put_texts(struct textbuf *out, const char *label, const struct smbios *smbios,
                      enum smbios_text first, enum smbios_text last)
{
    char line[3 * SMBIOS_TEXT_BYTES];
    struct textbuf text;

    textbuf_init(&text, line, sizeof(line));
    for (unsigned i = first; i <= last; i++)
        if (smbios->text[i][0])
            textbuf_printf(&text, "%s%s", text.length ? ", " : "", smbios->text[i]);
    if (text.length)
        text_pair(out, label, "%s", line);
}

static void put_smbios(struct textbuf *out, const struct smbios *smbios)
{
    put_texts(out, "system", smbios, SMBIOS_SYSTEM_MAKER, SMBIOS_SYSTEM_PRODUCT);
    put_texts(out, "board", smbios, SMBIOS_BOARD_MAKER, SMBIOS_BOARD_PRODUCT);
    put_texts(out, "firmware by SMBIOS", smbios, SMBIOS_FIRMWARE_VENDOR, SMBIOS_FIRMWARE_DATE);
    if (smbios->has_memory)
        text_pair(out, "memory devices", "%u of %u filled, %llu MiB",
                  (unsigned)smbios->memory_filled, (unsigned)smbios->memory_slots,
                  (unsigned long long)(smbios->memory_bytes >> 20));
}

/* Facts without registers are those of a machine that was not asked. */
static void put_watchdogs(struct textbuf *out, const struct machine_facts *facts)
{
    struct watchdogs found;

    watchdogs_find(facts, &found);
    if (!found.count && facts->register_count)
        text_pair(out, "watchdogs", "none that reading shows");
    for (uint32_t i = 0; i < found.count; i++) {
        char line[200];
        struct textbuf text;

        textbuf_init(&text, line, sizeof(line));
        watchdog_put(&text, &found.list[i]);
        text_pair(out, i ? "" : "watchdogs", "%s", line);
    }
}

static void put_boot(struct textbuf *out, const struct report_model *model)
{
    const struct machine_facts *facts = model->facts;

    if (model->boot_path)
        text_pair(out, "booted by", "%s%s%s%s%s", model->boot_path,
                  model->loader ? ", " : "", model->loader ? model->loader : "",
                  model->quiet ? ", quiet=" : "", model->quiet ? model->quiet : "");
    if (facts->firmware_vendor[0])
        text_pair(out, "firmware", "%s, revision 0x%x", facts->firmware_vendor,
                  (unsigned)facts->firmware_revision);
    put_secure_boot(out, facts);
    put_smbios(out, &facts->smbios);
    put_watchdogs(out, facts);
    if (model->volume)
        text_pair(out, "files go to", "%s", model->volume);
}

/* RAM that ends within a page is usual: BIOSes keep a few KiB below 640 KiB. */
static void put_repairs(struct textbuf *out, const struct machine_facts *facts)
{
    const struct memory_repairs *repairs = &facts->memory_repairs;

    if (facts->has_memory_repairs)
        textbuf_printf(out, "entries mended in the firmware's map: %u unsorted, %u overlapping, "
                       "%u cut to pages, %u empty, %u endless\n", (unsigned)repairs->unsorted,
                       (unsigned)repairs->overlapping, (unsigned)repairs->unaligned,
                       (unsigned)repairs->empty, (unsigned)repairs->endless);
}

static void put_memory(struct textbuf *out, const struct report_model *model)
{
    static const struct text_column columns[] = {
        {"memory, as listed", 19, false}, {"MiB", 12, true}, {"ranges", 7, true}, {"use", 38, false},
    };
    struct memory_kind kinds[MACHINE_MAX_MEMORY_KINDS];
    uint32_t count = machine_memory_kinds(model->facts, kinds);
    struct text_table table;

    if (!count)
        return;
    textbuf_putc(out, '\n');
    text_table_begin(&table, out, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < count; i++) {
        text_cell(&table, "%s", kinds[i].name);
        text_cell_fixed(&table, (int64_t)fixed_muldiv(kinds[i].bytes, 10, 1 << 20), 1);
        text_cell(&table, "%u", (unsigned)kinds[i].range_count);
        text_cell(&table, "%s", kinds[i].use);
    }
    if (model->dropped_ranges)
        textbuf_printf(out, "%u ranges of the firmware's map did not fit and were left out\n",
                       (unsigned)model->dropped_ranges);
    put_repairs(out, model->facts);
}

/* One row a use: the ranges themselves are in report.json. */
static void put_owned(struct textbuf *out, const struct report_model *model)
{
    static const struct text_column columns[] = {
        {"memory of this run", 32, false}, {"MiB", 12, true}, {"ranges", 7, true},
    };
    struct text_table table;

    if (!model->owned_count)
        return;
    textbuf_putc(out, '\n');
    text_table_begin(&table, out, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < model->owned_count; i++) {
        const char *use = model->owned[i].use;
        uint64_t bytes = 0;
        uint32_t count = 0;

        if (i && model->owned[i - 1].use == use)
            continue;
        for (uint32_t k = i; k < model->owned_count && model->owned[k].use == use; k++, count++)
            bytes += model->owned[k].end - model->owned[k].start;
        text_cell(&table, "%s", use);
        text_cell_fixed(&table, (int64_t)fixed_muldiv(bytes, 10, 1 << 20), 1);
        text_cell(&table, "%u", (unsigned)count);
    }
    textbuf_put(out, "The page tables let the run write nowhere else in RAM.\n");
}

void text_machine(struct textbuf *out, const struct report_model *model)
{
    if (!model->facts)
        return;
    text_heading(out, "Machine");
    if (model->facts->cpu_count)
        put_cpu(out, model->facts);
    put_states(out, model->facts);
    put_boot(out, model);
    put_memory(out, model);
    put_owned(out, model);
}

void text_options(struct textbuf *out, const struct report_model *model)
{
    if (!model->options)
        return;
    text_heading(out, "Options in effect (* as given, the others are defaults)");
    for (uint32_t id = 0; id < OPTION_COUNT; id++) {
        char label[TEXT_LABEL_COLUMNS];
        struct textbuf name;

        if (id == OPTION_HELP)
            continue;
        textbuf_init(&name, label, sizeof(label));
        textbuf_printf(&name, "%c %s", model->options->is_given[id] ? '*' : ' ',
                       options_name((enum option_id)id));
        text_pair(out, label, "%s", options_text(model->options, (enum option_id)id));
    }
}
