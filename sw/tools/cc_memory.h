/* Memory of `vellum cc` and of its loop step: both end the program with one line when no memory is left. */
#ifndef VELLUM_TOOLS_CC_MEMORY_H
#define VELLUM_TOOLS_CC_MEMORY_H
#include <stddef.h>

void *cc_alloc(size_t bytes); /* zeroed */
void *cc_grow(void *p, size_t count, size_t size); /* room for element `count`; zeroed when new */

#endif
