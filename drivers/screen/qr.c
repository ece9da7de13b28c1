/* libqrcodegen as Debian ships it was built for Linux programs: it keeps its stack
 * protector's value at fs:0x28 and copies through xmm registers. Both are given to it here,
 * on the boot CPU with interrupts masked; entry.asm restores the loader's FS base. */
#include "drivers/screen/qr.h"

#include <qrcodegen.h>
#include <string.h>

#include "kernel/cpu/instructions.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/msr_numbers.h"

enum {
    CR4_OSFXSR = 1 << 9,
    MAX_SIZE = 4 * QR_LARGE_VERSION + 17,
};

/* [x86-64 psABI, glibc tcbhead_t] */
static struct {
    uint64_t words[5];
    uint64_t stack_guard;
} thread = {.stack_guard = 0x5afe00c0de7ac300};
_Static_assert(__builtin_offsetof(__typeof__(thread), stack_guard) == 0x28, "where the ABI has it");

static uint8_t code[qrcodegen_BUFFER_LEN_FOR_VERSION(QR_LARGE_VERSION)];
static uint8_t scratch[qrcodegen_BUFFER_LEN_FOR_VERSION(QR_LARGE_VERSION)];
static uint8_t bits[(MAX_SIZE * MAX_SIZE + 7) / 8];

void *__memset_chk(void *target, int byte, size_t length, size_t room);
void __stack_chk_fail(void) __attribute__((noreturn));
void __assert_fail(const char *claim, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

void *__memset_chk(void *target, int byte, size_t length, size_t room)
{
    if (length > room)
        __builtin_trap();
    return memset(target, byte, length);
}

void __stack_chk_fail(void)
{
    __builtin_trap();
}

/* klibc's would write to a standard error that does not exist here. */
void __assert_fail(const char *claim, const char *file, unsigned line, const char *function)
{
    (void)claim, (void)file, (void)line, (void)function;
    __builtin_trap();
}

static bool has_vector_registers(void)
{
    return cr4_read() & CR4_OSFXSR;
}

bool qr_make(const char *text, uint32_t version, struct page_modules *modules)
{
    int size;

    *modules = (struct page_modules){0};
    if (version > QR_LARGE_VERSION || !has_vector_registers() ||
        !msr_write(MSR_IA32_FS_BASE, (uint64_t)(uintptr_t)&thread) ||
        !qrcodegen_encodeText(text, scratch, code, qrcodegen_Ecc_LOW, 1, (int)version,
                              qrcodegen_Mask_AUTO, true))
        return false;
    size = qrcodegen_getSize(code);
    memset(bits, 0, sizeof bits);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            if (qrcodegen_getModule(code, x, y))
                bits[(y * size + x) / 8] |= (uint8_t)(1 << (y * size + x) % 8);
    *modules = (struct page_modules){(uint32_t)size, bits};
    return true;
}
