import type { Log } from './log.ts';

/**
 * A log in files (see createFileLog) that is loaded with the first line, so that no start waits for it. What is told until
 * then is written in its order, with the time of the writing.
 */
export function lateFileLog(path: string): Log {
  let log: Log | null = null;
  const waiting: ((log: Log) => void)[] = [];

  function tell(line: (log: Log) => void): void {
    if (log !== null) {
      line(log);
      return;
    }
    waiting.push(line);
    if (waiting.length === 1) void open();
  }

  async function open(): Promise<void> {
    try {
      const { createFileLog } = await import('./log.ts');
      log = createFileLog(path);
    } catch {
      // A log that cannot be written stops nothing; the next line tries again.
      waiting.length = 0;
      return;
    }
    for (const line of waiting.splice(0)) line(log);
  }

  return {
    debug: (facts, message) => tell((to) => to.debug(facts, message)),
    info: (facts, message) => tell((to) => to.info(facts, message)),
    warn: (facts, message) => tell((to) => to.warn(facts, message)),
    error: (facts, message) => tell((to) => to.error(facts, message)),
  };
}
