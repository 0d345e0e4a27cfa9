import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { findCustomer } from '../../app/till/find-customer.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

describe('a customer who is looked for', () => {
  const identifyCall = callOf('POST', '/customers/identify');
  const card = { loyalty_id: 'LC-1001' };
  const phone = { phone: '+96599887766' };
  const find = (identifier: Identifier) => shop.passUntil(findCustomer(shop.core, identifier));
  let other: { readonly customer_id: string };
  beforeEach(async () => {
    await shop.call('POST', '/_sandbox/customers', { cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B' }] });
    other = await shop.call('POST', '/v1/customers/identify', { loyalty_id: 'LC-B' });
  });

  test('is asked for again where an answer shows another one than this till knows by that card', async () => {
    const known = await find(card);
    const told = answerInstead(shop, identifyCall, (own) => withFields(own, other), { times: 1 });
    expect(await find(card)).toEqual(known);
    expect(told.count).toBe(1);
    expect(shop.core.keptProfile(card)?.customer_id).not.toBe(other.customer_id);
  });

  test('is believed as another one where two answers say so: the card was given away', async () => {
    await find(card);
    answerInstead(shop, identifyCall, (own) => withFields(own, other), { times: 2 });
    expect(await find(card)).toMatchObject({ ok: true, value: { profile: other } });
    expect(await find({ loyalty_id: 'LC-B' })).toMatchObject({ ok: true, value: { profile: other } });
  });

  test.each([
    [404, 'CUSTOMER_NOT_FOUND', 'customer_not_found'],
    [400, 'VALIDATION_ERROR', 'refused'],
  ])(
    'is asked for again where a card that this till knows is refused, and is refused twice: %i',
    async (status, ...codes) => {
      const [code, toldCode] = codes;
      const known = await find(card);
      const refusal = said(status, { error: { code, message: 'm', retryable: false, request_id: 'r' } });
      const once = answerInstead(shop, identifyCall, () => refusal, { times: 1 });
      expect(await find(card)).toEqual(known);
      expect(once.count).toBe(1);
      const twice = answerInstead(shop, identifyCall, () => refusal, { times: 2 });
      expect(await find(card)).toMatchObject({ ok: false, error: { code: toldCode } });
      expect(twice.count).toBe(2);
    },
  );

  const nobody = said(404, {
    error: { code: 'CUSTOMER_NOT_FOUND', message: 'm', retryable: false, request_id: 'r' },
  });

  test('stays known under their own id where an old card is nobody’s any more', async () => {
    await find(card);
    const known = shop.core.keptProfile(card);
    if (known === null) throw new Error('The customer is not kept');
    answerInstead(shop, identifyCall, () => nobody, { times: 2 });
    expect(await find(card)).toMatchObject({ ok: false, error: { code: 'customer_not_found' } });
    expect(shop.core.keptProfile(card)).toBeNull();
    expect(shop.core.keptProfile({ customer_id: known.customer_id })).toEqual(known);
  });

  describe('who is deleted at the service', () => {
    beforeEach(async () => {
      await find(card);
      answerInstead(shop, identifyCall, () => nobody);
    });

    /** Answers take so long from here on. */
    function answerAfter(delayMs: number): { readonly asked: number } {
      const told = { asked: 0 };
      const { meddle } = shop;
      shop.meddle = async (call, carry) => {
        if (!identifyCall(call)) return meddle(call, carry);
        told.asked += 1;
        await new Promise<void>((resolve) => shop.clock.setTimer(resolve, delayMs));
        return meddle(call, carry);
      };
      return told;
    }

    const asNobody = { ok: false, error: { code: 'customer_not_found' } };

    test('is asked for twice once, and is then forgotten', async () => {
      const told = answerAfter(0);
      expect(await find(card)).toMatchObject(asNobody);
      expect(told.asked).toBe(2);
      expect(shop.core.keptProfile(card)).toBeNull();
      expect(await find(card)).toMatchObject(asNobody);
      expect(told.asked).toBe(3);
    });

    test.each([2_700, 4_500])(
      'is told as nobody where each answer takes %i ms, and is forgotten then',
      async (delayMs) => {
        const told = answerAfter(delayMs);
        expect(await find(card)).toMatchObject(asNobody);
        await shop.pass(delayMs);
        expect(shop.core.keptProfile(card)).toBeNull();
        expect(told.asked).toBe(2);
      },
    );

    test('is told as nobody, and kept, where the second answer is lost', async () => {
      let asked = 0;
      const { meddle } = shop;
      shop.meddle = async (call, carry) => {
        if (identifyCall(call)) asked += 1;
        return asked === 2 ? { kind: 'dropped' } : meddle(call, carry);
      };
      expect(await find(card)).toMatchObject(asNobody);
      expect(asked).toBe(2);
      expect(shop.core.keptProfile(card)).not.toBeNull();
    });
  });

  test('is told as nobody at once where this till knows no such card', async () => {
    const asked = answerInstead(shop, identifyCall, (own) => own ?? expect.fail());
    expect(await find({ loyalty_id: 'LC-nobody' })).toMatchObject({ ok: false, error: { code: 'customer_not_found' } });
    expect(asked.count).toBe(1);
  });

  test('is not shown where two answers in a row show somebody with another phone, and the till says why', async () => {
    const told = answerInstead(shop, identifyCall, (own) => withFields(own, { phone: '+96599999999' }), { times: 2 });
    expect(await find(phone)).toMatchObject({ ok: false, error: { code: 'answered_for_another' } });
    expect(told.count).toBe(2);
    expect(await find(phone)).toMatchObject({ ok: true });
  });

  describe('by a card that this till has never seen, behind a proxy that gives the last customer’s answer again', () => {
    let last: Outcome | null = null;
    beforeEach(async () => {
      shop.meddle = async (call, carry) => {
        last = await carry(call);
        return last;
      };
      await find(card);
    });

    test('is shown from the second answer where it did so once', async () => {
      const kept = last;
      const told = answerInstead(shop, identifyCall, () => kept ?? expect.fail(), { times: 1 });
      expect(await find({ loyalty_id: 'LC-B' })).toMatchObject({ ok: true, value: { profile: other } });
      expect(told.count).toBe(1);
    });

    test('is not shown where it goes on doing so', async () => {
      const kept = last;
      answerInstead(shop, identifyCall, () => kept ?? expect.fail());
      expect(await find({ loyalty_id: 'LC-B' })).toMatchObject({ ok: false, error: { code: 'answered_for_another' } });
      expect(shop.core.keptProfile({ loyalty_id: 'LC-B' })).toBeNull();
    });
  });

  test('is shown from the second answer where only the first was about somebody else', async () => {
    answerInstead(shop, identifyCall, (own) => withFields(own, { phone: '+965*****99' }), { times: 1 });
    expect(await find(phone)).toMatchObject({ ok: true, value: { source: 'service' } });
  });
});
