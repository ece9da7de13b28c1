/* What a started CPU does: reports, then sleeps between orders. It sleeps in HLT with
 * interrupts open, so that a sibling has the core to itself, and only our wake-up
 * message can get through its local APIC. */
#include "drivers/apic/apic.h"
#include "kernel/cpu/cpu_local.h"
#include "kernel/cpu/exception.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/msr_numbers.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/atomic.h"
#include "kernel/smp/smp_state.h"

/* The boot CPU has guarded fault stacks of its own; here four of a page each. */
enum { FAULT_STACK_BYTES = 4096 };

void smp_wakeup_entry(void);   /* smp_entry.asm */
void smp_wakeup_interrupt(void);

static struct cpu_local *locals;

/* A stray message of the wake-up's class is in service until it is ended, and would keep
 * the real one out. */
static bool end_interrupt(uint8_t vector)
{
    if (!apic_is_in_service(vector))
        return false;
    apic_eoi();
    return true;
}

bool smp_worker_init(uint32_t cpu_count, struct arena *arena)
{
    locals = ARENA_NEW(arena, struct cpu_local, cpu_count);
    uint8_t *stacks = arena_alloc(arena, cpu_count,
                                  CPU_LOCAL_FAULT_STACK_COUNT * FAULT_STACK_BYTES, 4096);

    if (locals == NULL || stacks == NULL)
        return false;
    for (uint32_t cpu = 1; cpu < cpu_count; cpu++) {
        uint64_t tops[CPU_LOCAL_FAULT_STACK_COUNT];

        for (uint32_t i = 0; i < CPU_LOCAL_FAULT_STACK_COUNT; i++) {
            stacks += FAULT_STACK_BYTES;
            tops[i] = (uint64_t)stacks;
        }
        cpu_local_prepare(&locals[cpu], cpu, tops);
    }
    idt_set(SMP_VECTOR_WAKEUP, smp_wakeup_entry);
    exception_set_interrupt_end(end_interrupt);
    return true;
}

void smp_wakeup_interrupt(void)
{
    apic_eoi();
}

bool smp_guarded_call(uint32_t cpu, smp_function function, void *context)
{
    struct recover_point point = {.wants_dump = true}, *previous = cpu_local()->recover;

    if (recover_arm(&point)) {
        const struct fault_record *fault = &cpu_local()->fault;

        smp_system.records[cpu].fault =
            (struct smp_fault){(uint32_t)fault->vector, fault->rip};
        smp_system.records[cpu].has_faulted = true;
        recover_disarm(previous);
        return false;
    }
    if (smp_system.is_faulty[cpu]) {
        smp_system.is_faulty[cpu] = false;
        __asm__ volatile("ud2");
    }
    if (smp_system.is_spurious[cpu]) {
        smp_system.is_spurious[cpu] = false;
        __asm__ volatile("int $0xff; int $0x0f" ::: "memory");
    }
    function(cpu, context);
    recover_disarm(previous);
    return true;
}

struct interrupt_counts smp_interrupts(uint32_t cpu)
{
    return cpu == 0 ? cpu_local_of_boot_cpu()->interrupts : locals[cpu].interrupts;
}

uint32_t smp_first_faulted(void)
{
    uint32_t cpu = 0;

    while (cpu < smp_system.cpu_count && !smp_system.records[cpu].has_faulted)
        cpu++;
    return cpu;
}

static void halt_for_good(void)
{
    for (;;) {
        interrupts_disable();
        cpu_halt();
    }
}

/* STI takes effect after the instruction that follows: a message that arrives between
 * the check and HLT still ends the HLT. [intel/vol2 STI] */
static uint32_t wait_for_order(const struct smp_order *order, uint32_t seen)
{
    uint32_t number;

    while ((number = atomic_load_explicit(&order->number, memory_order_acquire)) == seen)
        __asm__ volatile("sti; hlt; cli" ::: "memory");
    return number;
}

static void work(uint32_t cpu, uint32_t seen)
{
    struct smp_record *record = &smp_system.records[cpu];
    const struct smp_order *order = &smp_system.orders[cpu];

    for (;;) {
        seen = wait_for_order(order, seen);
        if (!smp_guarded_call(cpu, order->function, order->context)) {
            atomic_store_explicit(&record->progress, SMP_PROGRESS_FAULTED,
                                  memory_order_release);
            halt_for_good();
        }
        atomic_store_explicit(&record->done, seen, memory_order_release);
    }
}

static void wait_if_late(uint32_t cpu)
{
    uint64_t start = tsc_read();

    while (tsc_read() - start < smp_system.late_cycles[cpu])
        cpu_pause();
}

static uint64_t read_pat(void)
{
    uint32_t low, high;

    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(MSR_IA32_PAT));
    return (uint64_t)high << 32 | low;
}

void smp_worker_main(uint32_t cpu)
{
    struct smp_record *record = &smp_system.records[cpu];
    uint32_t expected = SMP_PROGRESS_EXPECTED;

    wait_if_late(cpu);
    record->here_cycles = tsc_read();
    record->found_pat = read_pat(); /* before cpu_init_local() loads ours */
    cpu_init_local(&locals[cpu]);
    if (smp_system.is_uncached[cpu])
        cr0_write(cr0_read() | CR0_CACHE_DISABLE);
    if (!apic_join_mode())
        halt_for_good();
    apic_enable_wakeups(EXCEPTION_VECTOR_SPURIOUS);

    uint32_t seen = atomic_load_explicit(&smp_system.orders[cpu].number, memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&record->progress, &expected, SMP_PROGRESS_HERE))
        halt_for_good();
    work(cpu, seen);
    __builtin_unreachable();
}
