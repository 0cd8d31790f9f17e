#include "upkeep.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "log.h"

// Another node may have made something due: no thread sleeps longer than this.
static const double SLEEP_SECONDS_MAX = 30;
// What is due and could not be delivered at once is being delivered by another node.
static const double SLEEP_SECONDS_MIN = 1;
static const double SLEEP_SECONDS_AFTER_FAILURE = 5;

struct upkeep {
    const xs2a_engine *engine;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_woken, is_stopping;
};

// `2026-09-01T10:00:00.250000Z` as seconds since 1970. False: it is no such text.
static bool seconds_of(xs2a_str utc, double *seconds) {
    char copy[48];
    struct tm tm = {0};
    double second = 0;
    if (utc.len >= sizeof copy) return false;
    snprintf(copy, sizeof copy, "%.*s", (int)utc.len, utc.data);
    int read = sscanf(copy, "%d-%d-%dT%d:%d:%lf", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min,
                      &second);
    if (read != 6) return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    *seconds = (double)timegm(&tm) + second;
    return true;
}

bool upkeep_overdue(const xs2a_engine *engine, double *seconds) {
    xs2a_text *due = NULL;
    xs2a_error *error = NULL;
    struct timespec now;
    *seconds = -SLEEP_SECONDS_MAX;
    if (xs2a_engine_next_due(engine, &due, &error) != XS2A_OK) {
        log_error("gateway::upkeep", "the next due time is unknown", &error);
        return false;
    }
    if (due == NULL) return true;
    double at = 0;
    bool is_read = seconds_of(xs2a_text_str(due), &at) && clock_gettime(CLOCK_REALTIME, &now) == 0;
    xs2a_text_free(due);
    if (is_read) *seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - at;
    return is_read;
}

// Delivers, and returns how long to sleep after that.
static double run_once(const xs2a_engine *engine) {
    xs2a_text *report = NULL;
    xs2a_error *error = NULL;
    if (xs2a_engine_run_due(engine, &report, &error) != XS2A_OK) {
        log_error("gateway::upkeep", "nothing can be delivered", &error);
        return SLEEP_SECONDS_AFTER_FAILURE;
    }
    xs2a_str counts = xs2a_text_str(report);
    if (!str_is(counts, "{\"submitted\":0,\"withdrawn\":0,\"failed\":0,\"deadLetters\":0}")) {
        log_line("info", "gateway::upkeep", "delivered %.*s", (int)counts.len, counts.data);
    }
    xs2a_text_free(report);
    double overdue = 0;
    if (!upkeep_overdue(engine, &overdue)) return SLEEP_SECONDS_AFTER_FAILURE;
    if (-overdue > SLEEP_SECONDS_MAX) return SLEEP_SECONDS_MAX;
    return -overdue < SLEEP_SECONDS_MIN ? SLEEP_SECONDS_MIN : -overdue;
}

static void *run(void *argument) {
    upkeep *upkeep = argument;
    for (bool is_stopping = false; !is_stopping;) {
        double seconds = run_once(upkeep->engine);
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += (time_t)seconds;
        until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_mutex_lock(&upkeep->lock);
        int waited = 0;
        while (!upkeep->is_woken && !upkeep->is_stopping && waited == 0) {
            waited = pthread_cond_timedwait(&upkeep->changed, &upkeep->lock, &until);
        }
        upkeep->is_woken = false;
        is_stopping = upkeep->is_stopping;
        pthread_mutex_unlock(&upkeep->lock);
    }
    return NULL;
}

upkeep *upkeep_start(const xs2a_engine *engine) {
    upkeep *upkeep = calloc(1, sizeof *upkeep);
    pthread_condattr_t monotonic;
    if (upkeep == NULL) return NULL;
    upkeep->engine = engine;
    pthread_mutex_init(&upkeep->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&upkeep->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&upkeep->thread, NULL, run, upkeep) == 0) return upkeep;
    pthread_cond_destroy(&upkeep->changed);
    pthread_mutex_destroy(&upkeep->lock);
    free(upkeep);
    return NULL;
}

static void notify(upkeep *upkeep, bool *what) {
    pthread_mutex_lock(&upkeep->lock);
    *what = true;
    pthread_cond_signal(&upkeep->changed);
    pthread_mutex_unlock(&upkeep->lock);
}

void upkeep_wake(upkeep *upkeep) {
    if (upkeep != NULL) notify(upkeep, &upkeep->is_woken);
}

void upkeep_stop(upkeep *upkeep) {
    if (upkeep == NULL) return;
    notify(upkeep, &upkeep->is_stopping);
    pthread_join(upkeep->thread, NULL);
    pthread_cond_destroy(&upkeep->changed);
    pthread_mutex_destroy(&upkeep->lock);
    free(upkeep);
}
