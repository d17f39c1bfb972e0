/* The machine of a context. libvellum's device is used by one thread at a time: threads wait for their turn, in the order in which they ask, so that a thread
 * that makes a buffer is not starved by a worker with a long list of commands. */
#include "sw/opencl/vcl.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int progress(void *user, const vl_progress *p)
{
    vcl_machine *m = user;
    vcl_report_progress(m, p);
    return m->stop;
}

static void notice(void *user, const char *text)
{
    (void)user;
    vcl_note("%s", text);
}

/* A kernel's output is there when its event has ended. */
static void print(void *user, const char *text, size_t bytes)
{
    (void)user;
    fwrite(text, 1, bytes, stdout);
    fflush(stdout);
}

int vcl_set_policies(vl_device *dev, vl_error *err)
{
    char *const *words = vcl_get_settings()->policies;
    for (size_t i = 0; words && words[i]; i++) {
        const size_t name = strcspn(words[i], "=");
        for (size_t j = 0; j < i; j++)
            if (strcspn(words[j], "=") == name && !strncmp(words[i], words[j], name)) {
                snprintf(err->text, sizeof err->text, "VELLUM_SET: policy %.*s is set twice", (int)name, words[i]);
                return VL_EINVAL;
            }
        const int e = vl_set_policy_word(dev, words[i]);
        if (e) {
            snprintf(err->text, sizeof err->text, "VELLUM_SET: %s", vl_detail(dev));
            return e;
        }
    }
    return 0;
}

int vcl_machine_open(vcl_machine *m, vl_error *err)
{
    const vcl_settings *s = vcl_get_settings();
    const vl_options options = {.root = s->root, .notice = notice, .memory = vcl_get_facts()->memory};
    int e = vl_open(&m->dev, s->config, s->backend, &options, err);
    if (e)
        return e;
    e = vcl_set_policies(m->dev, err);
    if (!e && s->checks && (e = vl_check_buffers(m->dev, true)))
        snprintf(err->text, sizeof err->text, "VELLUM_CHECK_BUFFERS: %s", vl_detail(m->dev));
    if (e) {
        vl_close(m->dev);
        m->dev = NULL;
        return e;
    }
    vl_set_max_cycles(m->dev, s->max_cycles);
    vl_set_progress(m->dev, progress, m);
    vl_set_back_door(m->dev, s->back_door);
    vl_set_print(m->dev, print, NULL, VCL_PRINTF_BYTES);
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->turn, NULL);
    return 0;
}

void vcl_machine_close(vcl_machine *m)
{
    if (!m->dev)
        return;
    vl_close(m->dev);
    m->dev = NULL;
    pthread_mutex_destroy(&m->mutex);
    pthread_cond_destroy(&m->turn);
}

void vcl_machine_take(vcl_machine *m)
{
    pthread_mutex_lock(&m->mutex);
    const uint64_t mine = m->next++;
    while (m->serving != mine)
        pthread_cond_wait(&m->turn, &m->mutex);
    pthread_mutex_unlock(&m->mutex);
}

void vcl_machine_give(vcl_machine *m)
{
    pthread_mutex_lock(&m->mutex);
    m->serving++;
    pthread_cond_broadcast(&m->turn);
    pthread_mutex_unlock(&m->mutex);
}

uint64_t vcl_cycles_ns(uint64_t cycles)
{
    return (uint64_t)((__uint128_t)cycles * 1000000 / vcl_get_facts()->clock_khz);
}

uint64_t vcl_machine_now(vcl_machine *m)
{
    uint64_t cycles, ns;
    if (!vl_now(m->dev, &cycles)) {
        ns = vcl_cycles_ns(cycles);
    } else { /* an untimed machine: the host's time */
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    }
    m->now_ns = ns;
    return ns;
}

/* Sources were compiled in a folder that is gone: they are named without it. */
static void name_sources(char *text)
{
    static const char folder[] = "vellumcl.";
    for (char *p; (p = strstr(text, folder));) {
        const char *end = strchr(p, '/');
        while (p > text && p[-1] != ' ')
            p--;
        if (!end || strcspn(p, " ") < (size_t)(end - p))
            return;
        memmove(p, end + 1, strlen(end + 1) + 1);
    }
}

cl_int vcl_machine_result(vcl_machine *m, const char *what, int vl_code)
{
    if (!vl_code)
        return CL_SUCCESS;
    char why[2000];
    snprintf(why, sizeof why, "%s", *vl_detail(m->dev) ? vl_detail(m->dev) : vl_strerror(vl_code));
    name_sources(why);
    if (vl_code == VL_EFAULT || vl_code == VL_EDIFF || vl_code == VL_ELIMIT || vl_code == VL_EINTR
        || vl_code == VL_EDEAD) {
        snprintf(m->why, sizeof m->why, "%s: %.1000s", what, why);
        m->dead = true;
    }
    return vcl_fail(what, vcl_code_of(vl_code, CL_OUT_OF_RESOURCES), "%s", why);
}
