import { afterEach, expect, it } from 'vitest';
import { Shop, signal } from '../support/core-shop.ts';
import { answer } from '../support/scripted-service.ts';

let shop: Shop;
afterEach(() => shop.end());

const polls = () => shop.service.requests.filter(({ call }) => call === 'transaction').length;
const counts = () => shop.core.counts();
const firstPollMs = 1_200;

async function accept(prefix: string, count: number): Promise<void> {
  await shop.until(() => shop.core.status().connection.state === 'online');
  await Promise.all(Array.from({ length: count }, (_, index) => shop.saved(`${prefix}-${index}`)));
  await shop.until(() => counts().accepted === count);
}

it('a service that has not answered yet is asked about four sales at once, one that answers quickly about sixteen', async () => {
  shop = await Shop.open();
  await accept('A', 60);
  let mayAnswer = signal();
  shop.service.script = ({ call }) =>
    call === 'transaction' ? { kind: 'answer_after', until: mayAnswer.promise } : answer;
  shop.clock.advance(firstPollMs);
  await shop.quiet();
  expect(polls()).toBe(4);
  mayAnswer.give();
  await shop.until(() => counts().accepted === 0);
  expect(polls()).toBe(60);
  await accept('B', 60);
  mayAnswer = signal();
  shop.clock.advance(firstPollMs);
  await shop.quiet();
  expect(polls()).toBe(60 + 16);
  mayAnswer.give();
  await shop.until(() => counts().accepted === 0);
});

it('the next sale is asked about before the disk has what was told of the last', async () => {
  let isDiskSlow = false;
  const waiting: (() => void)[] = [];
  const schedule = {
    soon: (callback: () => void) => void setImmediate(callback),
    later(callback: () => void) {
      if (isDiskSlow) waiting.push(callback);
      else setImmediate(callback);
      return () => undefined;
    },
  };
  shop = await Shop.open({ schedule });
  await accept('A', 60);
  isDiskSlow = true;
  shop.clock.advance(firstPollMs);
  await shop.until(() => polls() === 60);
  await shop.quiet();
  expect(counts()).toMatchObject({ accepted: 60, applied: 0 });
  // None of them is asked about twice while it waits for the disk.
  await shop.pass(10_000);
  expect(polls()).toBe(60);
  isDiskSlow = false;
  for (const callback of waiting) callback();
  await shop.until(() => counts().applied === 60);
});

it('a backlog goes first, to its end: a single poll is on its way until what is left goes at once', async () => {
  shop = await Shop.open();
  shop.service.applyDelayMs = 0;
  await accept('A', 40);
  const mayTake = signal();
  const mayTakeLast = signal();
  const mayTell = signal();
  shop.service.script = ({ call }) => {
    const isOfLast = shop.service.earns.length > 800;
    if (call === 'earn') return { kind: 'answer_after', until: (isOfLast ? mayTakeLast : mayTake).promise };
    return call === 'transaction' ? { kind: 'answer_after', until: mayTell.promise } : answer;
  };
  await Promise.all(Array.from({ length: 800 }, (_, index) => shop.saved(`B-${index}`)));
  await shop.pass(5_000);
  expect(counts().queued).toBeGreaterThan(512);
  expect(polls()).toBe(1);
  mayTake.give();
  await shop.until(() => counts().accepted > 780);
  await shop.pass(5_000);
  expect(polls()).toBe(1);
  mayTell.give();
  await shop.pass(1_000, 20);
  // One after another: none is left waiting for the end of the backlog.
  expect(counts().applied).toBeGreaterThanOrEqual(40);
  expect(counts().sending).toBeGreaterThan(16);
  mayTakeLast.give();
  await shop.passUntil(() => counts().applied === 840);
  expect(shop.service.earns).toHaveLength(840);
});
