/* Taken in as bytes, so that they can be edited and looked at as what they are. The
 * Makefile says that this file depends on them. */
#include "host/html_files.h"

__asm__(".section .rodata\n"
        ".globl html_page_css, html_page_js\n"
        "html_page_css: .incbin \"host/html/page.css\"\n.byte 0\n"
        "html_page_js: .incbin \"host/html/page.js\"\n.byte 0\n"
        ".text\n");
