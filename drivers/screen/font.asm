; The fonts of the screen, as Debian ships them: taken at build time, see the Makefile.
; Terminus by Dimitar Zhekov, SIL Open Font License 1.1.

section .rodata
global font_small, font_small_end, font_large, font_large_end
font_small:     incbin "font-16.psf"
font_small_end:
font_large:     incbin "font-32.psf"
font_large_end:
