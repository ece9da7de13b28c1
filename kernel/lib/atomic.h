/* C11 atomics, with the one type that klibc's <stddef.h> leaves out of it. */
#ifndef KERNEL_LIB_ATOMIC_H
#define KERNEL_LIB_ATOMIC_H

#include <stddef.h>

#ifdef __KLIBC__
typedef __WCHAR_TYPE__ wchar_t;
#endif

#include <stdatomic.h>

#endif
