; The boot CPU's stacks: struct image_stacks of start.c, sizes from layout.h.

global boot_stacks, boot_stack_top

section .stacks nobits alloc write align=4096
boot_stacks:
    resb 4096                   ; guard
    resb 65536
boot_stack_top:
%rep 4
    resb 4096                   ; guard
    resb 8192
%endrep
    resb 4096                   ; guard above the last one
