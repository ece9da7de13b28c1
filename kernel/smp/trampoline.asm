; The page below 1 MiB where a started CPU begins and a parked one ends.
;
;   0x000  start16   real mode, CS = page >> 4: straight to long mode with the table
;                    page as root (see trampoline.c)
;          start64   jumps to smp_entry in the image
;          park64    back to 32 bits without paging, then a halt loop that needs
;                    nothing but this page
;          params    filled in by trampoline.c, same layout as struct trampoline_params
;          GDT, IDT, stack of the halt loop
;
; Positions are relative to the page: it is copied, and knows its place from params.

MSR_EFER        equ 0xC0000080
EFER_LME        equ 1 << 8
CR0_PE          equ 1
CR4_PAE         equ 1 << 5
CR4_LA57        equ 1 << 12
PARK_VECTORS    equ 19                  ; up to #MC

%define AT(label) ((label) - trampoline_start)

section .rodata align=16
global trampoline_start, trampoline_end, trampoline_params, trampoline_park64

bits 16
trampoline_start:
    cli
    cld
    mov ax, cs
    mov ds, ax
    o32 lgdt [AT(gdt_pointer)]
    mov eax, [AT(params.cr4)]
    mov cr4, eax
    mov eax, [AT(params.cr3)]
    mov cr3, eax
    mov ecx, MSR_EFER
    rdmsr
    or eax, [AT(params.efer)]           ; LME, and NXE because the kernel's tables use it
    wrmsr
    mov eax, [AT(params.cr0)]           ; protection and paging at once
    mov cr0, eax
    o32 jmp far [AT(params.start64)]

bits 64
start64:
    mov eax, SELECTOR_DATA
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov rax, [rel params.entry]
    jmp rax

; RDI: linear (= physical) address of this page.
trampoline_park64:
    lea rsp, [rdi + AT(park_stack_top)]
    lgdt [rdi + AT(gdt_pointer)]
    lidt [rdi + AT(idt_pointer)]
    mov rax, cr4                        ; PCIDE and others forbid turning paging off
    and eax, CR4_PAE | CR4_LA57
    mov cr4, rax
    lea rax, [rdi + AT(park32)]
    push SELECTOR_CODE32
    push rax
    o64 retf

bits 32
park32:
    mov eax, SELECTOR_DATA
    mov ds, eax
    mov ss, eax
    mov eax, CR0_PE | 1 << 4            ; paging off ends long mode
    mov cr0, eax
    mov ecx, MSR_EFER
    rdmsr
    and eax, ~EFER_LME
    wrmsr
    xor eax, eax
    mov cr3, eax
    lock inc dword [edi + AT(params.parked)]
.halt:
    cli
    hlt
    jmp .halt

; An NMI or a late machine check must not end in a triple fault. All parked CPUs share
; the stack: what they push there is the same for all of them.
park_interrupt:
    iretd

align 16
trampoline_params:
params:
.cr0:       dd 0
.cr3:       dd 0
.cr4:       dd 0
.efer:      dd 0
.start64:   dd 0                        ; far pointer
            dw SELECTOR_CODE64
            dw 0
.entry:     dq 0
.parked:    dd 0
.offsets:   dw AT(start64)              ; for trampoline.c, which fills in addresses
            dw AT(gdt), AT(gdt_pointer)
            dw AT(idt), AT(idt_pointer), AT(park_interrupt)
            dw PARK_VECTORS, SELECTOR_CODE32

; Accessed bits are set beforehand, so that loading a selector writes nothing.
align 8
gdt:
    dq 0
SELECTOR_CODE64 equ $ - gdt
    dq 0x00AF9B000000FFFF
SELECTOR_DATA   equ $ - gdt
    dq 0x00CF93000000FFFF
SELECTOR_CODE32 equ $ - gdt
    dq 0x00CF9B000000FFFF
gdt_end:

gdt_pointer:
    dw gdt_end - gdt - 1
    dq 0
align 8
idt:
    times PARK_VECTORS dq 0
idt_end:
idt_pointer:
    dw idt_end - idt - 1
    dq 0
align 16
    times 64 db 0
park_stack_top:
trampoline_end:
