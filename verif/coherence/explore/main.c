/* Explores a case breadth first: every state that it can come to, or as many as are allowed (docs/explore.md).
 *
 *   explore FIELD=VALUE...                  all states; the fields are below
 *   explore FIELD=VALUE... path=0,3,0,1     one path, printed cycle by cycle
 *   explore FIELD=VALUE... walk=N           N cycles of random choices, with states as they are beside states in which fields that no edge reads are 0: they are one
 */
#include "case.h"
#include "paths.h"
#include "search.h"
#include "walk.h"

static int replay(void)
{
    unsigned n = 1;
    for (const char *p = path_text; *p; p++)
        n += *p == ',';
    unsigned *path = grown(NULL, n * sizeof *path);
    uint16_t *by = grown(NULL, n * sizeof *by);
    if (numbers(path_text, path, n) != n)
        return 2;
    for (unsigned k = 0; k < n; k++)
        by[k] = (uint16_t)path[k];
    play(by, n);
    free(path);
    free(by);
    return *wrong != 0;
}

int main(int argc, char **argv)
{
    now = (case_t){.device = {REAL}, .lines = 1, .net = 1, .pending = PENDING, .holds = 1, .held = 255};
    for (int k = 1; k < argc; k++)
        if (!field(argv[k])) {
            fprintf(stderr, "explore: %s: no such field, or not with this value\n", argv[k]);
            return 2;
        }
    if (!now.agents || !most || most >= UNKNOWN || !now.net || !now.pending || now.pending > PENDING
        || now.net > NET - DEVICES + 1 || (now.ever && now.forward)) {
        fprintf(stderr, "explore: no such case\n");
        return 2;
    }
    canon_init();
    return path_text ? replay() : walks ? walk(walks) : search();
}
