/* groups.c on recorded and synthetic matrices. The synthetic ones have the shapes
 * that core-to-core measurements of public machines show; each is drawn 1,000 times
 * with noise, and the test prints how often the groups came out right, how often
 * the answer was "cannot tell", and how often it was wrong. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit_test.h"

#include "kernel/stats/groups.h"

enum { MATRICES = SIMULATIONS, STRAY_DOUBTS = 2, MAX_CPUS = 40, MAX_LEVELS = 3 };

/* --- a source of noise that is the same on every machine --------------------------- */

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) * bound >> 31);
}

/* Nearly normal, mean 0, standard deviation 1,000. */
static int32_t random_normal(void)
{
    int32_t sum = 0;

    for (int i = 0; i < 12; i++)
        sum += (int32_t)random_below(1001);
    return sum - 6000;
}

/* --- shapes ----------------------------------------------------------------------------- */

struct shape {
    const char *name;
    uint32_t cpus;
    uint32_t noise_permille;      /* standard deviation of a direction, of its value */
    uint32_t outlier_permille;    /* directions that a disturbance makes 2 to 20 times longer */
    uint32_t missing_permille;    /* directions that were not measured */
    uint32_t (*ps)(uint32_t a, uint32_t b);
    uint32_t levels;              /* that are right, widest first */
    uint32_t (*group)(uint32_t cpu, uint32_t level);
    uint32_t doubt_permille;      /* of matrices in which "cannot tell" is right */
};

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static uint32_t by(uint32_t a, uint32_t b, uint32_t size) { return a / size == b / size; }

/* Two packages, each two complexes of four cores with two threads. */
static uint32_t complexes_ps(uint32_t a, uint32_t b)
{
    return by(a, b, 2) ? 8000 : by(a, b, 8) ? 24000 : by(a, b, 16) ? 85000 : 190000;
}
static uint32_t complexes_group(uint32_t cpu, uint32_t level)
{
    return cpu / (level == 0 ? 16 : level == 1 ? 8 : 2);
}

/* One package of complexes: a second complex on the same die is as far as any other. */
static uint32_t ccx_pairs_ps(uint32_t a, uint32_t b) { return by(a, b, 4) ? 26000 : 82000; }
static uint32_t fours(uint32_t cpu, uint32_t level) { (void)level; return cpu / 4; }

/* Sub-NUMA clusters: the border is a third more, over a mesh. */
static uint32_t snc_ps(uint32_t a, uint32_t b)
{
    return (by(a, b, 8) ? 46000 : 64000) + 300 * (distance(a % 8, b % 8));
}
static uint32_t eights(uint32_t cpu, uint32_t level) { (void)level; return cpu / 8; }

/* A ring of ten stops: the far side costs half as much again, but there is no border. */
static uint32_t ring_ps(uint32_t a, uint32_t b)
{
    uint32_t way = distance(a, b);

    return 30000 + 3000 * (way > 5 ? 10 - way : way);
}

/* A mesh of 6 x 4 tiles. */
static uint32_t mesh_ps(uint32_t a, uint32_t b)
{
    return 42000 + 2600 * (distance(a % 6, b % 6) + distance(a / 6, b / 6));
}
static uint32_t one(uint32_t cpu, uint32_t level) { (void)cpu, (void)level; return 0; }

/* Eight cores of two threads, and two clusters of four cores behind one ring stop each. */
static uint32_t hybrid_ps(uint32_t a, uint32_t b)
{
    bool is_big_a = a < 16, is_big_b = b < 16;

    if (is_big_a && is_big_b)
        return by(a, b, 2) ? 7000 : 36000;
    if (is_big_a || is_big_b)
        return 43000;
    return by(a, b, 4) ? 22000 : 47000;
}
static uint32_t hybrid_ring_group(uint32_t cpu, uint32_t level)
{
    (void)level;
    return cpu < 16 ? cpu / 2 : 8 + (cpu - 16) / 4;
}
static uint32_t hybrid_group(uint32_t cpu, uint32_t level)
{
    return level == 0 && cpu < 16 ? 0 : hybrid_ring_group(cpu, level);
}

/* The same where the big cores are no nearer to each other than to the small ones. */
static uint32_t hybrid_ring_ps(uint32_t a, uint32_t b)
{
    uint32_t ps = hybrid_ps(a, b);

    return ps > 30000 ? 40000 + 800 * (distance(a, b) % 6) : ps;
}

/* Two packages, cores of two threads on a mesh; the way across is no multiple of it. */
static uint32_t mesh_packages_ps(uint32_t a, uint32_t b)
{
    uint32_t core_a = a % 16 / 2, core_b = b % 16 / 2;

    if (by(a, b, 2))
        return 9000;
    return (by(a, b, 16) ? 48000 : 130000) +
           2000 * (distance(core_a % 4, core_b % 4) + distance(core_a / 4, core_b / 4));
}
static uint32_t mesh_packages_group(uint32_t cpu, uint32_t level)
{
    return cpu / (level == 0 ? 16 : 2);
}

/* Four packages in a square: two links to the package across. */
static uint32_t square_ps(uint32_t a, uint32_t b)
{
    static const uint32_t hops[4][4] = {{0, 1, 2, 1}, {1, 0, 1, 2}, {2, 1, 0, 1}, {1, 2, 1, 0}};

    return by(a, b, 4) ? 50000 : 90000 + 60000 * hops[a / 4][b / 4];
}

/* Modules of two cores with a common second-level cache. */
static uint32_t modules_ps(uint32_t a, uint32_t b) { return by(a, b, 2) ? 30000 : 50000; }
static uint32_t twos(uint32_t cpu, uint32_t level) { (void)level; return cpu / 2; }

/* Complexes of three cores: one of four is fused off. */
static uint32_t threes_ps(uint32_t a, uint32_t b) { return by(a, b, 3) ? 26000 : 80000; }
static uint32_t threes(uint32_t cpu, uint32_t level) { (void)level; return cpu / 3; }

/* One package with a second cache domain of two small cores beside it. */
static uint32_t island_ps(uint32_t a, uint32_t b)
{
    return a >= 12 && b >= 12 ? 38000 : larger(a, b) >= 12 ? 95000 : 34000;
}
static uint32_t island(uint32_t cpu, uint32_t level) { (void)level; return cpu >= 12; }

static uint32_t flat_ps(uint32_t a, uint32_t b) { (void)a, (void)b; return 60000; }

/* Groups that nobody can see: the border is as wide as the noise. */
static uint32_t blurred_ps(uint32_t a, uint32_t b) { return by(a, b, 4) ? 40000 : 56000; }

static const struct shape shapes[] = {
    {"complexes, 2 packages, SMT", 32, 50, 2, 0, complexes_ps, 3, complexes_group, 10},
    {"complexes of four", 16, 80, 5, 0, ccx_pairs_ps, 1, fours, 10},
    {"complexes of four, a tenth missing", 32, 60, 5, 100, ccx_pairs_ps, 1, fours, 10},
    {"complexes of three", 12, 60, 2, 0, threes_ps, 1, threes, 10},
    {"sub-NUMA clusters", 32, 30, 2, 0, snc_ps, 1, eights, 10},
    {"ring", 10, 40, 2, 0, ring_ps, 0, one, 10},
    {"mesh", 24, 30, 2, 0, mesh_ps, 0, one, 10},
    {"mesh, 2 packages, SMT", 32, 40, 2, 0, mesh_packages_ps, 2, mesh_packages_group, 10},
    {"hybrid, big cores apart", 24, 30, 0, 0, hybrid_ps, 2, hybrid_group, 10},
    {"hybrid, one ring", 24, 30, 0, 0, hybrid_ring_ps, 1, hybrid_ring_group, 10},
    {"four packages in a square", 16, 40, 2, 0, square_ps, 1, fours, 10},
    {"modules of two", 8, 60, 0, 0, modules_ps, 1, twos, 10},
    {"two small cores apart", 14, 50, 2, 0, island_ps, 1, island, 10},
    {"one group", 16, 80, 2, 0, flat_ps, 0, one, 10},
    {"one group of four", 4, 40, 0, 0, flat_ps, 0, one, 10},
    {"one group of 40", 40, 60, 1, 0, flat_ps, 0, one, 10},
    {"groups within the noise", 16, 260, 0, 0, blurred_ps, 1, fours, 1000},
};

static uint32_t noisy(const struct shape *shape, uint32_t ps)
{
    int64_t value = ps + (int64_t)ps * random_normal() / 1000 * shape->noise_permille / 1000;

    if (value < ps / 4)
        value = ps / 4;
    if (random_below(1000) < shape->outlier_permille)
        value = value * (20 + random_below(180)) / 10;
    return random_below(1000) < shape->missing_permille ? MEASURED_NONE : (uint32_t)value;
}

static void draw(const struct shape *shape, uint32_t *matrix)
{
    for (uint32_t a = 0; a < shape->cpus; a++)
        for (uint32_t b = 0; b < shape->cpus; b++)
            matrix[a * shape->cpus + b] =
                a == b ? MEASURED_NONE : noisy(shape, shape->ps(a, b));
}

static bool is_right(const struct shape *shape, const struct measured_groups *groups)
{
    if (groups->level_count != shape->levels)
        return false;
    for (uint32_t level = 0; level < shape->levels; level++)
        for (uint32_t a = 0; a < shape->cpus; a++)
            for (uint32_t b = 0; b < a; b++)
                if ((shape->group(a, level) == shape->group(b, level)) !=
                    (groups->levels[level].group_of[a] == groups->levels[level].group_of[b]))
                    return false;
    return true;
}

/* --- tests -------------------------------------------------------------------------------------- */

static uint8_t arena_bytes[1 << 20], scratch_bytes[1 << 20];

static void find(const uint32_t *matrix, uint32_t cpus, bool is_sampled,
                 struct measured_groups *groups)
{
    struct arena arena, scratch;

    arena_init(&arena, arena_bytes, sizeof(arena_bytes));
    arena_init(&scratch, scratch_bytes, sizeof(scratch_bytes));
    assert_true(groups_find(matrix, cpus, is_sampled, &arena, &scratch, groups));
}

static void synthetic_shapes_come_out_right_or_in_doubt(void **state)
{
    static uint32_t matrix[MAX_CPUS * MAX_CPUS];
    bool is_good = true;

    (void)state;
    for (uint32_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        const struct shape *shape = &shapes[s];
        uint32_t right = 0, doubt = 0, wrong = 0;

        random_state = 20261130 + s;
        for (uint32_t i = 0; i < MATRICES; i++) {
            struct measured_groups groups;

            draw(shape, matrix);
            find(matrix, shape->cpus, false, &groups);
            if (groups.verdict == GROUPS_CANNOT_TELL)
                doubt++;
            else if (is_right(shape, &groups))
                right++;
            else
                wrong++;
        }
        printf("%-36s %4u right, %3u cannot tell, %u wrong\n", shape->name, right, doubt, wrong);
        is_good &= wrong == 0 &&
                   doubt <= shape->doubt_permille * MATRICES / 1000 + STRAY_DOUBTS;
    }
    assert_true(is_good);
}

/* Two groups of 20 that few pairs look into: without a pair between two parts of one
 * group, nobody knows that they are one. */
static void a_sparse_sample_gives_the_groups_or_doubt(void **state)
{
    static uint32_t matrix[MAX_CPUS * MAX_CPUS];
    uint32_t right = 0, doubt = 0, wrong = 0;

    (void)state;
    random_state = 4711;
    for (uint32_t i = 0; i < MATRICES; i++) {
        uint32_t partners = 2 + i % 11;
        struct measured_groups groups;

        for (uint32_t at = 0; at < MAX_CPUS * MAX_CPUS; at++)
            matrix[at] = MEASURED_NONE;
        for (uint32_t a = 0; a < MAX_CPUS; a++)
            for (uint32_t n = 0; n < partners; n++) {
                uint32_t b = (a + 1 + random_below(MAX_CPUS - 1)) % MAX_CPUS;
                uint32_t ps = by(a, b, 20) ? 30000 : 90000;

                matrix[a * MAX_CPUS + b] = ps + ps * random_below(50) / 1000;
                matrix[b * MAX_CPUS + a] = ps + ps * random_below(50) / 1000;
            }
        find(matrix, MAX_CPUS, true, &groups);
        if (groups.verdict == GROUPS_CANNOT_TELL)
            doubt++;
        else if (groups.level_count == 1 && groups.levels[0].group_count == 2)
            right++;
        else
            wrong++;
    }
    printf("%-36s %4u right, %3u cannot tell, %u wrong\n", "two groups, 4 to 24 partners a CPU",
           right, doubt, wrong);
    assert_int_equal(wrong, 0);
    assert_true(right > MATRICES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sparse_sample_gives_the_groups_or_doubt),
        cmocka_unit_test(synthetic_shapes_come_out_right_or_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
