; The timed loop, and what prepares memory for it. Between the two stamps of a
; sample there are only the calls being timed. [clear 3.4.3]

bits 64
default rel

; struct timed_pass, kernel/bench/clear_page.h
struc pass
.clear:        resq 1
.start:        resq 1
.extent_bytes: resq 1
.order:        resq 1
.samples:      resq 1
.sample_count: resd 1
.calls:        resd 1
endstruc

UNROLLED equ 8

section .text

; void timed_pass(const struct timed_pass *pass)
;
; For every sample: `calls` neighbouring extents, beginning at
; start + order[i] * calls * extent_bytes, each cleared by one indirect call;
; samples[i] = TSC cycles from before the first to after the last, all stores
; globally visible. MFENCE before the first stamp keeps the dirtying stores out
; of the window; MFENCE before the second waits for the store buffer, which
; RDTSCP would not.
global timed_pass:function
timed_pass:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    sub rsp, 8                         ; 16-byte alignment for the calls
    mov r12, rdi
    xor r13d, r13d                     ; sample
align 16
.sample:
    cmp r13d, [r12 + pass.sample_count]
    jae .done
    mov rax, [r12 + pass.order]
    mov ebx, [rax + r13*4]
    mov ebp, [r12 + pass.calls]
    mov r14, [r12 + pass.extent_bytes]
    mov r15, [r12 + pass.clear]
    imul rbx, rbp
    imul rbx, r14
    add rbx, [r12 + pass.start]
    mfence
    lfence
    rdtsc
    lfence
    shl rdx, 32
    or rax, rdx
    mov r11, rax                       ; variants leave r8 to r11 alone
    sub ebp, UNROLLED
    jb .rest
align 64
.calls:
%rep UNROLLED
    mov rdi, rbx
    mov rsi, r14
    add rbx, r14
    call r15
%endrep
    sub ebp, UNROLLED
    jae .calls
.rest:
    add ebp, UNROLLED
    jz .called
.call:
    mov rdi, rbx
    mov rsi, r14
    add rbx, r14
    call r15
    dec ebp
    jnz .call
.called:
    mfence
    lfence
    rdtsc
    shl rdx, 32
    or rax, rdx
    sub rax, r11
    mov rcx, [r12 + pass.samples]
    mov [rcx + r13*8], rax
    inc r13d
    jmp .sample
.done:
    add rsp, 8
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

; void timed_fill(void *start, uint64_t bytes, uint64_t pattern)
; Ordinary 8-byte stores, so that the lines end up dirty in this CPU's caches as
; far as they fit. `bytes` is a multiple of 64.
global timed_fill:function
timed_fill:
    shr rsi, 6
    jz .filled
align 16
.line:
    mov [rdi], rdx
    mov [rdi + 8], rdx
    mov [rdi + 16], rdx
    mov [rdi + 24], rdx
    mov [rdi + 32], rdx
    mov [rdi + 40], rdx
    mov [rdi + 48], rdx
    mov [rdi + 56], rdx
    add rdi, 64
    dec rsi
    jnz .line
.filled:
    ret

; void timed_flush(const void *start, uint64_t bytes, uint64_t line_bytes)
; Writes back and drops every line of the extent from all caches: CLFLUSHOPT.
global timed_flush:function
timed_flush:
    lea rax, [rdi + rsi]
    mfence
align 16
.flush_line:
    cmp rdi, rax
    jae .flushed
    clflushopt [rdi]
    add rdi, rdx
    jmp .flush_line
.flushed:
    mfence
    ret

; void timed_flush_old(const void *start, uint64_t bytes, uint64_t line_bytes)
; The same with CLFLUSH, for CPUs without the other.
global timed_flush_old:function
timed_flush_old:
    lea rax, [rdi + rsi]
    mfence
align 16
.old_line:
    cmp rdi, rax
    jae .old_flushed
    clflush [rdi]
    add rdi, rdx
    jmp .old_line
.old_flushed:
    mfence
    ret

; uint64_t timed_holds(const void *start, uint64_t bytes, uint64_t pattern)
; How many of the qwords differ from the pattern.
global timed_holds:function
timed_holds:
    xor eax, eax
    shr rsi, 3
    jz .held
align 16
.qword:
    xor ecx, ecx
    cmp [rdi], rdx
    setne cl
    add rax, rcx
    add rdi, 8
    dec rsi
    jnz .qword
.held:
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
