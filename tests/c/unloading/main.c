// Loads the shared library, uses it in a thread, and closes it before that thread ends.
//
//     unloading LIBRARY

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xs2a_sandbox.h"

typedef xs2a_result new_sandbox(const xs2a_sandbox_options *options, xs2a_sandbox **out, xs2a_error **error);
typedef void free_sandbox(xs2a_sandbox *sandbox);

static new_sandbox *new_one;
static free_sandbox *free_one;
static pthread_barrier_t used, closed;

static void *work(void *unused) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    xs2a_sandbox *sandbox = NULL;
    if (new_one(&options, &sandbox, NULL) != XS2A_OK) exit(3);
    free_one(sandbox);
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&closed);
    return unused;
}

// ISO C knows no way from a pointer to data to one to a function; POSIX says that they have one size.
static void find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    if (!found) exit(2);
    memcpy(function, &found, sizeof found);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    find(library, "xs2a_sandbox_new", &new_one);
    find(library, "xs2a_sandbox_free", &free_one);
    pthread_barrier_init(&used, NULL, 2);
    pthread_barrier_init(&closed, NULL, 2);
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0) return 2;
    pthread_barrier_wait(&used);
    if (dlclose(library) != 0) return 2;
    pthread_barrier_wait(&closed);
    pthread_join(thread, NULL);
    return 0;
}
