import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lateFileLog } from '../../app/machine/late-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'late-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes what was told before it was loaded, in its order, and then each line at once', async () => {
  const path = join(folder, 'agent.log');
  const log = lateFileLog(path);
  log.warn({ number: 1 }, 'first');
  log.error({ number: 2, token: 'secret' }, 'second');
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('second');
  log.info({ number: 3 }, 'third');
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: 40, number: 1, msg: 'first' },
    { level: 50, number: 2, token: '[removed]', msg: 'second' },
    { level: 30, number: 3, msg: 'third' },
  ]);
});

it('stops nobody when it cannot be written', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const log = lateFileLog(join(file, 'agent.log'));
  log.info({}, 'lost');
  await import('../../app/machine/log.ts');
  log.info({}, 'lost too');
});
