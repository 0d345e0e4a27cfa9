import { describe, expect, it } from 'vitest';
import type { Release } from '../../app/updates/feed.ts';
import { type JudgedBy, judge, mostAheadMs, placeOf } from '../../app/updates/judge.ts';
import { type TillUse, whyNotNow } from '../../app/updates/quiet-time.ts';
import { compareVersions } from '../../app/updates/version-order.ts';

const minuteMs = 60_000;

const release = (changes: Partial<Release> = {}): Release => ({
  version: '0.2.0',
  signedAtMs: 1_000,
  stagingPercentage: 100,
  isHeld: false,
  package: { name: 'tillbridge-0.2.0-linux-amd64.deb', sha512: 'x', byteCount: 1 },
  ...changes,
});
const till = (changes: Partial<JudgedBy> = {}): JudgedBy => ({
  nowMs: 1_000,
  runningVersion: '0.1.9',
  tillId: 'till_1',
  stage: 'share',
  isHeld: false,
  mayGoDown: false,
  newestSignedAtMs: null,
  failedVersions: [],
  ...changes,
});

describe('the order of versions', () => {
  it.each([
    ['0.1.9', '0.1.10', -1],
    ['1.0.0', '0.99.99', 1],
    ['0.2.0', '0.2.0', 0],
    ['0.10.0', '0.9.9', 1],
  ])('%s against %s goes by numbers', (one, other, sign) => {
    expect(Math.sign(compareVersions(one, other))).toBe(sign);
  });

  it.each(['', '1', '1.2', '1.2.3-beta', 'v1.2.3', '1.2.3.4', '1.2.-3'])('%j is no version', (text) => {
    expect(() => compareVersions(text, '0.1.0')).toThrow();
  });
});

describe('a release', () => {
  it('that is newer is taken, the same one is not, and an older one is refused', () => {
    expect(judge(release(), till())).toEqual({ kind: 'take' });
    expect(judge(release({ version: '0.1.9' }), till())).toEqual({ kind: 'current' });
    expect(judge(release({ version: '0.1.8' }), till())).toMatchObject({
      kind: 'refused',
      line: expect.stringContaining('0.1.8, which is older than 0.1.9'),
    });
  });

  it('that is older is taken where the deployed settings say so', () => {
    expect(judge(release({ version: '0.1.8' }), till({ mayGoDown: true }))).toEqual({ kind: 'take' });
  });

  it('whose feed was signed before one that was seen is refused, though its version is newer than what runs', () => {
    expect(judge(release(), till({ newestSignedAtMs: 1_001 }))).toMatchObject({ kind: 'refused' });
    expect(judge(release(), till({ newestSignedAtMs: 1_000 }))).toEqual({ kind: 'take' });
  });

  it('whose feed is dated by a clock a day ahead is taken, and refused where it is more', () => {
    expect(judge(release({ signedAtMs: 1_000 + mostAheadMs }), till())).toEqual({ kind: 'take' });
    expect(judge(release({ signedAtMs: 1_001 + mostAheadMs }), till())).toMatchObject({ kind: 'refused' });
  });

  it('that did not start here is not tried again', () => {
    expect(judge(release(), till({ failedVersions: ['0.2.0'] }))).toMatchObject({ kind: 'refused' });
    expect(judge(release({ version: '0.2.1' }), till({ failedVersions: ['0.2.0'] }))).toEqual({ kind: 'take' });
  });

  it('is held by the settings, or by the feed', () => {
    expect(judge(release(), till({ isHeld: true }))).toEqual({ kind: 'held', by: 'settings' });
    expect(judge(release({ isHeld: true }), till())).toEqual({ kind: 'held', by: 'feed' });
  });
});

describe('a stage', () => {
  const tills = Array.from({ length: 2_000 }, (_, number) => `till_${number}`);
  const taking = (stagingPercentage: number, version = '0.2.0') =>
    tills.filter((tillId) => judge(release({ stagingPercentage, version }), till({ tillId })).kind === 'take');

  it('reaches about its share of the tills, the same ones each time, and keeps them as it grows', () => {
    const tenth = taking(10);
    expect(tenth.length).toBeGreaterThan(140);
    expect(tenth.length).toBeLessThan(260);
    expect(taking(10)).toEqual(tenth);
    const half = new Set(taking(50));
    expect(tenth.every((tillId) => half.has(tillId))).toBe(true);
    expect(taking(0)).toEqual([]);
    expect(taking(100)).toEqual(tills);
  });

  it('begins with other tills at the next version', () => {
    const [before, next] = [new Set(taking(10)), taking(10, '0.3.0')];
    expect(next.filter((tillId) => before.has(tillId)).length).toBeLessThan(60);
  });

  it('takes a till that goes first from the first percent on, and one that goes last at the end', () => {
    // Whatever its place is.
    const late = tills.find((tillId) => placeOf(tillId, '0.2.0') > 90) ?? '';
    const early = tills.find((tillId) => placeOf(tillId, '0.2.0') < 1) ?? '';
    expect(judge(release({ stagingPercentage: 1 }), till({ tillId: late, stage: 'first' }))).toEqual({ kind: 'take' });
    expect(judge(release({ stagingPercentage: 0 }), till({ tillId: late, stage: 'first' }))).toEqual({ kind: 'later' });
    expect(judge(release({ stagingPercentage: 99 }), till({ tillId: early, stage: 'last' }))).toEqual({
      kind: 'later',
    });
    expect(judge(release(), till({ tillId: late, stage: 'last' }))).toEqual({ kind: 'take' });
  });
});

describe('a quiet time', () => {
  const nowMs = 10 * 3_600_000;
  const why = (use: Partial<TillUse>, isAsked = false) =>
    whyNotNow(
      {
        sendingCount: 0,
        servedAtMs: null,
        screen: { isDialogOpen: false, isCustomerShown: false, touchedAtMs: null },
        ...use,
      },
      nowMs,
      { isAsked },
    );
  const screen = (part: Partial<TillUse['screen']>) => ({
    screen: { isDialogOpen: false, isCustomerShown: false, touchedAtMs: nowMs - minuteMs, ...part },
  });

  it('is when nothing is on its way and nobody was served for five minutes, though sales wait', () => {
    expect(why({})).toBe(null);
    expect(why({ sendingCount: 1 })).toBe('sending');
    expect(why({ servedAtMs: nowMs - 4 * minuteMs })).toBe('customer');
    expect(why({ servedAtMs: nowMs - 5 * minuteMs })).toBe(null);
  });

  it('is not while a customer stands on the screen that was just touched', () => {
    expect(why(screen({ isCustomerShown: true }))).toBe('customer');
    expect(why(screen({ isCustomerShown: true, touchedAtMs: nowMs - 6 * minuteMs }))).toBe(null);
    // Somebody who only looks at the screen is not being served.
    expect(why(screen({}))).toBe(null);
  });

  it('is not while a dialog is open, until everybody has forgotten it', () => {
    expect(why(screen({ isDialogOpen: true, touchedAtMs: nowMs - 50 * minuteMs }))).toBe('dialog');
    expect(why(screen({ isDialogOpen: true, touchedAtMs: nowMs - 61 * minuteMs }))).toBe(null);
  });

  it('comes sooner for whoever asks at the till, and never over something on its way', () => {
    expect(why({ servedAtMs: nowMs - minuteMs }, true)).toBe(null);
    expect(why({ servedAtMs: nowMs - 20_000 }, true)).toBe('customer');
    expect(why({ sendingCount: 2 }, true)).toBe('sending');
    expect(why(screen({ isDialogOpen: true }), true)).toBe('dialog');
  });
});
