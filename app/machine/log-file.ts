import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from './files.ts';

/**
 * A file that is put aside when it is full: `agent.log`, then `agent.log.1`, and so on. A full or broken disk costs log
 * lines, never a sale: what cannot be written is dropped.
 *
 * @param limits `keptFiles` counts the one being written
 */
export function rollingFile(
  path: string,
  limits: { readonly maxBytes: number; readonly keptFiles: number },
): { write(line: string): void } {
  let file: number | null = null;
  let byteCount = 0;

  function open(): number {
    makePrivateFolder(dirname(path));
    const opened = openSync(path, 'a', 0o600);
    byteCount = fstatSync(opened).size;
    return opened;
  }

  function roll(current: number): void {
    closeSync(current);
    file = null;
    for (let place = limits.keptFiles - 1; place >= 1; place -= 1) {
      const older = place === 1 ? path : `${path}.${place - 1}`;
      try {
        renameSync(older, `${path}.${place}`);
      } catch {
        // That many are not there yet.
      }
    }
  }

  return {
    write(line) {
      try {
        file ??= open();
        byteCount += writeSync(file, line);
        if (byteCount >= limits.maxBytes) roll(file);
      } catch {
        // See above: a log that cannot be written stops nothing.
      }
    },
  };
}
