/* The four routines that a compiler may call for plain C. */
#include <stdint.h>
#include <string.h>

void *memcpy(void *target, const void *source, size_t count)
{
    void *to = target;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(source), "+c"(count) : : "memory");
    return target;
}

void *memmove(void *target, const void *source, size_t count)
{
    if ((uintptr_t)target - (uintptr_t)source >= count)
        return memcpy(target, source, count);
    uint8_t *to = (uint8_t *)target + count - 1;
    const uint8_t *from = (const uint8_t *)source + count - 1;
    __asm__ volatile("std; rep movsb; cld" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
    return target;
}

void *memset(void *target, int value, size_t count)
{
    void *to = target;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(value) : "memory");
    return target;
}

int memcmp(const void *a, const void *b, size_t count)
{
    const uint8_t *x = a, *y = b;
    for (size_t i = 0; i < count; i++) {
        if (x[i] != y[i])
            return x[i] - y[i];
    }
    return 0;
}
