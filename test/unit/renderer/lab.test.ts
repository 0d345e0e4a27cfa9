import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultRuleSchema } from '../../../app/service/calls/faults.ts';
import { defaultSettings, settingsSchema } from '../../../app/service/settings.ts';
import { callMatched, callNames, callOf, calls } from '../../../renderer/lab/calls.ts';
import { dueWithin } from '../../../renderer/lab/due.ts';
import { customerBody, newCard } from '../../../renderer/lab/new-customer.ts';
import { firstFault, readFault } from '../../../renderer/lab/new-fault.ts';
import { everyRequest, isShown } from '../../../renderer/lab/request-filter.ts';
import { changesOf, fieldMeant, rulesOf, typedSince } from '../../../renderer/lab/rule-fields.ts';
import { faultOf, situationOf, situations } from '../../../renderer/lab/situations.ts';
import { createLab } from '../../../renderer/lab/state.ts';
import { instantOf, wallTextOf } from '../../../renderer/lab/wall-time.ts';
import { endpointNames, endpoints } from '../../../shared/contract/endpoints.ts';
import type { LabFault } from '../../../shared/till/lab-views.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('what the page knows of the contract', () => {
  it('are the very calls of the service', () => {
    expect([...callNames].toSorted()).toEqual([...endpointNames].toSorted());
    for (const name of callNames) {
      const { method, path } = endpoints[name];
      expect({ name, ...calls[name] }).toEqual({ name, method, path });
      expect(callOf(method, path.replace(/\{\w+\}/g, 'some_id'))).toBe(name);
      expect(callMatched(method, path)).toBe(name);
    }
    expect(callOf('POST', '/transactions/earn/more')).toBeNull();
  });
});

it('shows the till’s checks of the connection to who asks for them', () => {
  const check = {
    time: '2026-11-20T18:13:00.000Z',
    duration_ms: 1,
    method: 'GET',
    path: '/transactions',
    status: 200,
    request_id: 'req_1',
    external_ref: 'tillbridge-connection-check-1795198380000',
    duplicate: false,
    payload_differs: false,
    fault: null,
  };
  expect(isShown(check, everyRequest)).toBe(false);
  expect(isShown(check, { ...everyRequest, withChecks: true })).toBe(true);
  expect(isShown({ ...check, external_ref: 'R-1' }, everyRequest)).toBe(true);
});

/** Of the questions that are open now; those that an answer leads to stay open. */
async function answerAll({ asked }: AskedApi, value: object): Promise<void> {
  await Promise.all(asked.map((one) => one.answer(value)));
}

describe('a situation', () => {
  const listed = (change: Partial<LabFault>): LabFault => ({
    id: 'flt_1',
    match: {},
    effect: { type: 'offline' },
    probability: 1,
    times: null,
    hits: 0,
    hits_left: null,
    ...change,
  });

  it.each(situations)('%s is known again by its fault, which the control API takes', (situation) => {
    const fault = faultOf(situation);
    expect(situationOf(fault === null ? [] : [listed(fault)])).toBe(situation);
    if (fault !== null) expect(faultRuleSchema.safeParse(fault).success).toBe(true);
  });

  it('that is pressed while the one before is being read comes about as well', async () => {
    const api = new AskedApi();
    const lab = createLab({ api, clock: new ManualClock() });
    const chosen = lab.choose('slow');
    await api.newest('lab.faults').answer({ data: [] });
    await api.newest('lab.add_fault').answer(listed({ id: 'flt_1' }));
    // It stands; the page reads it, and somebody has already pressed another.
    expect(api.asked.map(({ command }) => command)).toContain('lab.read');
    void lab.choose('answers_lost');
    await answerAll(api, { data: [listed({ id: 'flt_1' })] });
    expect(lab.wanted.value).toBe('answers_lost');
    await api.newest('lab.faults').answer({ data: [listed({ id: 'flt_1' })] });
    await api.newest('lab.add_fault').answer(listed({ id: 'flt_2' }));
    expect(api.newest('lab.add_fault').input).toEqual(faultOf('answers_lost'));
    await api.newest('lab.remove_fault').answer({});
    expect(api.newest('lab.remove_fault').input).toEqual({ fault_id: 'flt_1' });
    await answerAll(api, { data: [] });
    await chosen;
    expect(lab.wanted.value).toBeNull();
  });

  it('that is pressed while the one before is refused is tried all the same', async () => {
    const api = new AskedApi();
    const lab = createLab({ api, clock: new ManualClock() });
    void lab.choose('slow');
    await api.newest('lab.faults').answer({ data: [] });
    void lab.choose('busy');
    await api.newest('lab.add_fault').refuse('lab_refused');
    await answerAll(api, { data: [] });
    await api.newest('lab.faults').answer({ data: [] });
    expect(api.newest('lab.add_fault').input).toEqual(faultOf('busy'));
    expect(lab.failure.value).toBeNull();
  });

  it('is of one’s own making with anything else', () => {
    expect(situationOf([listed({ match: { path: '/x' } })])).toBeNull();
    expect(situationOf([listed({ probability: 0.5 })])).toBeNull();
    expect(situationOf([listed({ times: 2, hits_left: 1 })])).toBeNull();
    expect(situationOf([listed({}), listed({ id: 'flt_2' })])).toBeNull();
    expect(situationOf([listed({ effect: { type: 'delay', ms: 1 } })])).toBeNull();
    expect(situationOf([listed({ times: 2, hits_left: 0 })])).toBe('normal');
  });
});

describe('a fault that is put together', () => {
  it.each([
    [
      { type: 'delay', seconds: '٢٫٥' },
      { match: {}, effect: { type: 'delay', ms: 2500 } },
    ],
    [
      { type: 'error', code: 'RATE_LIMITED', status: '429', retryAfter: '9', call: 'earn', reference: ' R-1 ' },
      {
        match: { method: 'POST', path: '/transactions/earn', external_ref: 'R-1' },
        effect: { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 9 },
      },
    ],
    [
      { call: 'own', path: '/x/*', method: 'GET', often: 'next', times: '3', share: '12.5' },
      { match: { method: 'GET', path: '/x/*' }, effect: { type: 'offline' }, times: 3, probability: 0.125 },
    ],
  ] as const)('%o is what the control API takes', (change, input) => {
    expect(readFault({ ...firstFault, ...change })).toEqual({ ok: true, input });
    expect(faultRuleSchema.safeParse(input).success).toBe(true);
  });

  it.each([
    [{ type: 'delay', seconds: '601' }, 'seconds'],
    [{ type: 'delay', seconds: 'x' }, 'seconds'],
    [{ type: 'error', status: '200' }, 'status'],
    [{ type: 'error', retryAfter: '1.5' }, 'retryAfter'],
    [{ call: 'own', path: 'x' }, 'path'],
    [{ often: 'next', times: '' }, 'times'],
    [{ share: '0' }, 'share'],
    [{ share: '' }, 'share'],
    [{ share: '101' }, 'share'],
  ] as const)('%o has something wrong with its %s', (change, problem) => {
    expect(readFault({ ...firstFault, ...change })).toEqual({ ok: false, problem });
  });
});

describe('a test customer', () => {
  const templates = [{ template_id: 'tpl_cashback', name: '', card_type: 1, balances: ['cashback_minor' as const] }];
  const customer = { name: '', phone: '', email: '', externalId: '', isVerified: true };
  const cardWith = (balances: object) => {
    const card = newCard('1', 'tpl_cashback');
    return { ...card, balances: { ...card.balances, ...balances } };
  };
  const read = (balances: object) => customerBody({ ...customer, cards: [cardWith(balances)] }, templates, 'KWD');

  it('has only what was typed, and only balances that the card has', () => {
    expect(read({ cashback_minor: '١٢٫٥', points: '7' })).toEqual({
      ok: true,
      body: {
        verified: true,
        cards: [{ template_id: 'tpl_cashback', balances: { cashback_minor: 12_500 }, suspended: false }],
      },
    });
    expect(read({ cashback_minor: '0' })).toMatchObject({ body: { cards: [{ balances: { cashback_minor: 0 } }] } });
  });

  it('with a balance that is no number names its field', () => {
    expect(read({ cashback_minor: '-1' })).toEqual({ ok: false, field: 'cards.0.balances.cashback_minor' });
  });
});

describe('the rules', () => {
  it('come back as they went, and a limit may be left out', () => {
    const changes = changesOf(rulesOf(defaultSettings));
    expect(settingsSchema.parse({ ...defaultSettings, ...changes })).toEqual(defaultSettings);
    const limited = { ...rulesOf(defaultSettings), rate_limit_requests: '5', rate_limit_per_seconds: '' };
    expect(changesOf(limited)).toMatchObject({ rate_limit: { requests: 5, per_seconds: '' } });
  });

  it('that were typed since a form was sent stay typed', () => {
    const sent = { currency: 'BHD', apply_delay_ms: '5' };
    expect(typedSince(sent, sent)).toEqual({});
    expect(typedSince({ ...sent, apply_delay_ms: '50', otp_send_budget: '3' }, sent)).toEqual({
      apply_delay_ms: '50',
      otp_send_budget: '3',
    });
  });

  it('are named as the screen names them', () => {
    const names = ['otp.ttl_seconds', 'rate_limit.requests', 'conversion.minor_per_point', 'apply_delay_ms'];
    expect(names.map(fieldMeant)).toEqual([
      'otp_ttl_seconds',
      'rate_limit_requests',
      'minor_per_point',
      'apply_delay_ms',
    ]);
  });
});

it('what becomes due within a move is counted by kind', () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const due = [
    { kind: 'transaction', id: '1', at: at(1) },
    { kind: 'transaction', id: '2', at: at(60) },
    { kind: 'otp', id: '3', at: at(61) },
  ] as const;
  expect(dueWithin(due, 0, 60_000)).toEqual([['transaction', 2]]);
  expect(dueWithin(due, 2000, 60_000)).toEqual([
    ['transaction', 2],
    ['otp', 1],
  ]);
  expect(dueWithin([], 0, 60_000)).toEqual([]);
});

describe('the wall clock of a shop', () => {
  it('is read in its own zone, on the days on which clocks change too', () => {
    expect(instantOf('2026-11-20T10:00', 'Asia/Kuwait')).toBe(Date.parse('2026-11-20T07:00:00Z'));
    expect(instantOf('2026-07-01T10:00', 'Europe/London')).toBe(Date.parse('2026-07-01T09:00:00Z'));
    expect(instantOf('2026-10-25T00:30', 'Europe/London')).toBe(Date.parse('2026-10-24T23:30:00Z'));
    expect(instantOf('2026-03-08T03:30', 'America/St_Johns')).toBe(Date.parse('2026-03-08T06:00:00Z'));
    expect(instantOf('', 'Asia/Kuwait')).toBeNull();
    expect(wallTextOf(Date.parse('2026-11-20T07:00:59Z'), 'Asia/Kuwait')).toBe('2026-11-20T10:00');
  });

  it('leads there and back', () => {
    const zones = fc.constantFrom('Asia/Kuwait', 'Asia/Kathmandu', 'America/St_Johns', 'UTC');
    const minutes = fc.integer({ min: 0, max: 60 * 24 * 365 * 60 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const wall = wallTextOf(minute * 60_000, zone);
        const back = instantOf(wall, zone);
        // The hour that comes twice in autumn is one of the two.
        expect(wallTextOf(back ?? 0, zone)).toBe(wall);
      }),
    );
  });
});
