import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCardStore } from '../../app/service/store/card-store.ts';
import { createCustomerStore } from '../../app/service/store/customer-store.ts';
import { createEnrollmentStore } from '../../app/service/store/enrollment-store.ts';
import { createIdempotencyStore } from '../../app/service/store/idempotency-store.ts';
import { migrations } from '../../app/service/store/migrations.ts';
import { openServiceDatabase, type ServiceDatabase } from '../../app/service/store/open.ts';
import { createReservationStore } from '../../app/service/store/reservation-store.ts';
import { createTransactionStore } from '../../app/service/store/transaction-store.ts';
import { type FilledService, openFilledService } from './filled-service.ts';
import { inTurns, ratios } from './measure.ts';

describe('the statements of the service', () => {
  const prepared: string[] = [];
  let database: ServiceDatabase;
  beforeAll(() => {
    database = openServiceDatabase({ kind: 'memory' });
    const watched = new Proxy(database, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]) => {
          if (name === 'prepare') prepared.push(String(args[0]));
          return Reflect.apply(value, target, args);
        };
      },
    });
    createTransactionStore(watched);
    createCustomerStore(watched);
    createCardStore(watched);
    createReservationStore(watched);
    createEnrollmentStore(watched);
    createIdempotencyStore(watched);
  });
  afterAll(() => database.close());

  function planOf(sql: string): string {
    const steps = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    const parameters = [...sql.matchAll(/[?]/g)].map(() => null);
    const named = Object.fromEntries([...sql.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, null]));
    return steps
      .all(...(parameters.length > 0 ? parameters : Object.keys(named).length > 0 ? [named] : []))
      .map(({ detail }) => detail)
      .join('\n');
  }

  it('find their rows by an index: none looks through a table', () => {
    expect(prepared.length).toBeGreaterThan(30);
    const scans = prepared.filter((sql) => /\bSCAN (?!CONSTANT)/.test(planOf(sql)));
    // The list of customers is asked for with a LIMIT, in the order of an index.
    expect(scans.filter((sql) => !/FROM customers ORDER BY position LIMIT/.test(sql))).toEqual([]);
  });

  it('sort nothing: an index already has the order', () => {
    expect(prepared.filter((sql) => planOf(sql).includes('TEMP B-TREE'))).toEqual([]);
  });

  it('are not planned anew for each value that a LIMIT is given', () => {
    expect(prepared.filter((sql) => /LIMIT \?/.test(sql))).toEqual([]);
  });

  it('check no row against a list that would be built for it', () => {
    const latest = database.prepare<[], string>(`SELECT sql FROM sqlite_schema WHERE name = 'transactions'`).pluck();
    expect(latest.get()).toContain('CHECK');
    expect(latest.get()).not.toMatch(/\bIN \(/);
    expect(migrations.length).toBeGreaterThan(0);
  });
});

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
      const startMs = performance.now();
      for (let call = 0; call < 100; call += 1) {
        number += 1;
        await work(service, number);
      }
      return performance.now() - startMs;
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
