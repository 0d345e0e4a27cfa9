import { describe, expect, it } from 'vitest';
import { makeFormat } from '../../../renderer/copy/format.ts';
import { outcomeWords, type Telling } from '../../../renderer/sale/outcome/outcome-words.ts';
import type { Outcome } from '../../../renderer/sale/outcome/shown-outcome.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';
import { wordsIn } from '../../support/words.ts';

const copy = await wordsIn('start');
const past = await wordsIn('past');

/** What became of something that is spent or held, in words. */
const said = (
  operation: Partial<OperationView>,
  { locale = 'en', ...outcome }: Partial<Outcome> & { readonly locale?: 'en' | 'ar' } = {},
) => {
  const told = operationOf({ amount_minor: null, currency: null, points: 40, ...operation });
  const telling: Telling = {
    words: copy[locale],
    past: past[locale],
    decide: past[locale].decide,
    format: makeFormat(locale, 'Asia/Kuwait'),
    connection: 'online',
    nowMs: Date.parse(told.saved_at),
    cards: [],
    recent: [],
    held: [],
  };
  const shown: Outcome = {
    operation: told,
    card: null,
    cardBefore: null,
    takenBy: 'redeem_points',
    duplicate: false,
    clearsAfterMs: null,
    round: 0,
    failure: null,
    isEarlier: false,
    ...outcome,
  };
  return outcomeWords(shown, telling);
};
const errorOf = (code: string, details: string[] = []) => ({
  code,
  message: '',
  retryable: false,
  request_id: 'r',
  details,
});

describe('an order that was paid too late', () => {
  const late = { intent: 'commit', state: 'cancelled', error: errorOf('RESERVATION_EXPIRED') } as const;

  it('is told as a hold that has expired', () => {
    const why = { title: 'The hold has expired', next: 'Hold again, then finish the order.' };
    expect(said(late)).toMatchObject({ hero: 'Not spent', why });
    const failure = { code: 'refused', message: '', service_code: 'RESERVATION_EXPIRED' } as const;
    expect(said({ ...late, error: null }, { failure })).toMatchObject({ why });
    expect(said(late, { locale: 'ar' }).why?.title).toBe('انتهت مدة الحجز');
  });
});
