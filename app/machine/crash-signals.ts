/** How a process dies of what it has read or reckoned: of a damaged page, for one. */
export const faultSignals: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT']);

/** How a program crashes. By SIGTRAP Chromium ends itself, also for want of memory: that tells nothing of what it has read. */
export const crashSignals: ReadonlySet<string> = new Set([...faultSignals, 'SIGTRAP']);
