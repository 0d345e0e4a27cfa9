import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';

/** Tells where a database lives: machine, path and file. A copy, a restore or a clone differs in at least one. */
export function placeOf(path: string): string {
  const { ino, birthtimeMs } = statSync(path);
  const facts = [machineId(), hostname(), resolve(path), String(ino), String(birthtimeMs)];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 32);
}

function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return '';
  }
}
