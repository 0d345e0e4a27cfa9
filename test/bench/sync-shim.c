/*
 * Loaded with LD_PRELOAD: counts what a process makes durable, and can make its disk slow.
 *
 *   SYNC_SHIM_COUNTER   a file of 8 bytes; the number of syncs is kept in it, in this machine's byte order
 *   SYNC_SHIM_DELAY_MS  added to every sync, as a cheap till disk would
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static uint64_t *counter;
static long delay_ms;

__attribute__((constructor)) static void start(void) {
  real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  const char *delay = getenv("SYNC_SHIM_DELAY_MS");
  if (delay != NULL) delay_ms = strtol(delay, NULL, 10);
  const char *path = getenv("SYNC_SHIM_COUNTER");
  if (path == NULL) return;
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (ftruncate(file, sizeof *counter) == 0) {
    void *page = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) counter = page;
  }
  close(file);
}

static int slowed(int result) {
  if (counter != NULL) __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
  if (delay_ms > 0) {
    struct timespec wait = {.tv_sec = delay_ms / 1000, .tv_nsec = (delay_ms % 1000) * 1000000L};
    nanosleep(&wait, NULL);
  }
  return result;
}

int fsync(int file) { return slowed(real_fsync(file)); }
int fdatasync(int file) { return slowed(real_fdatasync(file)); }
