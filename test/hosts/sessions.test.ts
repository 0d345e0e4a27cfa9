import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeptSession, screenMemory } from '../../app/web/screen-memory.ts';
import { createSessions, type Sessions } from '../../app/web/sessions.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let nowMs: number;
let kept: readonly KeptSession[];
let ended: string[];
let secretCount: number;
let isDiskFull: boolean;
let sessions: Sessions;

beforeEach(() => {
  nowMs = Date.parse('2026-11-22T08:00:00.000Z');
  kept = [];
  ended = [];
  secretCount = 0;
  isDiskFull = false;
  sessions = restart();
});

function restart(key = 'key of the folder'): Sessions {
  return createSessions({
    key,
    newSecret: () => `secret-${++secretCount}`,
    nowMs: () => nowMs,
    kept,
    keep: (now) => {
      if (isDiskFull) throw new Error('The disk is full');
      kept = now;
    },
    onUnkept: (error) => {
      throw error;
    },
    onEnded: (id) => ended.push(id),
  });
}

function newSession(kiosk: string | null): { readonly id: string; readonly secret: string } {
  const token = sessions.newToken(kiosk);
  expect(sessions.open(token)).toBe(true);
  const made = sessions.exchange(token);
  if (made === null) throw new Error('no session');
  return made;
}

describe('a session', () => {
  it.each([null, 'kiosk'])(
    'stays while its page is open, though the machine slept, beside one of %s that is seen first',
    (kiosk) => {
      const [first, other] = [newSession(kiosk), newSession(null)];
      nowMs += 25 * hourMs;
      newSession(null);
      expect([sessions.stays(first.id), sessions.stays(other.id)]).toEqual([true, true]);
      expect(sessions.list().map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, other.id]));
    },
  );

  it('that nobody named ends a day after its screen was last opened, and after 30 days however often it is', () => {
    const { id } = newSession(null);
    nowMs += 23 * hourMs;
    sessions.seen(id);
    nowMs += 23 * hourMs;
    expect(sessions.secretOf(id)).not.toBeNull();
    nowMs += hourMs;
    expect(sessions.secretOf(id)).toBeNull();
    expect(sessions.list()).toEqual([]);
    const often = newSession(null);
    for (let day = 0; day < 40; day += 1) {
      nowMs += 20 * hourMs;
      sessions.seen(often.id);
    }
    expect(sessions.secretOf(often.id)).toBeNull();
  });

  it('that nobody named ends no other one', () => {
    const first = newSession(null);
    newSession(null);
    expect(sessions.secretOf(first.id)).toBe(first.secret);
  });

  it('of a named kiosk is good for 365 days, and takes the place of the one that the kiosk had', () => {
    const first = newSession('counter-1');
    const unnamed = newSession(null);
    const second = newSession('counter-1');
    expect(sessions.secretOf(first.id)).toBeNull();
    expect(sessions.secretOf(unnamed.id)).not.toBeNull();
    expect(ended).toEqual([first.id]);
    nowMs += 364 * dayMs;
    expect(sessions.secretOf(second.id)).toBe(second.secret);
    nowMs += dayMs;
    expect(sessions.secretOf(second.id)).toBeNull();
  });

  it('that could not be ended on the disk is ended there when it is asked for again', () => {
    const { id } = newSession(null);
    isDiskFull = true;
    for (let times = 0; times < 2; times += 1) expect(() => sessions.end(id)).toThrow('The disk is full');
    expect(sessions.secretOf(id)).toBeNull();
    isDiskFull = false;
    expect(sessions.end(id)).toBe(true);
    expect(restart().secretOf(id)).toBeNull();
    expect(sessions.end(id)).toBe(false);
  });

  it('outlives a restart, and ends with the key of its folder', () => {
    const { id, secret } = newSession(null);
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(restart().secretOf(id)).toBe(secret);
    expect(restart('another key').secretOf(id)).not.toBe(secret);
  });
});

describe('the memory of sessions', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sessions-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('keeps each kiosk, and of the other browsers the 16 that were seen last', () => {
    const kiosk = newSession('counter-1');
    const seenAgain = newSession(null);
    const forgotten = newSession(null);
    const others = Array.from({ length: 15 }, () => newSession(null));
    nowMs += 20 * hourMs;
    sessions.seen(seenAgain.id);
    screenMemory(dataDir).keep(7_426, kept);
    kept = screenMemory(dataDir).sessions;
    const later = restart();
    for (const { id, secret } of [kiosk, seenAgain, ...others]) expect(later.secretOf(id)).toBe(secret);
    expect(later.secretOf(forgotten.id)).toBeNull();
    expect(later.list().map(({ id }) => id)).toEqual([kiosk, seenAgain, ...others].map(({ id }) => id));
  });
});

describe('a one-time token', () => {
  it('stays good while 63 others are waiting to be opened', () => {
    const first = sessions.newToken(null);
    for (let times = 0; times < 63; times += 1) sessions.newToken(null);
    expect(sessions.open(first)).toBe(true);
    const next = sessions.newToken(null);
    for (let times = 0; times < 64; times += 1) sessions.newToken(null);
    expect(sessions.open(next)).toBe(false);
  });

  it('is good for one browser, and for a minute once it was opened', () => {
    const token = sessions.newToken(null);
    expect(sessions.exchange(token)).toBeNull();
    expect(sessions.open(token)).toBe(true);
    expect(sessions.open(token)).toBe(false);
    nowMs += 61_000;
    expect(sessions.exchange(token)).toBeNull();
    nowMs -= 61_000;
    expect(sessions.exchange(token)).toBeNull();
    expect(sessions.open('')).toBe(false);
  });
});
