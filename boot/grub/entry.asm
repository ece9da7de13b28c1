; The Multiboot2 header and the two ways in from GRUB: 32-bit protected mode on a
; BIOS machine, 64-bit long mode with boot services alive on a UEFI machine.
; Everything here runs at the physical load address, which is only known at run time.

%include "boot/grub/multiboot2.inc"

extern boot_bios, boot_efi_grub
global boot_entry32, boot_entry_efi64


section .multiboot2 align=8
header:
    dd MB2_HEADER_MAGIC, MB2_ARCHITECTURE_I386, header.end - header
    dd -(MB2_HEADER_MAGIC + MB2_ARCHITECTURE_I386 + (header.end - header))
    align 8
.modules:                       ; modules on page boundaries
    dw MB2_HEADER_MODULE_ALIGN, 0
    dd 8
    align 8
.console:                       ; EGA text is understood, a console is not required
    dw MB2_HEADER_CONSOLE, MB2_OPTIONAL
    dd 12, 2
    align 8
.framebuffer:                   ; any size, 32 bits per pixel
    dw MB2_HEADER_FRAMEBUFFER, MB2_OPTIONAL
    dd 20, 0, 0, 32
    align 8
.keep_services:                 ; UEFI: GRUB must not call ExitBootServices
    dw MB2_HEADER_EFI_BOOT_SERVICES, MB2_OPTIONAL
    dd 8
    align 8
.entry:
    dw MB2_HEADER_ENTRY, 0
    dd 12, entry32_physical
    align 8
.entry_efi64:
    dw MB2_HEADER_ENTRY_EFI64, MB2_OPTIONAL
    dd 12, entry_efi64_physical
    align 8
.relocatable:                   ; anywhere from 1 MiB to 4 GiB, page aligned
    dw MB2_HEADER_RELOCATABLE, 0
    dd 24, 0x100000, 0xffffffff, 4096, MB2_PREFER_NONE
    align 8
    dw MB2_HEADER_END, 0
    dd 8
.end:

extern entry32_physical, entry_efi64_physical

; -- BIOS ------------------------------------------------------------------------
; eax: magic, ebx: Multiboot2 information, paging off, no stack [mb2 3.3]
section .text
bits 32
boot_entry32:
    cli
    cld
    mov edi, eax
    lea esp, [ebx + 8]          ; the second word of the information is reserved:
    call .here                  ; room for one return address
.here:
    pop ebp
    sub ebp, .here              ; ebp: physical minus link address, modulo 2^32
    lea esp, [ebp + early_stack_top]
    mov esi, ebx

    cmp edi, MB2_BOOTLOADER_MAGIC
    jne fail32.not_multiboot2
    mov eax, 0x80000000
    cpuid
    cmp eax, 0x80000001
    jb fail32.not_64bit
    mov eax, 0x80000001
    cpuid
    bt edx, 29                  ; long mode
    jnc fail32.not_64bit

    ; identity map of the first 4 GiB in 2 MiB pages, until the kernel has its own
    lea edi, [ebp + early_pd]
    mov eax, PAGE_PRESENT | PAGE_WRITE | PAGE_LARGE
    xor ecx, ecx
.pd:
    mov [edi + ecx * 8], eax
    mov dword [edi + ecx * 8 + 4], 0
    add eax, 0x200000
    inc ecx
    cmp ecx, 4 * 512
    jne .pd
    lea eax, [ebp + early_pd + PAGE_PRESENT + PAGE_WRITE]
    lea edi, [ebp + early_pdpt]
    xor ecx, ecx
.pdpt:
    mov [edi + ecx * 8], eax
    add eax, 4096
    inc ecx
    cmp ecx, 4
    jne .pdpt
    lea eax, [ebp + early_pdpt + PAGE_PRESENT + PAGE_WRITE]
    mov [ebp + early_pml4], eax

    mov eax, CR4_PAE
    mov cr4, eax
    lea eax, [ebp + early_pml4]
    mov cr3, eax
    mov ecx, MSR_EFER
    rdmsr
    or eax, EFER_LME
    wrmsr
    mov eax, cr0
    or eax, CR0_PG | CR0_PE
    and eax, ~(CR0_CD | CR0_NW)
    mov cr0, eax

    lea eax, [ebp + early_gdt]
    mov [ebp + early_gdtr + 2], eax
    lgdt [ebp + early_gdtr]
    lea eax, [ebp + entry64]
    push dword EARLY_CS
    push eax
    retf

COM1                    equ 0x3f8
COM1_LINE_STATUS        equ COM1 + 5
COM1_TRANSMITTER_EMPTY  equ 0x20
COM1_READY_POLLS        equ 100000      ; about 100 ms of port reads

fail32:
.not_multiboot2:
    lea esi, [ebp + text_not_multiboot2]
    jmp .say
.not_64bit:
    lea esi, [ebp + text_not_64bit]
.say:                           ; serial port, debug port, first line of the text screen
    mov edi, 0xb8000
.next:
    lodsb
    test al, al
    jz .stop
    mov ah, 0x4f
    mov [edi], ax
    add edi, 2
    mov dx, 0xe9
    out dx, al
    mov ecx, COM1_READY_POLLS
    mov dx, COM1_LINE_STATUS
    mov ah, al
.busy:                          ; a port that is not there reads as ready
    in al, dx
    test al, COM1_TRANSMITTER_EMPTY
    loopz .busy
    jz .next
    mov al, ah
    mov dx, COM1
    out dx, al
    jmp .next
.stop:
    hlt
    jmp .stop

bits 64
entry64:
    mov ax, EARLY_DS
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov fs, ax
    mov gs, ax
    lea rsp, [rel early_stack_top]
    xor ebp, ebp
    mov edi, esi
    call boot_bios              ; comes back only when it failed
.stop:
    hlt
    jmp .stop

; -- UEFI through GRUB -------------------------------------------------------------
; rax: magic, rbx: Multiboot2 information, the firmware's paging and stack [mb2 3.5]
boot_entry_efi64:
    cld
    and rsp, -16
    mov edi, ebx
    xor ebp, ebp
    call boot_efi_grub          ; comes back only when it failed
.stop:
    hlt
    jmp .stop

section .rodata
text_not_multiboot2: db "coretruth: not started by a Multiboot2 loader; "
                     db "use GRUB's multiboot2 command", 13, 10
                     db "#coretruth done status=fail", 13, 10, 0
text_not_64bit:      db "coretruth: this CPU has no 64-bit mode; an x86-64 CPU is needed", 13, 10
                     db "#coretruth done status=fail", 13, 10, 0

EARLY_CS equ 8
EARLY_DS equ 16

section .data align=8
early_gdt:
    dq 0
    dq 0x00af9b000000ffff       ; 64-bit code
    dq 0x00cf93000000ffff       ; data
early_gdtr:
    dw early_gdtr - early_gdt - 1
    dd 0

section .bss align=4096
early_pml4: resb 4096
early_pdpt: resb 4096
early_pd:   resb 4 * 4096
early_stack: resb 16384
early_stack_top:
