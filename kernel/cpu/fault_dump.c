/* Exception dump. Uses no memory but its own stack. CPUs that fault at once take turns,
 * but none waits long: mixed lines are better than none. */
#include "kernel/cpu/fault_dump.h"

#include <string.h>

#include "kernel/cpu/cpu_local.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/early_console.h"
#include "kernel/cpu/pagetable.h"
#include "kernel/cpu/physmap_state.h"
#include "kernel/cpu/symbols.h"
#include "kernel/cpu/tsc.h"
#include "kernel/lib/atomic.h"
#include "kernel/lib/textbuf.h"

enum {
    DUMP_MAX_FRAMES = 24,
    DUMP_LINE_BYTES = 256,
    DUMP_MOST = 8,          /* a fault that all of 255 CPUs take is not shown by each */
    DUMP_TURN_US = 300000,
};

static void (*extra_sink)(const char *text, size_t length_bytes);
static void (*last_words)(void);
static _Atomic uint32_t dump_count, dumps_done;

void exception_set_sink(void (*put)(const char *text, size_t length_bytes))
{
    extra_sink = put;
}

void exception_set_last_words(void (*speak)(void))
{
    last_words = speak;
}

static void put_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put_line(const char *format, ...)
{
    char storage[DUMP_LINE_BYTES];
    struct textbuf line;
    va_list args;

    textbuf_init(&line, storage, sizeof storage);
    va_start(args, format);
    textbuf_vprintf(&line, format, args);
    va_end(args);
    textbuf_putc(&line, '\n');
    early_console_put(line.text, line.length);
    if (extra_sink)
        extra_sink(line.text, line.length);
}

static void put_address(const char *label, uint64_t address)
{
    uint64_t offset;
    const char *name = symbols_find(address, &offset);
    if (name)
        put_line("%s %016llx %s+0x%llx", label, (unsigned long long)address, name,
                 (unsigned long long)offset);
    else
        put_line("%s %016llx (not in the image)", label, (unsigned long long)address);
}

static bool is_readable(uint64_t address)
{
    return address % 8 == 0 && pagetable_is_mapped(&physmap_state.table, address) &&
           pagetable_is_mapped(&physmap_state.table, address + 15);
}

/* Frame pointers are kept in every function; the chain must rise and stay mapped. */
static void put_back_trace(const struct exception_frame *frame)
{
    uint64_t rbp = frame->rbp;
    put_address("  at  ", frame->rip);
    for (int i = 0; i < DUMP_MAX_FRAMES && is_readable(rbp); i++) {
        const uint64_t *link = (const uint64_t *)rbp;
        uint64_t next = link[0], address = link[1];
        if (address == 0)
            break;
        put_address("  from", address);
        if (next <= rbp)
            break;
        rbp = next;
    }
}

static void put_registers(const struct exception_frame *f, uint64_t cr2)
{
    typedef unsigned long long u;
    put_line("  rax %016llx rbx %016llx rcx %016llx", (u)f->rax, (u)f->rbx, (u)f->rcx);
    put_line("  rdx %016llx rsi %016llx rdi %016llx", (u)f->rdx, (u)f->rsi, (u)f->rdi);
    put_line("  rbp %016llx rsp %016llx r8  %016llx", (u)f->rbp, (u)f->rsp, (u)f->r8);
    put_line("  r9  %016llx r10 %016llx r11 %016llx", (u)f->r9, (u)f->r10, (u)f->r11);
    put_line("  r12 %016llx r13 %016llx r14 %016llx", (u)f->r12, (u)f->r13, (u)f->r14);
    put_line("  r15 %016llx rflags %08llx cs %04llx ss %04llx", (u)f->r15, (u)f->rflags,
             (u)f->cs, (u)f->ss);
    put_line("  cr0 %016llx cr2 %016llx cr3 %016llx cr4 %llx", (u)cr0_read(), (u)cr2,
             (u)cr3_read(), (u)cr4_read());
}

/* False: enough of them were shown. */
static bool take_turn(void)
{
    uint64_t start = tsc_read(), bound = tsc_cycles_of_us(DUMP_TURN_US);
    uint32_t mine = atomic_fetch_add(&dump_count, 1);

    while (mine < DUMP_MOST && atomic_load(&dumps_done) < mine && tsc_read() - start < bound)
        cpu_pause();
    return mine < DUMP_MOST;
}

/* Before a run there is nobody who would speak, but the log has its last line. */
void fault_last_words(void)
{
    static const char line[] = "#coretruth done status=fail\n";

    if (cpu_local()->cpu != 0)
        return;
    if (last_words)
        last_words();
    else
        early_console_put(line, sizeof line - 1);
}

void fault_dump(const struct exception_frame *frame)
{
    struct cpu_local *local = cpu_local();
    uint64_t cr2 = cr2_read();
    char reason[160];
    struct textbuf text;

    if (local->is_in_dump) {
        early_console_put("\nfault inside the fault dump\n", 29);
        return;
    }
    if (!take_turn())
        return;
    local->is_in_dump = true;
    textbuf_init(&text, reason, sizeof reason);
    textbuf_printf(&text, "exception %llu (%s) on CPU %u, APIC ID %u, error code 0x%llx, rip 0x%llx",
                   (unsigned long long)frame->vector, exception_name(frame->vector), local->cpu,
                   local->apic_id, (unsigned long long)frame->error_code,
                   (unsigned long long)frame->rip);
    put_line("\n%s", reason);
    put_registers(frame, cr2);
    put_back_trace(frame);
    atomic_fetch_add(&dumps_done, 1);
    local->is_in_dump = false;
}
