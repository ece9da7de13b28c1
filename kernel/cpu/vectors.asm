; Entry code of the 256 vectors, the recover point, and MSR access that survives #GP.

global vector_entries, recover_arm, msr_read, msr_write
extern exception_enter

section .text
align 16
vector_entries:
%assign vector 0
%rep 256
    align 16
    %if vector = 8 || (vector >= 10 && vector <= 14) || vector = 17 || vector = 21 || \
        vector = 29 || vector = 30
    %else
    push 0                      ; where the CPU pushes no error code
    %endif
    push vector
    jmp near all_vectors
    %assign vector vector + 1
%endrep
    align 16

all_vectors:
    push rax
    push rbx
    push rcx
    push rdx
    push rsi
    push rdi
    push rbp
    push r8
    push r9
    push r10
    push r11
    push r12
    push r13
    push r14
    push r15
    cld
    mov rdi, rsp
    mov rbp, rsp
    and rsp, -16
    call exception_enter        ; may change the frame
    mov rsp, rbp
    pop r15
    pop r14
    pop r13
    pop r12
    pop r11
    pop r10
    pop r9
    pop r8
    pop rbp
    pop rdi
    pop rsi
    pop rdx
    pop rcx
    pop rbx
    pop rax
    add rsp, 16                 ; vector, error code
    iretq

; bool recover_arm(struct recover_point *point): returns false now and true after a fault
RECOVER_OFFSET equ 16           ; of `recover` in struct cpu_local

recover_arm:
    mov [rdi], rbx
    mov [rdi + 8], rbp
    mov [rdi + 16], r12
    mov [rdi + 24], r13
    mov [rdi + 32], r14
    mov [rdi + 40], r15
    lea rax, [rsp + 8]
    mov [rdi + 48], rax
    mov rax, [rsp]
    mov [rdi + 56], rax
    mov [gs:RECOVER_OFFSET], rdi
    xor eax, eax
    ret

; bool msr_read(uint32_t address, uint64_t *value)
msr_read:
    mov ecx, edi
.read:
    rdmsr
    mov [rsi], eax
    mov [rsi + 4], edx
    mov eax, 1
    ret
.fault:
    mov qword [rsi], 0
    xor eax, eax
    ret

; bool msr_write(uint32_t address, uint64_t value)
msr_write:
    mov ecx, edi
    mov eax, esi
    mov rdx, rsi
    shr rdx, 32
.write:
    wrmsr
    mov eax, 1
    ret
.fault:
    xor eax, eax
    ret

; An instruction that may fault, and where to go on when it does.
section .fixups progbits alloc noexec nowrite align=8
    dq msr_read.read, msr_read.fault
    dq msr_write.write, msr_write.fault
