import { utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { draftIn } from '../../app/store/copies/backup-draft.ts';
import { temporaryFolder } from '../support/core-rows.ts';

/** For how long the machine has been running. */
const machine = vi.hoisted(() => ({ uptimeSeconds: 0 }));
vi.mock(import('node:os'), async (original) => ({ ...(await original()), uptime: () => machine.uptimeSeconds }));

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it.each([
  ['as Windows and macOS have it', `a.backup.till_0123456789abcdef.${process.pid}-.part`],
  ['as an earlier version left it', `a.backup.${process.pid}.part`],
])('half a backup (%s) is not written by the process that has its number since the machine was started', (_, name) => {
  const draft = folder.file(name);
  writeFileSync(draft, 'half');
  // A copy of a file keeps its time on these systems.
  utimesSync(draft, 0, 0);
  machine.uptimeSeconds = 60;
  expect(draftIn(draft)).toMatchObject({ isWritten: true });
  // Started a minute after that.
  machine.uptimeSeconds = -60;
  expect(draftIn(draft)).toMatchObject({ isWritten: false });
});

it('half a backup on a disk that keeps one time only is written where that is after the start of the machine', () => {
  const draft = folder.file(`a.backup.till_0123456789abcdef.${process.pid}-.part`);
  writeFileSync(draft, 'half');
  const inAMinute = Date.now() / 1_000 + 60;
  utimesSync(draft, inAMinute, inAMinute);
  machine.uptimeSeconds = -30;
  expect(draftIn(draft)).toMatchObject({ isWritten: true });
});
