import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { type Answer, faces, type TestFace } from '../support/service-faces.ts';
import { type LedgerRow, recordedWorth, shown, worthOf } from './spec/card-worth.ts';
import { cards, earning, histories, type Step, spending } from './spec/history-steps.ts';
import { type Expected, LoyaltyModel } from './spec/loyalty-model.ts';
import { openTill, type Till } from './spec/till.ts';

const minuteMs = 60_000;

const settled = (status: string) => (status === 'processing' ? 'pending' : status);

/** The service and the model side by side; an id stands at the place of what it names in the model's lists. */
class Pair {
  readonly face: TestFace;
  readonly till: Till;
  readonly model = new LoyaltyModel(cards);
  readonly transactionIds: string[] = [];
  readonly reservationIds: string[] = [];
  #last: Step | null = null;

  constructor(face: TestFace, till: Till) {
    this.face = face;
    this.till = till;
  }

  async take(one: Step): Promise<void> {
    const { face, till, model } = this;
    const last = this.#last;
    if (one.do !== 'again') this.#last = one;
    switch (one.do) {
      case 'again':
        return last === null ? undefined : this.take(last);
      case 'wait':
        await face.advance(one.ms);
        return model.advance(one.ms);
      case 'earn': {
        const { fields, gives } = earning(cards[one.card]?.kind ?? 'points', one);
        const answer = await till.earn(one.ref, { ...fields, card_id: till.cardId(one.card) });
        return this.#compare(answer, model.earn(one.ref, one.card, gives));
      }
      case 'redeem': {
        const { sends, spends } = spending(one, {
          cardId: till.cardId(one.card),
          kindOfCard: cards[one.card]?.kind ?? 'points',
        });
        const answer = await till.redeem(one.ref, { ...sends, card_id: till.cardId(one.card) });
        return this.#compare(answer, model.redeem(one.ref, one.card, { kind: one.kind, value: spends }));
      }
      case 'reverse': {
        const original = model.transactions.find(
          ({ intent, reference }) => intent === one.side && reference === one.ref,
        );
        const answer = await till.reverse(one.ref, one.side, one.as === null ? {} : { reversal_ref: one.as });
        return this.#compare(answer, model.reverse(original, one.as));
      }
      case 'reverse by id': {
        const place = one.pick % Math.max(1, model.transactions.length);
        const id = this.transactionIds[place] ?? 'txn_nowhere';
        const answer = await till.reverseById(id, one.as === null ? {} : { reversal_ref: one.as });
        return this.#compare(answer, model.reverse(model.transactions[place], one.as));
      }
      case 'reserve': {
        const isPoints = cards[one.card]?.kind !== 'cashback';
        const sends = isPoints ? { points: one.value / 2 } : { amount_minor: one.value };
        const fields = { ...sends, ttl_minutes: one.ttl, card_id: till.cardId(one.card) };
        const answer = await till.reserve(one.ref, fields);
        const hold = { value: isPoints ? one.value * 500 : one.value, ttlMs: Math.min(one.ttl, 120) * minuteMs };
        return this.#compare(answer, model.reserve(one.ref, one.card, hold));
      }
      case 'commit':
      case 'release': {
        const place = one.pick % Math.max(1, model.reservations.length);
        const reservation = model.reservations[place];
        if (reservation === undefined) return;
        const id = this.reservationIds[place] ?? '';
        if (one.do === 'commit')
          return this.#compare(await till.commit(id, one.order), model.commit(reservation, one.order));
        const answer = await till.release(id);
        this.#compare(answer, model.release(reservation));
        if (answer.status === 200) expect(answer.body.state).toBe(reservation.state);
        return;
      }
      case 'fail': {
        const place = one.pick % Math.max(1, model.transactions.length);
        const transaction = model.transactions[place];
        if (transaction?.status !== 'pending') return;
        await face.control('POST', `/transactions/${this.transactionIds[place]}/fail`, { code: 'INTERNAL' });
        transaction.willFail = true;
        return;
      }
      default:
        return assertNever(one);
    }
  }

  #compare(answer: Answer, expected: Expected): void {
    const { status, body } = answer;
    const { duplicate } = expected.duplicate === undefined ? { duplicate: undefined } : body;
    const seen = status < 400 ? { status, duplicate } : { status, code: body.error.code };
    expect(seen).toEqual(expected);
    if (status >= 400 || expected.duplicate !== false) return;
    if (body.reservation_id !== undefined) this.reservationIds.push(body.reservation_id);
    else this.transactionIds.push(body.transaction_id);
  }

  /** Balances, statuses and holds are the model's; the ledger that the service itself tells adds up to its balances. */
  async agree(): Promise<void> {
    const { till, model } = this;
    const rows: LedgerRow[] = (await till.history()).toReversed();
    expect(rows.map(({ transaction_id: id }) => id)).toEqual(this.transactionIds);
    expect(
      rows.map(({ intent, external_ref: reference, status }) => ({ intent, reference, status: settled(status) })),
    ).toEqual(model.transactions.map(({ intent, reference, status }) => ({ intent, reference, status })));
    for (const [place, own] of model.cards.entries()) {
      const balances = await till.balances(place);
      expect(balances).toMatchObject(shown(own.kind, own.count, model.held(place)));
      const worth = worthOf(own.kind, balances);
      const opening = worthOf(own.kind, shown(own.kind, cards[place]?.count ?? 0, 0));
      expect(worth).toBe(opening + this.#ledgerOf(place, rows));
      const undoneEarn = model.transactions.some(
        (one) => one.card === place && one.status === 'success' && one.reverses?.intent === 'earn',
      );
      if (!undoneEarn) expect(own.count).toBeGreaterThanOrEqual(0);
      if (own.kind === 'points' || own.kind === 'cashback') await this.#probe(place);
    }
  }

  /** What the card's rows in the history come to, by what each of them records. */
  #ledgerOf(place: number, rows: readonly LedgerRow[]): number {
    const kindOfCard = cards[place]?.kind ?? 'points';
    const own = rows.filter(({ card_id: id }) => id === this.till.cardId(place));
    const worths = own.map((row) => {
      if (row.status !== 'success' && row.status !== 'reversed') return 0;
      if (row.intent !== 'reverse') return recordedWorth(kindOfCard, row);
      const reversed = this.model.transactions[this.transactionIds.indexOf(row.transaction_id)]?.reverses;
      const original = rows[reversed == null ? -1 : this.model.transactions.indexOf(reversed)];
      return original === undefined ? Number.NaN : -recordedWorth(kindOfCard, original);
    });
    return worths.reduce((sum, one) => sum + one, 0);
  }

  /** All that is free can be reserved and not one more. What is reserved is let go again: it leaves nothing behind. */
  async #probe(place: number): Promise<void> {
    const { till, model } = this;
    const { count = 0, kind: kindOfCard = 'points' } = model.cards[place] ?? {};
    const free = count - model.held(place);
    const sends = (amount: number) => ({
      ...(kindOfCard === 'points' ? { points: amount / 1000 } : { amount_minor: amount }),
      card_id: till.cardId(place),
    });
    const more = await till.redeem('PROBE', sends(Math.max(0, free) + 1));
    expect(more.body.error?.code).toBe(count > 0 ? 'INSUFFICIENT_BALANCE' : 'CARD_NOT_ELIGIBLE');
    if (free <= 0) return;
    const all = await till.reserve('PROBE', sends(free));
    expect(all.status).toBe(201);
    expect((await till.reserve('PROBE-2', sends(1))).body.error?.code).toBe('INSUFFICIENT_BALANCE');
    await till.release(all.body.reservation_id);
  }
}

describe.each(faces)('random histories of one customer with five cards, $name', ({ start, name }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  test('after every step balances, holds and statuses are what the specification says', async () => {
    const parameters = { numRuns: name === 'in process' ? 40 : 6 };
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        await face.control('POST', '/reset', { fixtures: 'empty' });
        const made = cards.map(({ kind: kindOfCard, template, count }) => ({
          template_id: template,
          balances: kindOfCard === 'points' ? { points: count / 1000 } : shown(kindOfCard, count, 0),
        }));
        const pair = new Pair(face, await openTill(face, made));
        for (const one of steps) {
          await pair.take(one);
          await pair.agree();
        }
      }),
      parameters,
    );
  });
});
