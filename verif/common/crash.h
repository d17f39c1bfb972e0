/* A test program that crashes (a signal, or a failed assertion of the RTL, which aborts) prints its seed and the command that runs it again: crash_command(text) sets them before
 * every run, crash_command(NULL) clears them after it. */
#ifndef VL_CRASH_H
#define VL_CRASH_H
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char crash_text[4096];

static inline void crash_handler(int number)
{
    (void)!write(STDOUT_FILENO, crash_text, strlen(crash_text)); /* write is async-signal-safe */
    signal(number, SIG_DFL);
    raise(number);
}

static inline void crash_command(const char *text)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGALRM};
    static int set;
    snprintf(crash_text, sizeof crash_text, "%s", text ? text : "");
    if (!set++) {
        setvbuf(stdout, NULL, _IOLBF, 0); /* line by line, so that earlier output comes before the crash message */
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
            signal(numbers[k], crash_handler);
    }
}
#endif
