/* Long division by hand: the image has no 128-bit division routine. */
#include "kernel/report/fixed.h"

enum { MAX_DECIMALS = 18 };

uint64_t fixed_muldiv(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 product = (unsigned __int128)a * b + c / 2;
    uint64_t rest = (uint64_t)(product >> 64), low = (uint64_t)product;

    if (c == 0 || rest >= c)
        return UINT64_MAX;
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t carry = rest >> 63;

        rest = rest << 1 | low >> 63;
        low <<= 1;
        if (carry || rest >= c) {
            rest -= c;
            low |= 1;
        }
    }
    return low;
}

void fixed_put(struct textbuf *out, int64_t value, unsigned decimals)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char fraction[MAX_DECIMALS];

    if (decimals > MAX_DECIMALS)
        decimals = MAX_DECIMALS;
    for (unsigned i = decimals; i > 0; i--) {
        fraction[i - 1] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    }
    if (value < 0)
        textbuf_putc(out, '-');
    textbuf_put_decimal(out, magnitude);
    if (decimals) {
        textbuf_putc(out, '.');
        textbuf_put_bytes(out, fraction, decimals);
    }
}

void fixed_put_gib_per_s(struct textbuf *out, uint64_t bytes_per_s)
{
    fixed_put(out, (int64_t)fixed_muldiv(bytes_per_s, 100, 1ull << 30), 2);
}

void fixed_put_size(struct textbuf *out, uint64_t bytes)
{
    static const char letters[] = "\0KMGT";
    unsigned letter = 0;

    while (bytes && bytes % 1024 == 0 && letter < 4) {
        bytes /= 1024;
        letter++;
    }
    textbuf_put_decimal(out, bytes);
    if (letter)
        textbuf_putc(out, letters[letter]);
}

uint64_t fixed_cycles_to_ps(uint64_t cycles, uint64_t tsc_hz)
{
    return fixed_muldiv(cycles, 1000000000000ull, tsc_hz);
}
