; The one way into the kernel, and back out of it.
;
;   struct boot_result *kernel_entry(const struct boot_info *info)
;
; Called by boot/ in 64-bit mode at the physical load address, on the loader's page
; tables (identity-mapped), stack and descriptor tables. Returns the physical address of
; the result with all of these restored, or NULL when there was no memory for page tables.
;
; The loader's tables and ours share no executable page. The two pages of .switch are
; mapped at LAYOUT_SWITCH in ours and in a copy of the loader's top level ("between"):
;
;   loader CR3 -> between CR3 -> jump to LAYOUT_SWITCH -> own CR3 -> jump to the image

%include "kernel/cpu/registers.inc"

global kernel_entry, switch_code, entry_found_pat
extern paging_prepare, kernel_start, boot_stack_top

struc SAVED
.rsp:      resq 1
.cr0:      resq 1
.cr3:      resq 1
.cr4:      resq 1
.efer:     resq 1
.pat:      resq 1
.fs_base:  resq 1
.gs_base:  resq 1
.xcr0:     resq 1
.resume:   resq 1       ; physical address of the code that restores
.between:  resq 1
.alias:    resq 1       ; LAYOUT_SWITCH minus physical
.gdtr:     resb 16
.idtr:     resb 16
.cs:       resw 1
.ds:       resw 1
.es:       resw 1
.fs:       resw 1
.gs:       resw 1
.ss:       resw 1
.tr:       resw 1
.ldtr:     resw 1
endstruc

%macro SAVE_MSR 2
    mov ecx, %1
    rdmsr
    mov [rel saved + %2], eax
    mov [rel saved + %2 + 4], edx
%endmacro

%macro RESTORE_MSR 2
    mov ecx, %1
    mov eax, [rel saved + %2]
    mov edx, [rel saved + %2 + 4]
    wrmsr
%endmacro

section .text
kernel_entry:
    push rbp
    push rbx
    push r12
    push r13
    push r14
    push r15
    pushfq
    cli
    mov rbx, rdi
    mov rbp, rsp
    and rsp, -16
    mov rdi, rbx
    call paging_prepare
    mov rsp, rbp
    test rax, rax
    jz .out

    mov rcx, [rax]
    mov r12, [rax + 8]          ; own CR3
    mov r13, [rax + 16]
    mov [rel saved + SAVED.between], rcx
    mov [rel saved + SAVED.alias], r13
    lea rax, [rel restore]
    mov [rel saved + SAVED.resume], rax
    mov [rel saved + SAVED.rsp], rsp

    mov rax, cr0
    mov [rel saved + SAVED.cr0], rax
    mov rax, cr3
    mov [rel saved + SAVED.cr3], rax
    mov rax, cr4
    mov [rel saved + SAVED.cr4], rax
    bt rax, 18                  ; XCR0 is readable only with CR4.OSXSAVE
    jnc .no_xcr0
    xor ecx, ecx
    xgetbv
    mov [rel saved + SAVED.xcr0], eax
    mov [rel saved + SAVED.xcr0 + 4], edx
.no_xcr0:
    SAVE_MSR MSR_EFER, SAVED.efer
    SAVE_MSR MSR_PAT, SAVED.pat
    SAVE_MSR MSR_FS_BASE, SAVED.fs_base
    SAVE_MSR MSR_GS_BASE, SAVED.gs_base
    sgdt [rel saved + SAVED.gdtr]
    sidt [rel saved + SAVED.idtr]
    mov [rel saved + SAVED.cs], cs
    mov [rel saved + SAVED.ds], ds
    mov [rel saved + SAVED.es], es
    mov [rel saved + SAVED.fs], fs
    mov [rel saved + SAVED.gs], gs
    mov [rel saved + SAVED.ss], ss
    str [rel saved + SAVED.tr]
    cmp byte [rel keeps_our_tr], 0
    je .own_tr
    mov word [rel saved + SAVED.tr], 0
.own_tr:
    sldt [rel saved + SAVED.ldtr]

    ; Our entries carry the no-execute bit where the CPU has it; no global or tagged
    ; translation of the loader may survive the switch.
    mov eax, 0x80000001
    cpuid
    bt edx, 20
    jnc .no_nx
    mov ecx, MSR_EFER
    rdmsr
    or eax, EFER_NXE
    wrmsr
.no_nx:
    mov rcx, [rel saved + SAVED.between]
    mov rax, cr3
    and ax, 0xf000              ; PCID 0 before CR4.PCIDE is cleared
    mov cr3, rax
    mov rax, cr4
    and rax, ~(CR4_PGE | CR4_PCIDE | CR4_CET)
    mov cr4, rax
    mov cr3, rcx
    lea rax, [rel switch_in]
    add rax, r13
    jmp rax

.out:
    popfq
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbx
    pop rbp
    ret

; Back on the loader's tables at the physical address. rbx: the result.
restore:
    mov rax, [rel saved + SAVED.cr3]
    mov cr3, rax
    mov rsp, [rel saved + SAVED.rsp]
    mov rcx, cr4                ; XCR0 first: it needs CR4.OSXSAVE
    bt rcx, 18
    jnc .no_xcr0
    mov rax, [rel saved + SAVED.cr4]
    bt rax, 18
    jnc .no_xcr0
    xor ecx, ecx
    mov eax, [rel saved + SAVED.xcr0]
    mov edx, [rel saved + SAVED.xcr0 + 4]
    xsetbv
.no_xcr0:
    mov rax, [rel saved + SAVED.cr4]
    mov cr4, rax
    mov rax, [rel saved + SAVED.cr0]
    mov cr0, rax
    RESTORE_MSR MSR_EFER, SAVED.efer
    RESTORE_MSR MSR_PAT, SAVED.pat

    lgdt [rel saved + SAVED.gdtr]
    movzx eax, word [rel saved + SAVED.cs]
    push rax
    lea rax, [rel .reloaded]
    push rax
    retfq
.reloaded:
    mov ds, [rel saved + SAVED.ds]
    mov es, [rel saved + SAVED.es]
    mov fs, [rel saved + SAVED.fs]
    mov gs, [rel saved + SAVED.gs]
    mov ss, [rel saved + SAVED.ss]
    RESTORE_MSR MSR_FS_BASE, SAVED.fs_base
    RESTORE_MSR MSR_GS_BASE, SAVED.gs_base
    lldt [rel saved + SAVED.ldtr]
    ; A null task register cannot be loaded back; one that an earlier run left behind names
    ; nothing in this table. [intel/vol2 LTR]
    movzx eax, word [rel saved + SAVED.tr]
    and eax, ~7
    jz .no_tr
    movzx ecx, word [rel saved + SAVED.gdtr]
    lea edx, [rax + 15]
    cmp edx, ecx
    ja .no_tr
    mov rcx, [rel saved + SAVED.gdtr + 2]
    mov dl, [rcx + rax + 5]
    and dl, 0x9d                ; present, system, type without its busy bit
    cmp dl, 0x89
    jne .no_tr
    and byte [rcx + rax + 5], ~2 ; LTR refuses a descriptor that is marked busy
    ltr [rel saved + SAVED.tr]
.no_tr:
    lidt [rel saved + SAVED.idtr]
    mov rax, rbx
    jmp kernel_entry.out

; Runs at LAYOUT_SWITCH. At most two pages, so that it is mapped wherever it falls.
section .text.switch align=64
switch_code:
switch_in:
    mov cr3, r12
    mov rsp, boot_stack_top     ; absolute from here on: the image is at its own address
    xor ebp, ebp
    mov rax, kernel_start
    call rax                    ; physical address of the result
    mov rbx, rax
    mov rcx, saved
    mov rdx, [rcx + SAVED.between]
    mov rcx, [rcx + SAVED.resume]
    mov cr3, rdx
    jmp rcx

section .bss align=16
saved: resb SAVED_size
keeps_our_tr: resb 1
entry_found_pat equ saved + SAVED.pat
