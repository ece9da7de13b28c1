/* The table of checks: complete, and told by docs/findings.md word for word. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/topology/checks.h"

enum { NUMBERED_CHECKS = 31, DOC_BYTES = 1 << 18 };

static void docs_findings_has_the_row_of_every_check(void **state)
{
    static char doc[DOC_BYTES], storage[4096];
    FILE *file = fopen("docs/findings.md", "rb");
    uint32_t rows = 0;

    (void)state;
    assert_non_null(file);
    doc[fread(doc, 1, sizeof(doc) - 1, file)] = 0;
    fclose(file);
    for (uint32_t i = 0; i < checks_count(); i++) {
        struct textbuf row;

        textbuf_init(&row, storage, sizeof(storage));
        checks_put_row(&row, checks_at(i));
        assert_false(row.is_cut);
        if (!strstr(doc, storage))
            fail_msg("docs/findings.md lacks or tells otherwise: %s", storage);
    }
    for (const char *at = doc; (at = strstr(at, "\n| `")); at++)
        rows++;
    assert_int_equal(rows, checks_count());
}

static void ids_are_stable_words_and_differ(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < checks_count(); i++) {
        const char *id = checks_at(i)->id;

        for (const char *c = id; *c; c++)
            assert_true(islower(*c) || isdigit(*c) || (*c == '-' && c != id && c[1]));
        for (uint32_t other = 0; other < i; other++)
            assert_string_not_equal(id, checks_at(other)->id);
    }
}

/* [rules 8]: the numbers of the table, each in some check. */
static void every_numbered_check_of_the_rules_is_there(void **state)
{
    bool is_there[NUMBERED_CHECKS + 1] = {false};

    (void)state;
    for (uint32_t i = 0; i < checks_count(); i++)
        for (const char *at = checks_at(i)->numbers; *at;) {
            char *end;
            unsigned long number = strtoul(at, &end, 10);

            assert_in_range(number, 1, NUMBERED_CHECKS);
            is_there[number] = true;
            for (at = end; *at == ',' || *at == ' '; at++)
                ;
        }
    for (uint32_t number = 1; number <= NUMBERED_CHECKS; number++)
        if (!is_there[number])
            fail_msg("no check for number %u", number);
}

static void an_index_behind_the_last_check_is_none(void **state)
{
    (void)state;
    assert_null(checks_at(checks_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(docs_findings_has_the_row_of_every_check),
        cmocka_unit_test(ids_are_stable_words_and_differ),
        cmocka_unit_test(every_numbered_check_of_the_rules_is_there),
        cmocka_unit_test(an_index_behind_the_last_check_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
