; CR4.LA57 can be changed only without paging, so only outside of long mode.
; [intel/vol3 4.1.2] Code, stack and both tables lie below 4 GiB and are mapped where they lie.

CODE32 equ 8
DATA   equ 16
CODE64 equ 24
CR0_PG equ 1 << 31

section .data align=8
table:
    dq 0
    dq 0x00cf9b000000ffff
    dq 0x00cf93000000ffff
    dq 0x00af9b000000ffff
table_end:
pointer:
    dw table_end - table - 1
    dq 0
found: times 10 db 0            ; the firmware's GDTR

section .text
bits 64
global paging_switch
paging_switch:                  ; rcx: CR3, rdx: CR4
    pushfq
    cli
    push rbx
    push rbp
    push rsi
    push rdi
    push r12
    push r13
    push r14
    push r15
    sgdt [rel found]
    mov esi, cs
    mov edi, ds
    lea rax, [rel table]
    mov [rel pointer + 2], rax
    lgdt [rel pointer]
    lea rbx, [rel .again]
    lea rax, [rel .without]
    push CODE32
    push rax
    retfq
bits 32
.without:
    mov eax, DATA
    mov ss, eax
    mov ds, eax
    mov eax, cr0
    and eax, ~CR0_PG
    mov cr0, eax
    mov cr4, edx
    mov cr3, ecx
    or eax, CR0_PG
    mov cr0, eax
    push dword CODE64
    push ebx
    retf
bits 64
.again:
    mov esp, esp                ; upper halves are not kept outside of long mode
    mov esi, esi
    mov edi, edi
    lgdt [rel found]
    lea rax, [rel .there]
    push rsi
    push rax
    retfq
.there:
    mov ds, edi
    mov ss, edi
    pop r15
    pop r14
    pop r13
    pop r12
    pop rdi
    pop rsi
    pop rbp
    pop rbx
    popfq
    ret
