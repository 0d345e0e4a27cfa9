import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepSecretsFile } from '../../app/machine/kept-secrets.ts';
import { fileSecretStore, SecretsError } from '../../app/machine/secrets.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let told: unknown[];
let anothersTold: number;
let forget: () => void;
const file = () => join(folder.path, 'secrets.json');
const secrets = () => fileSecretStore(folder.path);
const content = () => JSON.parse(readFileSync(file(), 'utf8'));
beforeEach(async () => {
  folder = temporaryFolder();
  clock = new ManualClock(0);
  told = [];
  await secrets().set('bridge_token', 'of-before');
  anothersTold = 0;
  forget = keepSecretsFile(folder.path, {
    clock,
    onAgain: (error) => told.push(error),
    onAnothers() {
      anothersTold += 1;
    },
  });
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

it('reads what somebody has written into it meanwhile, and still writes its own again', async () => {
  await secrets().set('till_key', 'own');
  writeFileSync(file(), '{"bridge_token":"of-somebody","till_key":"own"}', { mode: 0o600 });
  expect(await secrets().get('bridge_token')).toBe('of-somebody');
  rmSync(file());
  clock.advance(minuteMs);
  expect(content()).toEqual({ bridge_token: 'of-before', till_key: 'own' });
  expect(anothersTold).toBe(0);
});

it.each([
  ['another till', '{"bridge_token":"of-another","till_key":"anothers"}'],
  ['nobody', '{}'],
])('believes no file of %s, leaves it as it is, tells it once, and writes its own again', async (_, anothers) => {
  await secrets().set('till_key', 'own');
  writeFileSync(file(), anothers, { mode: 0o600 });
  await expect(secrets().get('bridge_token')).rejects.toThrow(
    'move the file away, and the agent writes its own copy again within a minute',
  );
  await expect(secrets().set('people', '2')).rejects.toThrow(SecretsError);
  clock.advance(3 * minuteMs);
  expect([anothersTold, readFileSync(file(), 'utf8')]).toEqual([1, anothers]);
  rmSync(file());
  expect(await secrets().get('bridge_token')).toBe('of-before');
  expect(content()).toEqual({ bridge_token: 'of-before', till_key: 'own' });
  clock.advance(minuteMs);
  writeFileSync(file(), anothers, { mode: 0o600 });
  clock.advance(2 * minuteMs);
  expect(anothersTold).toBe(2);
  // With no agent it is the till's, as whoever put it there wants it.
  forget();
  await secrets().set('people', '2');
  expect(content()).toEqual({ ...JSON.parse(anothers), people: '2' });
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
