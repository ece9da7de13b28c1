/* report.json: the machine and its CPUs. */
#include <string.h>

#include "kernel/facts/watchdog.h"
#include "kernel/report/machine.h"
#include "kernel/report/sections.h"

static void put_identity(struct json *json, const struct machine_cpu *cpu)
{
    json_text(json, "vendor", cpu->vendor[0] ? cpu->vendor : NULL);
    json_text(json, "brand", cpu->brand[0] ? cpu->brand : NULL);
    if (cpu->has_signature) {
        json_u64(json, "family", cpu->family);
        json_u64(json, "model", cpu->model);
        json_u64(json, "stepping", cpu->stepping);
        json_hex(json, "signature", cpu->signature);
    }
    if (cpu->has_microcode)
        json_hex(json, "microcode", cpu->microcode);
    json_bool(json, "is_virtual", cpu->is_virtual);
    if (cpu->is_virtual)
        json_text(json, "hypervisor", cpu->hypervisor[0] ? cpu->hypervisor : NULL);
}

static void put_repairs(struct json *json, const struct machine_facts *facts)
{
    const struct memory_repairs *repairs = &facts->memory_repairs;

    if (!facts->has_memory_repairs) {
        json_no_value(json, "memory_repairs");
        return;
    }
    json_open_object(json, "memory_repairs");
    json_u64(json, "unsorted", repairs->unsorted);
    json_u64(json, "overlapping", repairs->overlapping);
    json_u64(json, "unaligned", repairs->unaligned);
    json_u64(json, "empty", repairs->empty);
    json_u64(json, "endless", repairs->endless);
    json_end(json);
}

static void put_memory(struct json *json, const struct report_model *model)
{
    struct memory_kind kinds[MACHINE_MAX_MEMORY_KINDS];
    uint32_t count = machine_memory_kinds(model->facts, kinds);

    json_open_array(json, "memory");
    for (uint32_t i = 0; i < count; i++) {
        json_open_object(json, NULL);
        json_text(json, "kind", kinds[i].name);
        json_u64(json, "bytes", kinds[i].bytes);
        json_u64(json, "ranges", kinds[i].range_count);
        json_text(json, "use", kinds[i].use);
        json_end(json);
    }
    json_end(json);
    json_u64(json, "memory_ranges_dropped", model->dropped_ranges);
    put_repairs(json, model->facts);
}

static void put_owned(struct json *json, const struct report_model *model)
{
    json_open_array(json, "memory_owned");
    for (uint32_t i = 0; i < model->owned_count; i++) {
        json_open_object(json, NULL);
        json_hex(json, "start", model->owned[i].start);
        json_u64(json, "bytes", model->owned[i].end - model->owned[i].start);
        json_text(json, "use", model->owned[i].use);
        json_end(json);
    }
    json_end(json);
}

static void put_tables(struct json *json, const struct machine_facts *facts)
{
    json_open_array(json, "tables");
    for (uint32_t i = 0; i < facts->table_count; i++) {
        json_open_object(json, NULL);
        json_text(json, "signature", facts->tables[i].signature);
        if (facts->tables[i].address)
            json_hex(json, "address", facts->tables[i].address);
        json_u64(json, "bytes", facts->tables[i].length_bytes);
        json_end(json);
    }
    json_end(json);
}

/* The keys of facts.txt with low lines: firmware_vendor, … */
static void put_smbios(struct json *json, const struct smbios *smbios)
{
    if (!smbios->is_read) {
        json_no_value(json, "smbios");
        return;
    }
    json_open_object(json, "smbios");
    json_u64(json, "major", smbios->major);
    json_u64(json, "minor", smbios->minor);
    for (uint32_t i = 0; i < SMBIOS_TEXTS; i++) {
        char key[32];

        strncpy(key, smbios_texts[i].key, sizeof(key) - 1);
        key[sizeof(key) - 1] = '\0';
        *strchr(key, '-') = '_';
        if (smbios->text[i][0])
            json_text(json, key, smbios->text[i]);
        else
            json_no_value(json, key);
    }
    if (smbios->has_memory) {
        json_u64(json, "memory_slots", smbios->memory_slots);
        json_u64(json, "memory_filled", smbios->memory_filled);
        json_u64(json, "memory_bytes", smbios->memory_bytes);
    }
    if (smbios->channels_named != 0) {
        json_u64(json, "memory_channels_named", smbios->channels_named);
        json_u64(json, "memory_channels_filled", smbios->channels_filled);
    }
    json_end(json);
}

static void put_watchdogs(struct json *json, const struct machine_facts *facts)
{
    struct watchdogs found;

    watchdogs_find(facts, &found);
    json_open_array(json, "watchdogs");
    for (uint32_t i = 0; i < found.count; i++) {
        const struct watchdog *watchdog = &found.list[i];

        json_open_object(json, NULL);
        json_text(json, "kind", watchdog->kind);
        json_text(json, "name", watchdog->name);
        json_text(json, "place", watchdog->place);
        json_text(json, "state", watchdog_state_name(watchdog->state));
        json_text(json, "resets", watchdog_reset_name(watchdog->reset));
        if (watchdog->has_timeout)
            json_u64(json, "timeout_ms", watchdog->timeout_ms);
        else
            json_no_value(json, "timeout_ms");
        json_end(json);
    }
    json_end(json);
}

void json_machine(struct json *json, const struct report_model *model)
{
    const struct machine_facts *facts = model->facts;
    struct machine_cpu cpu;

    if (!facts)
        return;
    json_open_object(json, "machine");
    json_text(json, "source", facts->source);
    if (facts->cpu_count) {
        machine_describe_cpu(facts, &facts->cpus[0], &cpu);
        put_identity(json, &cpu);
    }
    if (facts->has_tsc_hz)
        json_u64(json, "tsc_hz", facts->tsc_hz);
    if (facts->has_handover_apic_base)
        json_hex(json, "handover_apic_base", facts->handover_apic_base);
    put_smbios(json, &facts->smbios);
    put_watchdogs(json, facts);
    json_bool(json, "is_x2apic_at_handover", facts->is_x2apic_at_handover);
    put_memory(json, model);
    put_owned(json, model);
    put_tables(json, facts);
    json_end(json);
}

static const char *state_name(enum cpu_state state)
{
    static const char *const names[] = {
        [CPU_ONLINE] = "online", [CPU_SILENT] = "silent", [CPU_FAULTED] = "faulted",
        [CPU_DISABLED] = "disabled",
    };

    return names[state];
}

static void put_interrupts(struct json *json, const struct cpu_interrupts *counts)
{
    if (!counts->nmi && !counts->spurious && !counts->other)
        return;
    json_open_object(json, "interrupts");
    json_u64(json, "nmi", counts->nmi);
    json_u64(json, "spurious", counts->spurious);
    json_u64(json, "other", counts->other);
    if (counts->other)
        json_u64(json, "last_vector", counts->last_vector);
    json_end(json);
}

/* `number` is the logical number, or CPUMASK_NONE for an entry that got none. */
static void put_cpu(struct json *json, const struct machine_facts *facts, uint32_t fact,
                    uint32_t number, const struct topology_cpu *placed)
{
    const struct cpu_facts *cpu = &facts->cpus[fact];
    const struct msr_row *microcode = facts_msr(cpu, 0x8B);

    json_open_object(json, NULL);
    if (number == CPUMASK_NONE)
        json_no_value(json, "cpu");
    else
        json_u64(json, "cpu", number);
    json_u64(json, "apic_id", cpu->has_apic_id ? cpu->apic_id : cpu->madt_apic_id);
    if (cpu->has_uid)
        json_u64(json, "uid", cpu->uid);
    else
        json_no_value(json, "uid");
    json_text(json, "state", state_name(cpu->state));
    if (cpu->bringup_cycles)
        json_u64(json, "bringup_cycles", cpu->bringup_cycles);
    else
        json_no_value(json, "bringup_cycles");
    if (placed && placed->node >= 0)
        json_i64(json, "node", placed->node);
    else
        json_no_value(json, "node");
    if (cpu->is_untried)
        json_bool(json, "is_untried", true);
    if (cpu->unsent_count)
        json_u64(json, "unsent_messages", cpu->unsent_count);
    if (cpu->has_apic_id && cpu->madt_apic_id != cpu->apic_id)
        json_u64(json, "madt_apic_id", cpu->madt_apic_id);
    if (microcode && !microcode->has_faulted)
        json_hex(json, "patch_level_msr", microcode->value);
    if (machine_core_type(facts, cpu))
        json_text(json, "core_type", machine_core_type(facts, cpu));
    put_interrupts(json, &cpu->interrupts);
    json_end(json);
}

static uint32_t number_of_fact(const struct topology *topology, uint32_t fact)
{
    for (uint32_t i = 0; i < topology->cpu_count; i++) {
        if (topology->cpus[i].fact == fact)
            return i;
    }
    return CPUMASK_NONE;
}

void json_cpus(struct json *json, const struct report_model *model)
{
    const struct machine_facts *facts = model->facts;
    const struct topology *newest = report_newest(model);

    if (!facts)
        return;
    json_open_array(json, "cpus");
    for (uint32_t i = 0; newest && i < newest->cpu_count; i++) {
        if (newest->cpus[i].fact < facts->cpu_count)
            put_cpu(json, facts, newest->cpus[i].fact, i, &newest->cpus[i]);
    }
    for (uint32_t i = 0; i < facts->cpu_count; i++) {
        if (!newest)
            put_cpu(json, facts, i, facts->number ? facts->number[i] : i, NULL);
        else if (number_of_fact(newest, i) == CPUMASK_NONE)
            put_cpu(json, facts, i, CPUMASK_NONE, NULL);
    }
    json_end(json);
}
