; The kernel that two threads of one core cannot run at full speed together: a
; 64-bit IMUL starts once a cycle on Intel since Haswell and on AMD since Zen, on
; one port. Four independent chains hide its latency of three cycles.

bits 64
default rel

section .text

; void contention_kernel(uint64_t iterations)
; 16 multiplications per iteration, no memory is touched.
global contention_kernel:function
contention_kernel:
    mov eax, 3
    mov ecx, 5
    mov edx, 7
    mov esi, 9
align 32
.loop:
%rep 4
    imul rax, rax
    imul rcx, rcx
    imul rdx, rdx
    imul rsi, rsi
%endrep
    dec rdi
    jnz .loop
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
