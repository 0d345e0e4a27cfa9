import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findRunningAgent, tellRunningAgent } from '../../app/http/running-agent.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let forget: () => void;
let failures: unknown[];
beforeEach(() => {
  folder = temporaryFolder();
  clock = new ManualClock(0);
  failures = [];
  forget = tellRunningAgent(folder.path, { port: 4_000, pid: 1 }, { clock, onFailed: (error) => failures.push(error) });
});
afterEach(() => {
  forget();
  folder.remove();
});

const file = () => join(folder.path, 'agent.json');
const readAtMs = (path: string) => statSync(path).atimeMs;

it('is found in its own folder, also as an older version told it, and in no copy of the folder', () => {
  const told = readFileSync(file(), 'utf8');
  expect(findRunningAgent(folder.path)).toMatchObject({ port: 4_000, pid: 1 });
  const copy = join(folder.path, 'copy');
  mkdirSync(copy);
  writeFileSync(join(copy, 'agent.json'), told);
  expect(findRunningAgent(copy)).toBeNull();
  writeFileSync(join(copy, 'agent.json'), JSON.stringify({ port: 4_000, pid: 1 }));
  expect(findRunningAgent(copy)).toEqual({ port: 4_000, pid: 1 });
});

it('does not read agent.json again while nobody has touched it: a till at rest writes nothing', async ({ skip }) => {
  const other = join(folder.path, 'other.json');
  writeFileSync(other, '{}');
  const [before, otherBefore] = [readAtMs(file()), readAtMs(other)];
  await sleep(50);
  clock.advance(minuteMs);
  readFileSync(other);
  if (readAtMs(other) === otherBefore) skip('this file system keeps no times of reading');
  expect(readAtMs(file())).toBe(before);
});

it('writes agent.json again when other text of the same length stands there', () => {
  const told = readFileSync(file(), 'utf8');
  writeFileSync(file(), told.replace('4000', '4001'));
  clock.advance(minuteMs);
  expect(readFileSync(file(), 'utf8')).toBe(told);
});

it('leaves a folder in the place of agent.json alone when it ends', () => {
  rmSync(file());
  mkdirSync(file());
  forget();
  expect(statSync(file()).isDirectory()).toBe(true);
});

it('tells once that a folder stands in the place of agent.json, and writes it when that is gone', () => {
  const told = readFileSync(file(), 'utf8');
  rmSync(file());
  mkdirSync(file());
  clock.advance(3 * minuteMs);
  expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining('is a folder') })]);
  rmSync(file(), { recursive: true });
  clock.advance(minuteMs);
  expect(readFileSync(file(), 'utf8')).toBe(told);
  expect(failures).toHaveLength(1);
});
