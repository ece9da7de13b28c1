; The kernel, as a read-only part of the application.

global kernel_file, kernel_file_end

section .rdata rdata align=16
kernel_file:
    incbin "build/kernel.elf"
kernel_file_end:
