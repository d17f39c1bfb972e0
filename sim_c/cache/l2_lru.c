/* True LRU of one set (docs/blocks/l2.md, step 5). */
#include "sim_c/cache/l2_lru.h"
#include "vl_cfg.h"

void l2_lru_touch(uint8_t *age, unsigned way)
{
    uint8_t was = age[way];
    for (unsigned w = 0; w < L2_WAYS; w++)
        age[w] += age[w] < was;
    age[way] = 0;
}

int l2_lru_oldest(const uint8_t *age, uint32_t of)
{
    int way = -1;
    for (; of; of &= of - 1)
        if (way < 0 || age[__builtin_ctz(of)] > age[way])
            way = __builtin_ctz(of);
    return way;
}
