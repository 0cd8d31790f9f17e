/* Lets the n-th operation on a file of one folder fail: with EIO, and where something is written with ENOSPC. Loaded
 * before the C library by LD_PRELOAD. XS2A_FAIL_FOLDER: the folder; XS2A_FAIL_NTH: n, from 1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long operations;

static int is_inside(const char *path) {
    const char *folder = getenv("XS2A_FAIL_FOLDER");
    return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_file_inside(int file) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length < 0) {
        return 0;
    }
    path[length] = '\0';
    return is_inside(path);
}

static int fails(int error) {
    const char *nth = getenv("XS2A_FAIL_NTH");
    if (nth == NULL || ++operations != atol(nth)) {
        return 0;
    }
    fprintf(stderr, "failed\n");
    errno = error;
    return 1;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;                                   \
        va_end(arguments);                                                                                             \
        int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);                                                 \
        return is_inside(path) && fails(EIO) ? -1 : next(path, flags, mode);                                           \
    }

#define ON_FILE(type, name, error, parameters, ...)                                                                    \
    type name parameters {                                                                                             \
        type(*next) parameters = dlsym(RTLD_NEXT, #name);                                                              \
        return is_file_inside(file) && fails(error) ? -1 : next(__VA_ARGS__);                                          \
    }

OPEN(open)
OPEN(open64)
ON_FILE(ssize_t, read, EIO, (int file, void *to, size_t size), file, to, size)
ON_FILE(ssize_t, pread, EIO, (int file, void *to, size_t size, off_t at), file, to, size, at)
ON_FILE(ssize_t, pread64, EIO, (int file, void *to, size_t size, off64_t at), file, to, size, at)
ON_FILE(ssize_t, write, ENOSPC, (int file, const void *from, size_t size), file, from, size)
ON_FILE(ssize_t, pwrite, ENOSPC, (int file, const void *from, size_t size, off_t at), file, from, size, at)
ON_FILE(ssize_t, pwrite64, ENOSPC, (int file, const void *from, size_t size, off64_t at), file, from, size, at)
ON_FILE(int, ftruncate, ENOSPC, (int file, off_t size), file, size)
ON_FILE(int, ftruncate64, ENOSPC, (int file, off64_t size), file, size)
ON_FILE(int, fsync, EIO, (int file), file)
ON_FILE(int, fdatasync, EIO, (int file), file)

int unlink(const char *path) {
    int (*next)(const char *) = dlsym(RTLD_NEXT, "unlink");
    return is_inside(path) && fails(EIO) ? -1 : next(path);
}
