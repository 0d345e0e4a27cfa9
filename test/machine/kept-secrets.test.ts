import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepSecretsFile } from '../../app/machine/kept-secrets.ts';
import { fileSecretStore } from '../../app/machine/secrets.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let told: unknown[];
let forget: () => void;
const file = () => join(folder.path, 'secrets.json');
const secrets = () => fileSecretStore(folder.path);
const content = () => JSON.parse(readFileSync(file(), 'utf8'));
beforeEach(async () => {
  folder = temporaryFolder();
  clock = new ManualClock(0);
  told = [];
  await secrets().set('bridge_token', 'of-before');
  forget = keepSecretsFile(folder.path, { clock, onAgain: (error) => told.push(error) });
});
afterEach(() => {
  forget();
  folder.remove();
});

it('writes secrets.json again that was deleted, with what was changed since the start, for this user alone', async () => {
  await secrets().set('api_key.production', 'set-at-the-till');
  rmSync(file());
  clock.advance(minuteMs);
  expect(content()).toEqual({ bridge_token: 'of-before', 'api_key.production': 'set-at-the-till' });
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600);
  clock.advance(5 * minuteMs);
  expect(told).toEqual([null]);
});

it('knows what somebody has written into it meanwhile', async () => {
  writeFileSync(file(), '{"bridge_token":"of-somebody"}', { mode: 0o600 });
  expect(await secrets().get('bridge_token')).toBe('of-somebody');
  rmSync(file());
  clock.advance(minuteMs);
  expect(content()).toEqual({ bridge_token: 'of-somebody' });
});

it('a change in the minute before loses nothing, and reading makes it again', async () => {
  rmSync(file());
  await secrets().set('people', '2');
  expect(content()).toEqual({ bridge_token: 'of-before', people: '2' });
  rmSync(file());
  expect(await secrets().get('bridge_token')).toBe('of-before');
  expect(existsSync(file())).toBe(true);
});

it('writes it again at the end, and knows nothing afterwards', async () => {
  rmSync(file());
  forget();
  expect(content()).toEqual({ bridge_token: 'of-before' });
  rmSync(file());
  clock.advance(minuteMs);
  expect(await secrets().get('bridge_token')).toBeNull();
  expect(existsSync(file())).toBe(false);
});

it('writes nothing into the place of another file, nor into a folder that is gone', () => {
  rmSync(file());
  mkdirSync(file());
  clock.advance(minuteMs);
  expect(statSync(file()).isDirectory()).toBe(true);
  rmSync(folder.path, { recursive: true });
  clock.advance(minuteMs);
  forget();
  expect(existsSync(folder.path)).toBe(false);
  expect(told).toEqual([]);
});

it('of a damaged or emptied one it says to move it away, and then writes it again', async () => {
  for (const damaged of ['', '{"bridge_token":', '[]']) {
    writeFileSync(file(), damaged, { mode: 0o600 });
    await expect(secrets().get('bridge_token')).rejects.toThrow(
      'Correct the file. Where an agent runs, do not end it: move the file away, and the agent writes its own copy again within a minute. If you delete it while none runs, POS programs need new tokens',
    );
    clock.advance(minuteMs);
    expect(readFileSync(file(), 'utf8')).toBe(damaged);
    renameSync(file(), `${file()}.damaged`);
    clock.advance(minuteMs);
    expect(content()).toEqual({ bridge_token: 'of-before' });
  }
});

it('tells once that it cannot be written, goes on with what it knows, and tries again', async () => {
  rmSync(file());
  const inTheWay = `${file()}.${process.pid}.new`;
  mkdirSync(inTheWay);
  clock.advance(3 * minuteMs);
  expect(told).toEqual([expect.any(Error)]);
  expect(await secrets().get('bridge_token')).toBe('of-before');
  rmSync(inTheWay, { recursive: true });
  clock.advance(minuteMs);
  expect([told.length, content()]).toEqual([2, { bridge_token: 'of-before' }]);
});
