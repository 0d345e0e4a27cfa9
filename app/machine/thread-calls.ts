/** What threads of this process ask the file system: a share that hangs never answers. */
const underWay = new Set<Promise<unknown>>();

/** Counts a call that another thread makes of a file system, which may be a share's: see endProcess. */
export function askedAside<Answer>(call: Promise<Answer>): Promise<Answer> {
  underWay.add(call);
  const end = () => void underWay.delete(call);
  call.then(end, end);
  return call;
}

/**
 * Ends this process. Node's own way waits for every thread, so for ever while one asks a share that hangs. Then another
 * program takes its place, which ends its threads, and ends with its exit code; where the system has no such way (Windows),
 * the process is ended from outside, and the exit code is lost.
 */
export function endProcess(exitCode: NodeJS.Process['exitCode'] = process.exitCode): void {
  if (underWay.size > 0) {
    if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode ?? 0}`], {});
    process.kill(process.pid, 'SIGKILL');
  }
  process.exit(exitCode);
}
