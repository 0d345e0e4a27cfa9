import { describe, expect, it } from 'vitest';
import { HeldFileError, HoldWait } from '../../app/machine/held-files.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: no, open 'x'`), { code });

/** A machine whose time passes with pauses alone. */
function machine(platform: NodeJS.Platform) {
  let nowMs = 0;
  const wait = new HoldWait({
    platform: () => platform,
    monotonicMs: () => nowMs,
    pause: (ms) => {
      nowMs += ms;
    },
  });
  return {
    wait,
    nowMs: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Fails until that time. */
    heldUntil: (atMs: number, code = 'EBUSY') => {
      if (nowMs < atMs) throw failure(code);
      return 'done';
    },
  };
}

describe('a file that another program holds', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_IOERR_LOCK'])(
    'is waited for on Windows: %s',
    (code) => {
      const { wait, heldUntil, nowMs } = machine('win32');
      expect(wait.during('C:\\till\\agent.json', () => heldUntil(1_000, code))).toBe('done');
      expect(nowMs()).toBeGreaterThanOrEqual(1_000);
      expect(nowMs()).toBeLessThan(1_300);
    },
  );

  it('is given up after some seconds, with one line that names it and says what to do', () => {
    const { wait, heldUntil, nowMs } = machine('win32');
    const path = 'C:\\till\\agent.json';
    const act = () => wait.during(path, () => heldUntil(60_000));
    expect(act).toThrow(HeldFileError);
    expect(nowMs()).toBeLessThan(3_500);
    expect(act).toThrow(/^C:\\till\\agent\.json cannot be used \(EBUSY\)\. .*Exclude the data folder from scans.*$/);
  });

  it('is not waited for again at once, and another one is', () => {
    const { wait, heldUntil, nowMs, pass } = machine('win32');
    const one = () => wait.during('one', () => heldUntil(90_000));
    expect(one).toThrow(HeldFileError);
    const gaveUpAtMs = nowMs();
    expect(one).toThrow(HeldFileError);
    expect(nowMs()).toBe(gaveUpAtMs);
    expect(wait.during('two', () => heldUntil(gaveUpAtMs + 500))).toBe('done');
    pass(30_000);
    const laterMs = nowMs();
    expect(one).toThrow(HeldFileError);
    expect(nowMs()).toBeGreaterThan(laterMs + 2_000);
  });

  it('is not waited for twice when a part of the work has waited for it', () => {
    const { wait, heldUntil, nowMs } = machine('win32');
    expect(() => wait.during('all', () => wait.during('part', () => heldUntil(60_000)))).toThrow(/^part /);
    expect(nowMs()).toBeLessThan(3_500);
  });
});

describe('an error that lasts', () => {
  it.each(['ENOENT', 'ENOSPC', 'EISDIR', 'SQLITE_BUSY', 'SQLITE_CORRUPT', 'SQLITE_IOERR_READ'])(
    'is told at once on Windows: %s',
    (code) => {
      const { wait, heldUntil, nowMs } = machine('win32');
      expect(() => wait.during('file', () => heldUntil(60_000, code))).toThrow(`${code}: no`);
      expect(nowMs()).toBe(0);
    },
  );

  it.each(['linux', 'darwin'] as const)(
    'is told at once on %s, where no right is no right a second later',
    (platform) => {
      for (const code of ['EPERM', 'EACCES', 'EBUSY', 'SQLITE_CANTOPEN']) {
        const { wait, heldUntil, nowMs } = machine(platform);
        expect(() => wait.during('file', () => heldUntil(60_000, code))).toThrow(`${code}: no`);
        expect(nowMs()).toBe(0);
      }
    },
  );
});
