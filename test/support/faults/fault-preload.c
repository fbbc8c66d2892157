/*
 * Loaded with LD_PRELOAD before git and node alike: counts what a whole tree of processes changes of files below a
 * directory, and at the n-th has the call fail or kills everybody. The count is shared through a mapped file.
 *   FAULT_UNDER     directory     FAULT_COUNT  file of one 64 bit number
 *   FAULT_AT        n, from 1     FAULT_ERRNO  number: fails with it; 0: SIGKILL to the process group
 *   FAULT_FOR_GOOD  1: every call from the n-th on fails
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *under;
static _Atomic long *count;
static long at, forGood;
static int error;

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("FAULT_COUNT"), *n = getenv("FAULT_AT"), *code = getenv("FAULT_ERRNO");
  under = getenv("FAULT_UNDER");
  if (under == NULL || file == NULL || n == NULL || code == NULL) return;
  at = atol(n);
  error = atoi(code);
  forGood = getenv("FAULT_FOR_GOOD") != NULL;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *place = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (place != MAP_FAILED) count = place;
}

/* One fault point: is this call to fail? */
static int reached(void) {
  long n = atomic_fetch_add(count, 1) + 1;
  if (n != at && !(forGood && at > 0 && n > at)) return 0;
  if (error == 0) {
    kill(0, SIGKILL);
    pause();
  }
  errno = error;
  return 1;
}

static int isUnder(const char *path) { return strncmp(path, under, strlen(under)) == 0; }

static int countsPath(int directory, const char *path) {
  char base[PATH_MAX], link[64];
  if (count == NULL || path == NULL) return 0;
  if (path[0] == '/') return isUnder(path);
  snprintf(link, sizeof link, directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", directory);
  ssize_t length = readlink(link, base, sizeof base - 1);
  if (length < 0) return 0;
  base[length] = 0;
  return isUnder(base);
}

static int countsOpen(int fd) {
  struct stat stat;
  return count != NULL && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && countsPath(fd, ".");
}

/* Removing needs no space: it fails on a disk that is broken or read-only alone. */
static int failsRemoval(void) { return error != ENOSPC; }

#define REAL(name) static typeof(&name) real; if (real == NULL) real = (typeof(&name))dlsym(RTLD_NEXT, #name)
#define ON_FILE(name, parameters, call) ssize_t name parameters { REAL(name); return countsOpen(fd) && reached() ? -1 : real call; }
#define ON_PATH(name, parameters, directory, path, call) int name parameters { REAL(name); return countsPath(directory, path) && reached() ? -1 : real call; }
#define REMOVAL(name, parameters, directory, path, call) int name parameters { REAL(name); return failsRemoval() && countsPath(directory, path) && reached() ? -1 : real call; }

ON_FILE(write, (int fd, const void *data, size_t size), (fd, data, size))
ON_FILE(pwrite, (int fd, const void *data, size_t size, off_t from), (fd, data, size, from))
ON_FILE(pwrite64, (int fd, const void *data, size_t size, off64_t from), (fd, data, size, from))
ON_FILE(writev, (int fd, const struct iovec *parts, int number), (fd, parts, number))
int fsync(int fd) { REAL(fsync); return countsOpen(fd) && reached() ? -1 : real(fd); }
int fdatasync(int fd) { REAL(fdatasync); return countsOpen(fd) && reached() ? -1 : real(fd); }
int ftruncate(int fd, off_t size) { REAL(ftruncate); return countsOpen(fd) && reached() ? -1 : real(fd, size); }
int ftruncate64(int fd, off64_t size) { REAL(ftruncate64); return countsOpen(fd) && reached() ? -1 : real(fd, size); }
ON_PATH(mkdir, (const char *path, mode_t mode), AT_FDCWD, path, (path, mode))
ON_PATH(mkdirat, (int directory, const char *path, mode_t mode), directory, path, (directory, path, mode))
ON_PATH(rename, (const char *from, const char *to), AT_FDCWD, to, (from, to))
ON_PATH(renameat, (int a, const char *from, int b, const char *to), b, to, (a, from, b, to))
ON_PATH(link, (const char *from, const char *to), AT_FDCWD, to, (from, to))
ON_PATH(linkat, (int a, const char *from, int b, const char *to, int flags), b, to, (a, from, b, to, flags))
REMOVAL(unlink, (const char *path), AT_FDCWD, path, (path))
REMOVAL(unlinkat, (int directory, const char *path, int flags), directory, path, (directory, path, flags))
REMOVAL(rmdir, (const char *path), AT_FDCWD, path, (path))

#define OPENS(name, parameters, directory, last, call)                                                     \
  int name parameters {                                                                                    \
    REAL(name);                                                                                            \
    mode_t mode = 0;                                                                                       \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                   \
      va_list rest;                                                                                        \
      va_start(rest, last);                                                                                \
      mode = va_arg(rest, mode_t);                                                                         \
      va_end(rest);                                                                                        \
    }                                                                                                      \
    return (flags & (O_CREAT | O_WRONLY | O_RDWR)) && countsPath(directory, path) && reached() ? -1 : real call; \
  }
OPENS(open, (const char *path, int flags, ...), AT_FDCWD, flags, (path, flags, mode))
OPENS(open64, (const char *path, int flags, ...), AT_FDCWD, flags, (path, flags, mode))
OPENS(openat, (int directory, const char *path, int flags, ...), directory, flags, (directory, path, flags, mode))
OPENS(openat64, (int directory, const char *path, int flags, ...), directory, flags, (directory, path, flags, mode))
