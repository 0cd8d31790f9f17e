#include "upkeep.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "log.h"

// A read may have left evidence, which is due a second later, and another node may have made an order due.
static const time_t SLEEP_SECONDS = 1;
static const time_t SLEEP_SECONDS_AFTER_FAILURE = 5;

struct upkeep {
    const xs2a_engine *engine;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_woken, is_stopping;
};

// Asked before each order: at the end of the process the other orders stay due.
static int32_t goes_on(void *user_data) {
    upkeep *upkeep = user_data;
    pthread_mutex_lock(&upkeep->lock);
    bool is_stopping = upkeep->is_stopping;
    pthread_mutex_unlock(&upkeep->lock);
    return is_stopping ? 0 : 1;
}

// Delivers, and returns how long to sleep after that.
static time_t run_once(upkeep *upkeep) {
    xs2a_run_report report;
    xs2a_error *error = NULL;
    if (xs2a_engine_run_due_while(upkeep->engine, goes_on, upkeep, &report, &error) != XS2A_OK) {
        log_error("error", "gateway::upkeep", "nothing can be delivered", &error);
        return SLEEP_SECONDS_AFTER_FAILURE;
    }
    if (report.submitted + report.withdrawn + report.failed + report.dead_letters > 0) {
        log_line("info", "gateway::upkeep", "submitted=%llu withdrawn=%llu failed=%llu dead_letters=%llu",
                 (unsigned long long)report.submitted, (unsigned long long)report.withdrawn,
                 (unsigned long long)report.failed, (unsigned long long)report.dead_letters);
    }
    return SLEEP_SECONDS;
}

static void *run(void *argument) {
    upkeep *upkeep = argument;
    for (bool is_stopping = false; !is_stopping;) {
        time_t seconds = run_once(upkeep);
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += seconds;
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
