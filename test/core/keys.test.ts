import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

const firstKey = 'loyalty_pk_test_first';
const otherKey = 'loyalty_pk_test_other';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nothingFound = { kind: 'say', status: 200, body: '{"data":[]}' } as const;

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open({ apiKey: firstKey });
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

/** A sale whose answer was lost under the first key; the agent is then stopped. */
async function loseTheAnswer(): Promise<void> {
  shop.service.script = ({ call }) => (call === 'earn' ? { kind: 'lose_answer' } : refusal(503, 'INTERNAL'));
  await shop.saved('R-1');
  await shop.until(() => shop.state('R-1') === 'unknown');
  await shop.stop();
}

const earnCalls = () => shop.service.requests.filter(({ call }) => call === 'earn').length;

describe('another key, while a sale may be at the service under the first one', () => {
  it('sends it no second time when it does not see it, and goes on when the first key is back', async () => {
    await loseTheAnswer();
    const callsBefore = earnCalls();
    shop.service.script = ({ call, externalRef }) =>
      call === 'by_reference' && externalRef === 'R-1' ? nothingFound : answer;
    shop.start({ apiKey: otherKey });
    await shop.pass(1_200_000, 20_000);
    expect(shop.operation('R-1')).toMatchObject({ state: 'unknown', cause: 'unauthenticated', attempts: 0 });
    expect(earnCalls()).toBe(callsBefore);
    expect(shop.core.status().notices).toContainEqual({ code: 'key_changed', waiting: 1 });

    await shop.stop();
    shop.service.script = () => answer;
    shop.start({ apiKey: firstKey });
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 10_000 });
    expect(shop.service.recorded.size).toBe(1);
  });

  it('does not take another sale in that key’s books for a refusal of ours', async () => {
    await loseTheAnswer();
    const other = { ...[...shop.service.recorded.values()][0], amount_minor: 9_999 };
    shop.service.script = ({ call, externalRef }) =>
      call === 'by_reference' && externalRef === 'R-1'
        ? { kind: 'say', status: 200, body: JSON.stringify({ data: [other] }) }
        : answer;
    shop.start({ apiKey: otherKey });
    await shop.pass(60_000, 5_000);
    expect(shop.operation('R-1')).toMatchObject({ state: 'unknown', maybeSent: true });
  });

  it('takes it from the books when it sees it there, as a rotated key of the same partner does', async () => {
    await loseTheAnswer();
    const callsBefore = earnCalls();
    shop.service.script = () => answer;
    shop.start({ apiKey: otherKey });
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(earnCalls()).toBe(callsBefore);
  });

  it('keeps no other sale waiting, and sends those that were never sent under it', async () => {
    await loseTheAnswer();
    shop.service.script = ({ call, externalRef }) =>
      call === 'by_reference' && externalRef === 'R-1' ? nothingFound : answer;
    shop.start({ apiKey: otherKey });
    await shop.saved('R-2');
    await shop.passUntil(() => shop.state('R-2') === 'applied');
    expect(shop.state('R-1')).toBe('unknown');
  });

  it('does not forget the key when the agent dies while it looks', async () => {
    await loseTheAnswer();
    const callsBefore = earnCalls();
    shop.service.script = ({ call, externalRef }) =>
      call === 'by_reference' && externalRef === 'R-1'
        ? { kind: 'answer_after', until: new Promise(() => undefined) }
        : answer;
    shop.start({ apiKey: otherKey });
    await shop.until(() => shop.state('R-1') === 'sending');
    shop.crash();
    shop.service.script = ({ call, externalRef }) =>
      call === 'by_reference' && externalRef === 'R-1' ? nothingFound : answer;
    shop.start({ apiKey: otherKey });
    await shop.pass(600_000, 20_000);
    expect(shop.state('R-1')).toBe('unknown');
    expect(earnCalls()).toBe(callsBefore);
  });
});

describe('another key, while a refused sale is looked up for a late success', () => {
  /** A sale of which one attempt may have arrived, and the next one was refused; the agent is then stopped. */
  async function refusedInDoubt(): Promise<void> {
    let earns = 0;
    shop.service.script = ({ call, externalRef }) => {
      if (call === 'by_reference' && externalRef === 'R-1') return nothingFound;
      if (call !== 'earn') return answer;
      earns += 1;
      return earns === 1 ? { kind: 'lose_answer' } : refusal(422, 'CARD_NOT_ELIGIBLE');
    };
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'refused');
    await shop.stop();
  }

  it('uses up none of the looks: it is found when the first key is back', async () => {
    await refusedInDoubt();
    shop.start({ apiKey: otherKey });
    await shop.pass(30 * hourMs, hourMs / 4);
    expect(shop.state('R-1')).toBe('refused');
    await shop.stop();
    shop.service.script = () => answer;
    shop.start({ apiKey: firstKey });
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 25 * hourMs });
    expect(shop.operation('R-1').found).toBe('stands');
  });

  it('ends no look because the date is wrong: it is found when the first key and the right date are back', async () => {
    await refusedInDoubt();
    shop.clock.jump(31 * dayMs);
    shop.service.skewMs = -31 * dayMs;
    shop.start({ apiKey: otherKey });
    await shop.pass(2 * hourMs, hourMs / 4);
    await shop.stop();
    shop.clock.jump(-31 * dayMs);
    shop.service.skewMs = 0;
    shop.service.script = () => answer;
    shop.start({ apiKey: firstKey });
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 25 * hourMs });
  });

  it('keeps no customer beyond the retention time: nothing more can be learned of it', async () => {
    shop.service.script = ({ call, externalRef }) => {
      if (call === 'by_reference' && externalRef === 'R-1') return nothingFound;
      return call === 'earn' ? refusal(422, 'CARD_NOT_ELIGIBLE') : answer;
    };
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'refused');
    await shop.core.writeOff(shop.operation('R-1').operationId, { person: 'Mona', reason: 'asked by the shop' });
    await shop.stop();
    shop.clock.jump(29 * dayMs);
    shop.start({ apiKey: otherKey });
    await shop.pass(2 * hourMs, hourMs / 4);
    expect(shop.operation('R-1')).toMatchObject({ state: 'written_off', identifier: { value: 'LC-1' } });
    await shop.pass(dayMs + 2 * hourMs, hourMs / 4);
    expect(shop.operation('R-1')).toMatchObject({ state: 'written_off', identifier: null });
  });
});
