import { statSync } from 'node:fs';

/** One text that changes when one of the files is written, replaced or removed, or gets other rights. */
export function stampsOf(paths: readonly string[]): string {
  return paths.map(stampOf).join(' ');
}

function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // Other rights change the time of the change alone, on every system.
    return found === undefined ? 'none' : `${found.mtimeMs}/${found.ctimeMs}/${found.size}/${found.ino}`;
  } catch {
    return 'unreadable';
  }
}
