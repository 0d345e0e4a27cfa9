import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardEntrySchema } from '../../shared/contract/profile.ts';
import { type TillCommandName, tillCommands } from '../../shared/till/api.ts';
import { FakeCore } from '../support/fake-core.ts';
import { doneOutcome, fakeProfile } from '../support/fake-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

// The service decides what a customer or a reward is called. Whatever that is, it stops no sale.
const faults: unknown[] = [];
const onFault = (error: unknown) => faults.push(error);
afterEach(() => expect(faults).toEqual([]));

const long = `${'x'.repeat(254)}\u{1f600}y`;
const names: readonly (readonly [string | null, string | null])[] = [
  [null, null],
  ['', null],
  [' \n\t ', null],
  ['A\nB', 'A B'],
  ['\tFatima\u0000Al-Sabah\r\n', 'Fatima Al-Sabah'],
  ['سارة \u{1f600}', 'سارة \u{1f600}'],
  ['half \ud83d', 'half \ufffd'],
  [long, 'x'.repeat(254)],
];

describe('a customer whose name is', () => {
  let ask: (command: TillCommandName, input: object) => Promise<unknown>;
  let newId: () => string;
  beforeEach(async () => {
    const shop = await openShop();
    const till = tillOf({ core: shop.core, clock: shop.clock, onFault });
    newId = () => shop.newId();
    ask = async (command, input) => {
      const reply = await shop.passUntil(till.handle({ command, input }));
      if (!reply.ok) throw new Error(JSON.stringify(reply.error));
      return tillCommands[command].answer.parse(reply.value);
    };
    return () => till.close();
  });

  it.each(names)('%j can earn, spend and have points held', async (customer_name, shown) => {
    const customer = () => ({ operation_id: newId(), identifier: { loyalty_id: 'LC-1001' }, customer_name });
    const operation = { customer_name: shown };
    expect(await ask('operation.earn', { ...customer(), points: 10 })).toMatchObject({ operation });
    expect(await ask('operation.redeem', { ...customer(), points: 4 })).toMatchObject({ operation });
    expect(await ask('hold.reserve', { ...customer(), points: 5 })).toMatchObject({ operation });
  });

  it.each([
    ['', null],
    ['Free\ncoffee', 'Free coffee'],
  ])('is given a reward that is called %j', async (given_name, shown) => {
    const customer = { operation_id: newId(), identifier: { loyalty_id: 'LC-1001' }, customer_name: 'Fatima' };
    const input = { ...customer, reward: true, reward_id: 'rwd_cake', given_name };
    expect(await ask('operation.redeem', input)).toMatchObject({ operation: { given_name: shown } });
  });
});

it.each(names)(
  'a customer who is called %j is told to the page as %j, so that it shows something',
  async (name, shown) => {
    const core = new FakeCore();
    const till = tillOf({ core, clock: new ManualClock(), onFault });
    const card = cardEntrySchema.parse({
      card_id: 'card_1',
      available_rewards: [{ reward_id: 'rwd_1', name: name ?? '' }],
    });
    core.identifyOutcome = doneOutcome({ ...fakeProfile(), name, cards: [card] });
    const reply = await till.handle({ command: 'customer.find', input: { identifier: { loyalty_id: 'LC-1001' } } });
    const cards = [{ available_rewards: [{ reward_id: 'rwd_1', name: shown ?? '' }] }];
    expect(reply).toMatchObject({ ok: true, value: { profile: { name: shown, cards } } });
  },
);
