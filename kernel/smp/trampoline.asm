; The page below 1 MiB where a started CPU begins, and where it stays in the end.
;
;   0x000  start16   real mode, CS = page >> 4
;                      open:   straight to long mode, and on to smp_entry in the image
;                      closed: a halt loop that needs nothing but this page
;          params    filled in by trampoline.c, same layout as struct trampoline_params
;          GDT; interrupt table and stack of the halt loop
;
; Positions are relative to the page: it is copied, and knows its place from params.

MSR_EFER        equ 0xC0000080
MSR_PAT         equ 0x277
PARK_VECTORS    equ 19                  ; up to #MC

%define AT(label) ((label) - trampoline_start)

section .rodata align=16
global trampoline_start, trampoline_end, trampoline_params

bits 16
trampoline_start:
    cli
    cld
    mov ax, cs
    mov ds, ax
    cmp dword [AT(params.is_closed)], 0
    jne park16
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

; An NMI or a late machine check must not end in a triple fault. All parked CPUs share
; the stack: what an interrupt pushes there is the same for all of them.
park16:
    mov ss, ax
    mov sp, AT(park_stack_top)
    lidt [AT(park_pointer)]
    mov ecx, MSR_PAT                    ; INIT leaves the kernel's value in place
    mov eax, [AT(params.pat)]
    mov edx, [AT(params.pat) + 4]
    wrmsr
    lock inc dword [AT(params.parked)]
.halt:
    cli
    hlt
    jmp .halt
park_interrupt:
    iret

bits 64
start64:
    mov eax, SELECTOR_DATA
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov rax, [rel params.entry]
    jmp rax

align 16
trampoline_params:
params:
.cr0:       dd 0
.cr3:       dd 0
.cr4:       dd 0
.efer:      dd 0
.start64:   dd 0                        ; far pointer
            dw SELECTOR_CODE64
            dw AT(start64)              ; for trampoline.c, which adds the page's address
.entry:     dq 0
.pat:       dq 0
.parked:    dd 0
.is_closed: dd 0
.gdt_base:  dw AT(gdt), AT(gdt_pointer) + 2
.park_base: dw AT(park_table), AT(park_pointer) + 2
.park:      dw AT(park_interrupt), PARK_VECTORS

; Accessed bits are set beforehand, so that loading a selector writes nothing.
align 8
gdt:
    dq 0
SELECTOR_CODE64 equ $ - gdt
    dq 0x00AF9B000000FFFF
SELECTOR_DATA   equ $ - gdt
    dq 0x00CF93000000FFFF
gdt_pointer:
    dw $ - gdt - 1
    dd 0
align 4
park_table:
    times PARK_VECTORS dd 0             ; real mode: offset, segment
park_pointer:
    dw $ - park_table - 1
    dd 0
align 16
    times 64 db 0
park_stack_top:
trampoline_end:
