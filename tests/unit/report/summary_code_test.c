/* Tests kernel/report/summary_code.c against the alphabet of QR codes and zip's CRC. */
#include "kernel/report/summary_code.h"

#include "tests/unit/report/fixture.h"

static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"; /* [iso 18004] */

/* Bit by bit, not by the table that the code uses. */
static uint32_t slow_crc32(const char *text, size_t length)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < length; i++) {
        crc ^= (uint8_t)text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void put(const struct fixture *fixture, char *text, uint32_t most)
{
    struct textbuf out;
    char crc[9];

    textbuf_init(&out, text, SUMMARY_CODE_BYTES);
    summary_code_put(&out, &fixture->model, most);
    assert_false(out.is_cut);
    assert_true(out.length <= most);
    assert_int_equal(strspn(text, alphabet), out.length);
    snprintf(crc, sizeof crc, "%08X", (unsigned)slow_crc32(text, out.length - 11));
    assert_string_equal(text + out.length - 8, crc);
}

static void the_records_tell_the_machine(void **state)
{
    struct fixture fixture;
    char text[SUMMARY_CODE_BYTES];

    (void)state;
    fixture_start(&fixture);
    findings_add(&fixture.findings, "llc-too-wide", FINDING_ERROR, 0, "leaf 0x4", "one");
    findings_add(&fixture.findings, "tsc_odd", FINDING_INFO, 0, "leaf 0x4", "two");
    findings_add(&fixture.findings, "llc-too-wide", FINDING_ERROR, 0, "leaf 0x4", "three");
    put(&fixture, text, 1046);
    assert_non_null(strstr(text, "CT1*S:FINDINGS*V:V1-TEST*Q:BIOS-GRUB/NONE*"
                                 "I:GENUINEINTEL/6/85/4/2000064/0*B:TEST CPU . 2.00GHZ*N:8/8/0/0/0*"));
    assert_non_null(strstr(text, "*F:E/LLC-TOO-WIDE/2*F:I/TSC.ODD/1*D:7.2/"));
    assert_non_null(strstr(text, "*D:4.9-RFC1/"));
    assert_null(strstr(text, "*O:"));
    fixture_end(&fixture);
}

static void what_does_not_fit_is_counted(void **state)
{
    struct fixture fixture;
    char text[SUMMARY_CODE_BYTES], whole[SUMMARY_CODE_BYTES];
    unsigned records = 0, left = 0, left_out = 0;

    (void)state;
    fixture_start(&fixture);
    put(&fixture, whole, 1046);
    put(&fixture, text, 150);
    for (const char *c = whole; *c; c++)
        records += *c == '*';
    for (const char *c = text; *c; c++)
        left += *c == '*';
    assert_non_null(strstr(text, "*O:"));
    assert_int_equal(sscanf(strstr(text, "*O:"), "*O:%u", &left_out), 1);
    assert_int_equal(left - 1 + left_out, records);
    for (uint32_t most = 40; most < 400; most++)
        put(&fixture, text, most);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_records_tell_the_machine),
        cmocka_unit_test(what_does_not_fit_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
