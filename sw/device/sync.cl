/* Barriers and fences. Everything here stays convergent: these must neither be duplicated nor moved across a branch. */
#include <opencl-c-base.h>

#define FN __attribute__((overloadable, always_inline, convergent))

/* vl.barrier holds the memory half too: earlier accesses are visible to the whole workgroup, global and local alike. */
FN void barrier(cl_mem_fence_flags flags) { __asm__ volatile(".insn 0x0010000b" ::: "memory"); }

/* A local fence orders within the workgroup; a global one goes to the memory side, where other cores look. */
FN void mem_fence(cl_mem_fence_flags flags)
{
    if (flags & CLK_GLOBAL_MEM_FENCE)
        __asm__ volatile("fence" ::: "memory");
    else
        __asm__ volatile(".insn 0x0020000b" ::: "memory");
}

FN void read_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }
FN void write_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }

/* The copies below are done by the threads of the group themselves, so waiting for them is a barrier. */
FN void wait_group_events(int count, __private event_t *list) { barrier(CLK_LOCAL_MEM_FENCE); }

/* clang's built-in declaration has the list in the generic address space, its header in the private one. */
void vl_wait_group_events(int count, __private event_t *list) __asm__("_Z17wait_group_eventsiPU9CLgeneric9ocl_event");
__attribute__((always_inline, convergent)) void vl_wait_group_events(int count, __private event_t *list) { barrier(CLK_LOCAL_MEM_FENCE); }
