import { app, crashReporter } from 'electron';
import { boundCrashDumps, crashDir } from '../app/machine/crash-dumps.ts';
import type { Log } from '../app/machine/log.ts';

/**
 * Makes a crashing process of this app leave a minidump in the data folder, which is sent nowhere. Must run before
 * anything else starts.
 */
export function keepCrashDumps(dataDir: string): void {
  app.setPath('crashDumps', crashDir(dataDir));
  crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: true });
}

/** How long the log may take to be written before the app ends. The log is loaded with its first line. */
const logGraceMs = 200;

/**
 * Ends the app after an error that nothing caught, because its state is unknown then, and everything of value is on the
 * disk. The log has the error, and a minidump is left.
 */
export function endByUncaught(log: () => Log | null): void {
  const end = (error: unknown): void => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`Tillbridge ends by an error of its own. Saved sales are safe.\n${words}\n`);
    log()?.error({ error }, 'The app ends by an error that nobody has caught');
    setTimeout(() => process.crash(), logGraceMs);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', (error) => log()?.error({ error }, 'Nobody has waited for something that failed'));
}

/** Deletes surplus dumps now, and after each crash: a page that crashes again and again would fill the disk. */
export function boundDumps(dataDir: string, log: () => Log | null): void {
  const bound = (): void => {
    try {
      const deleted = boundCrashDumps(dataDir);
      if (deleted > 0) log()?.info({ deleted }, 'Old crash dumps were deleted');
    } catch (error) {
      log()?.warn({ error }, 'Old crash dumps could not be deleted');
    }
  };
  bound();
  app.on('render-process-gone', bound);
  app.on('child-process-gone', bound);
}
