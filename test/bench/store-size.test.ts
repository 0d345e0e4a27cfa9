import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledService, openFilledService } from './filled-service.ts';
import { inTurns, ratios } from './measure.ts';

describe('a store that has grown', { timeout: 120_000 }, () => {
  const few = 1_000;
  const many = 100_000;
  const perCustomer = 50;
  const buyersOf = (transactions: number) => transactions / perCustomer;
  const fill = (transactions: number) =>
    openFilledService({ kind: 'memory' }, { customers: buyersOf(many), transactions, buyers: buyersOf(transactions) });
  let small: FilledService;
  let large: FilledService;
  beforeAll(() => {
    small = fill(few);
    large = fill(many);
  }, 60_000);
  afterAll(() => {
    small.close();
    large.close();
  });

  async function growth(work: (service: FilledService, number: number) => Promise<void>): Promise<number> {
    let number = 0;
    const cost = (service: FilledService) => async () => {
      // Of the processor alone: what other programs take of it meanwhile says nothing of the store.
      const before = process.cpuUsage();
      for (let call = 0; call < 100; call += 1) {
        number += 1;
        await work(service, number);
      }
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const contenders = { small: cost(small), large: cost(large) };
    await inTurns(2, contenders);
    const times = await inTurns(9, contenders);
    return ratios(times.large, times.small).median;
  }

  // The bench holds this to 1.3 for a million (goal 14); here, on a machine that does other things too, to twice.
  const mostGrowth = 2;

  it.each<readonly [string, (service: FilledService, number: number) => Promise<void>]>([
    ['identify', (service, number) => service.identify(number)],
    ['a page of a history', (service, number) => service.historyPage(number, buyersOf(few))],
    ['an earn', (service) => service.earnSixteen()],
  ])(`answers %s as quickly as one with a hundredth`, async (_, work) => {
    expect(await growth(work)).toBeLessThan(mostGrowth);
  });
});
