; Where the trampoline leads: no stack yet, interrupts masked. Finds out which CPU this
; is by its APIC id, takes that CPU's stack, and goes on in C. A CPU that nobody expects
; halts here.

MSR_APIC_BASE       equ 0x1B
MSR_X2APIC_ID       equ 0x802
APIC_BASE_EXTD      equ 1 << 10
APIC_BASE_ENABLE    equ 1 << 11
XAPIC_ID            equ 0x20

; struct smp_entry_params in smp_state.h
struc entry
.cr0:           resq 1
.cr4:           resq 1
.xapic_page:    resq 1
.wants_x2apic:  resq 1
.count:         resq 1
.ids:           resq 1                  ; u32[count], ascending
.cpus:          resq 1                  ; u32[count]: index of the CPU with ids[i]
.stacks:        resq 1                  ; u64[]: stack top by CPU index
endstruc

section .text
global smp_entry, smp_wakeup_entry
extern smp_entry_params, smp_worker_main, smp_wakeup_interrupt

smp_entry:
    mov rbx, smp_entry_params
    mov rax, [rbx + entry.cr4]
    mov cr4, rax
    mov rax, [rbx + entry.cr0]
    mov cr0, rax

    ; The id that messages are sent to, not the one in CPUID: firmware may renumber.
    mov ecx, MSR_APIC_BASE
    rdmsr
    test eax, APIC_BASE_EXTD
    jnz .x2apic
    cmp qword [rbx + entry.wants_x2apic], 0
    je .xapic
    or eax, APIC_BASE_EXTD | APIC_BASE_ENABLE
    wrmsr
.x2apic:
    mov ecx, MSR_X2APIC_ID
    rdmsr
    jmp .search
.xapic:
    mov rdx, [rbx + entry.xapic_page]
    test rdx, rdx
    jz .halt
    mov eax, [rdx + XAPIC_ID]
    shr eax, 24

    ; Binary search for EAX in ids[RSI, RDI).
.search:
    mov r8, [rbx + entry.ids]
    xor esi, esi
    mov rdi, [rbx + entry.count]
.halve:
    cmp rsi, rdi
    jae .halt
    lea rdx, [rsi + rdi]
    shr rdx, 1
    cmp eax, [r8 + rdx * 4]
    je .found
    jb .lower
    lea rsi, [rdx + 1]
    jmp .halve
.lower:
    mov rdi, rdx
    jmp .halve

.found:
    mov r8, [rbx + entry.cpus]
    mov edi, [r8 + rdx * 4]
    mov r8, [rbx + entry.stacks]
    mov rsp, [r8 + rdi * 8]
    test rsp, rsp                       ; the boot CPU's id: it has no stack here
    jz .halt
    xor ebp, ebp
    push rbp                            ; end of the chain of frames
    call smp_worker_main                ; EDI: CPU index

.halt:
    cli
    hlt
    jmp .halt

; The message that ends HLT. Only the registers that C may change are kept.
smp_wakeup_entry:
    push rax
    push rcx
    push rdx
    push rsi
    push rdi
    push r8
    push r9
    push r10
    push r11
    push rbp
    mov rbp, rsp
    and rsp, -16
    cld
    call smp_wakeup_interrupt
    mov rsp, rbp
    pop rbp
    pop r11
    pop r10
    pop r9
    pop r8
    pop rdi
    pop rsi
    pop rdx
    pop rcx
    pop rax
    iretq
