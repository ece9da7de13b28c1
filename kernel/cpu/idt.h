/* The interrupt descriptor table all CPUs share. */
#ifndef KERNEL_CPU_IDT_H
#define KERNEL_CPU_IDT_H

/* Once, before the first idt_load(). */
void idt_build(void);
/* An interrupt that is not an exception: `entry` ends in IRETQ. Before CPUs are started. */
void idt_set(unsigned vector, void (*entry)(void));
/* On each CPU. */
void idt_load(void);

#endif
