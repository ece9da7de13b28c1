; The page-clearing variants. One CLEAR_PAGE block declares and implements one:
; the macro opens the function and adds the record that C reads as
; struct clear_variant (kernel/stats/variants.h). Nothing else has to be edited.
;
;   CLEAR_PAGE id, "what it does", needs, tier, fence, step, align, zero_only, \
;              instructions per line in 1/16, byte it leaves
;
; Every function is void clear(void *start, uint64_t bytes): rdi, rsi by the
; System V convention, which the image and Linux user space share, except that
; r8 to r11 keep their values. `bytes` is a multiple of `step` and not zero; the
; direction flag is clear. A weakly ordered
; variant ends with its own SFENCE, so that it is inside the timed window, once
; per extent. [clear 0, 1.1, 1.2]

bits 64
default rel

; enum variant_need
%define NEEDS_NOTHING   0
%define NEEDS_SSE       1
%define NEEDS_AVX       2
%define NEEDS_AVX512F   4
%define NEEDS_CLZERO    8
%define NEEDS_MOVDIR64B 16
%define NEEDS_LINE_64   32
; enum variant_tier
%define MANDATORY 0
%define SECOND    1
%define CONTROL   2
; enum variant_fence
%define NO_FENCE  0
%define SFENCE_IN 1
; clear_variant.leaves
%define LEAVES_ZERO      0
%define LEAVES_UNCHANGED 0x100

%define LINE 64
%define PATTERN_BYTE  0xA5
%define PATTERN_QWORD 0xA5A5A5A5A5A5A5A5

%macro CLEAR_PAGE 10
%defstr clear_page_name %1
section .rodata
clear_page_id_%1: db %[clear_page_name], 0
clear_page_text_%1: db %2, 0
section .data
    dq clear_page_id_%1, clear_page_text_%1, clear_page_%1
    dd %3, %5, %6, %7, %4, %8, %9, %10
    dq 0
section .text
align 64
global clear_page_%1:function
clear_page_%1:
%endmacro

section .data
align 64
global clear_page_variants:data
clear_page_variants:

; --- what released kernels use, and what the lists argue about ------------------

CLEAR_PAGE orig, "8-byte stores, eight to a line (clear_page_orig)", \
           NEEDS_NOTHING, MANDATORY, NO_FENCE, LINE, 8, 0, 11*16, LEAVES_ZERO
    xor eax, eax
    mov rcx, rsi
    shr rcx, 6
align 16
.line:
    dec rcx
    mov [rdi], rax
    mov [rdi + 8], rax
    mov [rdi + 16], rax
    mov [rdi + 24], rax
    mov [rdi + 32], rax
    mov [rdi + 40], rax
    mov [rdi + 48], rax
    mov [rdi + 56], rax
    lea rdi, [rdi + LINE]
    jnz .line
    ret

CLEAR_PAGE stosq, "rep stosq (clear_page_rep)", \
           NEEDS_NOTHING, MANDATORY, NO_FENCE, 8, 8, 0, 0, LEAVES_ZERO
    xor eax, eax
    mov rcx, rsi
    shr rcx, 3
    rep stosq
    ret

CLEAR_PAGE stosb, "rep stosb (clear_page_erms)", \
           NEEDS_NOTHING, MANDATORY, NO_FENCE, 1, 1, 0, 0, LEAVES_ZERO
    xor eax, eax
    mov rcx, rsi
    rep stosb
    ret

CLEAR_PAGE movnti8, "movnti of 8 bytes, eight to a line, then sfence", \
           NEEDS_NOTHING, MANDATORY, SFENCE_IN, LINE, 8, 0, 11*16, LEAVES_ZERO
    xor eax, eax
align 16
.line:
    movnti [rdi], rax
    movnti [rdi + 8], rax
    movnti [rdi + 16], rax
    movnti [rdi + 24], rax
    movnti [rdi + 32], rax
    movnti [rdi + 40], rax
    movnti [rdi + 48], rax
    movnti [rdi + 56], rax
    add rdi, LINE
    sub rsi, LINE
    ja .line
    sfence
    ret

CLEAR_PAGE clzero, "clzero, one to a line, then sfence", \
           NEEDS_CLZERO | NEEDS_LINE_64, MANDATORY, SFENCE_IN, LINE, LINE, 1, 4*16, LEAVES_ZERO
    mov rax, rdi
align 16
.line:
    clzero
    add rax, LINE
    sub rsi, LINE
    ja .line
    sfence
    ret

; --- candidates -------------------------------------------------------------------

CLEAR_PAGE movnti4, "movnti of 8 bytes, four to an iteration, then sfence (OpenBSD)", \
           NEEDS_NOTHING, SECOND, SFENCE_IN, 32, 8, 0, 12*16, LEAVES_ZERO
    xor eax, eax
    add rdi, rsi
    neg rsi
align 16
.half:
    movnti [rdi + rsi], rax
    movnti [rdi + rsi + 8], rax
    movnti [rdi + rsi + 16], rax
    movnti [rdi + rsi + 24], rax
    add rsi, 32
    jnz .half
    sfence
    ret

CLEAR_PAGE movntdq16, "movntdq of 16 bytes, eight to an iteration, then sfence", \
           NEEDS_SSE, SECOND, SFENCE_IN, 128, 16, 0, 88, LEAVES_ZERO
    pxor xmm0, xmm0
align 16
.lines:
    movntdq [rdi], xmm0
    movntdq [rdi + 16], xmm0
    movntdq [rdi + 32], xmm0
    movntdq [rdi + 48], xmm0
    movntdq [rdi + 64], xmm0
    movntdq [rdi + 80], xmm0
    movntdq [rdi + 96], xmm0
    movntdq [rdi + 112], xmm0
    add rdi, 128
    sub rsi, 128
    ja .lines
    sfence
    ret

CLEAR_PAGE vmovntdq32, "vmovntdq of 32 bytes, eight to an iteration, then sfence", \
           NEEDS_AVX, SECOND, SFENCE_IN, 256, 32, 0, 44, LEAVES_ZERO
    vpxor xmm0, xmm0, xmm0
align 16
.lines:
    vmovntdq [rdi], ymm0
    vmovntdq [rdi + 32], ymm0
    vmovntdq [rdi + 64], ymm0
    vmovntdq [rdi + 96], ymm0
    vmovntdq [rdi + 128], ymm0
    vmovntdq [rdi + 160], ymm0
    vmovntdq [rdi + 192], ymm0
    vmovntdq [rdi + 224], ymm0
    add rdi, 256
    sub rsi, 256
    ja .lines
    sfence
    vzeroupper
    ret

CLEAR_PAGE vmovntdq64, "vmovntdq of 64 bytes, one to a line, then sfence", \
           NEEDS_AVX512F, SECOND, SFENCE_IN, LINE, LINE, 0, 4*16, LEAVES_ZERO
    vpxor xmm0, xmm0, xmm0
align 16
.line:
    vmovntdq [rdi], zmm0
    add rdi, LINE
    sub rsi, LINE
    ja .line
    sfence
    vzeroupper
    ret

CLEAR_PAGE avx_st, "32-byte stores, two to a line", \
           NEEDS_AVX, SECOND, NO_FENCE, LINE, 32, 0, 5*16, LEAVES_ZERO
    vpxor xmm0, xmm0, xmm0
align 16
.line:
    vmovdqa [rdi], ymm0
    vmovdqa [rdi + 32], ymm0
    add rdi, LINE
    sub rsi, LINE
    ja .line
    vzeroupper
    ret

CLEAR_PAGE avx512_st, "64-byte stores, one to a line", \
           NEEDS_AVX512F, SECOND, NO_FENCE, LINE, LINE, 0, 4*16, LEAVES_ZERO
    vpxor xmm0, xmm0, xmm0
align 16
.line:
    vmovdqa64 [rdi], zmm0
    add rdi, LINE
    sub rsi, LINE
    ja .line
    vzeroupper
    ret

section .rodata
align 64
zero_line: times LINE db 0

; The source is one hot line of zeros; the destination's memory type does not matter.
CLEAR_PAGE movdir64b, "movdir64b, one to a line, then sfence", \
           NEEDS_MOVDIR64B | NEEDS_LINE_64, SECOND, SFENCE_IN, LINE, LINE, 0, 4*16, LEAVES_ZERO
    lea rdx, [zero_line]
align 16
.line:
    movdir64b rdi, [rdx]
    add rdi, LINE
    sub rsi, LINE
    ja .line
    sfence
    ret

; --- controls: what the numbers above are held against [clear 1.7] -----------------

CLEAR_PAGE stosb_a5, "control: rep stosb of 0xA5, is it zeros that are cheap?", \
           NEEDS_NOTHING, CONTROL, NO_FENCE, 1, 1, 0, 0, PATTERN_BYTE
    mov eax, PATTERN_BYTE
    mov rcx, rsi
    rep stosb
    ret

CLEAR_PAGE movnti8_a5, "control: movnti8 of 0xA5, is it zeros that are cheap?", \
           NEEDS_NOTHING, CONTROL, SFENCE_IN, LINE, 8, 0, 11*16, PATTERN_BYTE
    mov rax, PATTERN_QWORD
align 16
.line:
    movnti [rdi], rax
    movnti [rdi + 8], rax
    movnti [rdi + 16], rax
    movnti [rdi + 24], rax
    movnti [rdi + 32], rax
    movnti [rdi + 40], rax
    movnti [rdi + 48], rax
    movnti [rdi + 56], rax
    add rdi, LINE
    sub rsi, LINE
    ja .line
    sfence
    ret

CLEAR_PAGE read, "control: one 8-byte load from each line, nothing stored", \
           NEEDS_NOTHING, CONTROL, NO_FENCE, LINE, 8, 0, 4*16, LEAVES_UNCHANGED
align 16
.line:
    mov rax, [rdi]
    add rdi, LINE
    sub rsi, LINE
    ja .line
    ret

CLEAR_PAGE empty, "control: an empty body, the cost of the harness", \
           NEEDS_NOTHING, CONTROL, NO_FENCE, 1, 1, 0, 0, LEAVES_UNCHANGED
    ret

section .data
global clear_page_variants_end:data
clear_page_variants_end:

section .note.GNU-stack noalloc noexec nowrite progbits
