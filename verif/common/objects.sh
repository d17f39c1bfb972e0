# Sourced by tests that link planted sources. objects SOURCE...: where the sanitized build has what they become. Of sources, since an object stays behind when its source has gone.
objects() { local c; for c; do echo "build/san/${c%.c}.o"; done; }
of_runtime=(sw/runtime/*.c sim_c/ref/{amo,csr,fp,group,kernel,mem,run,step,translate}.c build/gen/isa_gen.c)
