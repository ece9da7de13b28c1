/* Logarithms in integers, by the definition: one bit of log2 per squaring. */
#include "kernel/stats/fixed_log.h"

static const uint64_t ln2_q64 = 0xb17217f7d1cf79ab; /* ln 2 * 2^64 */
static const uint64_t one_q60 = (uint64_t)1 << 60;

/* log2(value) in q32; value is not 0. */
static int64_t log2_q32(uint64_t value)
{
    unsigned shift = (unsigned)__builtin_clzll(value);
    uint64_t mantissa = value << shift; /* in [1, 2), q63 */
    int64_t log2 = (int64_t)(63 - shift);
    for (int bit = 0; bit < 32; bit++) {
        unsigned __int128 square = (unsigned __int128)mantissa * mantissa; /* q126 */
        unsigned carry = (unsigned)(square >> 127);
        mantissa = (uint64_t)(square >> (63 + carry));
        log2 = log2 * 2 + carry;
    }
    return log2;
}

int64_t fixed_log_ratio_q32(uint64_t numerator, uint64_t denominator)
{
    int64_t log2 = log2_q32(numerator) - log2_q32(denominator);
    uint64_t size = (uint64_t)(log2 < 0 ? -log2 : log2);
    int64_t ln = (int64_t)(((unsigned __int128)size * ln2_q64) >> 64);
    return log2 < 0 ? -ln : ln;
}

int64_t fixed_log_of_ppm_q32(uint64_t ppm)
{
    return fixed_log_ratio_q32(1000000 + ppm, 1000000);
}

uint64_t fixed_log_exp_ppm(int64_t x_q32)
{
    const int64_t ln2_q32 = (int64_t)(ln2_q64 >> 32);
    int64_t twos = x_q32 / ln2_q32, rest = x_q32 % ln2_q32;
    if (rest < 0) {
        rest += ln2_q32;
        twos--;
    }
    if (twos > 40)
        return UINT64_MAX;
    if (twos < -60)
        return 0;
    /* Taylor on [0, ln 2): the 17th term is below 2^-60. */
    uint64_t y_q60 = (uint64_t)rest << 28, term = one_q60, sum = one_q60;
    for (uint64_t k = 1; k <= 17; k++) {
        term = (uint64_t)(((unsigned __int128)term * y_q60) >> 60) / k;
        sum += term;
    }
    unsigned __int128 scaled = (unsigned __int128)sum * 1000000;
    unsigned down = (unsigned)(60 - twos);
    unsigned __int128 half = down == 0 ? 0 : (unsigned __int128)1 << (down - 1);
    return (uint64_t)((scaled + half) >> down);
}

uint64_t fixed_log_square_root(uint64_t value)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit != 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= value)
            root |= bit;
    return root;
}

/* Long division by hand: the image has no 128-bit divide routine. */
uint64_t fixed_log_scale(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t rest = (uint64_t)(product >> 64), low = (uint64_t)product, quotient = 0;
    if (rest >= c)
        return UINT64_MAX;
    for (int bit = 0; bit < 64; bit++) {
        uint64_t carry = rest >> 63;
        rest = rest << 1 | low >> 63;
        low <<= 1;
        quotient <<= 1;
        if (carry || rest >= c) {
            rest -= c;
            quotient |= 1;
        }
    }
    return quotient;
}
