/* What every unit test includes: cmocka and the headers it needs before it. */
#ifndef TESTS_UNIT_UNIT_TEST_H
#define TESTS_UNIT_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Simulated runs of the statistics: few with sanitizers, `make simulate` defines more. */
#ifndef SIMULATIONS
#define SIMULATIONS 100
#endif

#endif
