import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
process.once('exit', endAll);

/** A program that this one started does not outlive it. */
export function endsWithUs<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** At once: what a goal that broke has left behind would disturb the next one. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
