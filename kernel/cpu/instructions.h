/* One inline function per instruction that C cannot say. */
#ifndef KERNEL_CPU_INSTRUCTIONS_H
#define KERNEL_CPU_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct cpuid_result {
    uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid_result cpuid_read(uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_result r;
    __asm__ volatile("cpuid"
                     : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
                     : "a"(leaf), "c"(subleaf));
    return r;
}

/* The leaf, or zeros when it lies above the highest one of its range. For decisions
 * of the image about itself; facts are recorded by kernel/capture. */
static inline struct cpuid_result cpuid_read_if_present(uint32_t leaf, uint32_t subleaf)
{
    uint32_t highest = cpuid_read(leaf & 0xffff0000, 0).eax;
    if (highest < leaf || (highest & 0xffff0000) != (leaf & 0xffff0000))
        return (struct cpuid_result){0};
    return cpuid_read(leaf, subleaf);
}

static inline void port_write8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void port_write16(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void port_write32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline uint8_t port_read8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint16_t port_read16(uint16_t port)
{
    uint16_t value;
    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint32_t port_read32(uint16_t port)
{
    uint32_t value;
    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline void cpu_pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}

/* Sleeps until an NMI, SMI or INIT when interrupts are masked. */
static inline void cpu_halt(void)
{
    __asm__ volatile("hlt" : : : "memory");
}

static inline void interrupts_disable(void)
{
    __asm__ volatile("cli" : : : "memory");
}

#define CR0_CACHE_DISABLE (1ull << 30)

/* Every dirty line of this CPU's caches and of those that it shares goes to memory. */
static inline void caches_write_back(void)
{
    __asm__ volatile("wbinvd" : : : "memory");
}

static inline uint64_t cr0_read(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr0, %0" : "=r"(value));
    return value;
}

static inline void cr0_write(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr0" : : "r"(value) : "memory");
}

static inline uint64_t cr2_read(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr2, %0" : "=r"(value));
    return value;
}

static inline uint64_t cr3_read(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    return value;
}

static inline void cr3_write(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(value) : "memory");
}

static inline uint64_t cr4_read(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

static inline void cr4_write(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr4" : : "r"(value) : "memory");
}

static inline uint64_t xcr0_read(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static inline void xcr0_write(uint64_t value)
{
    __asm__ volatile("xsetbv"
                     :
                     : "c"(0), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
                     : "memory");
}

static inline void page_invalidate(uint64_t address)
{
    __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

#endif
