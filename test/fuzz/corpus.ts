import type { HttpTemplate } from './http-messages.ts';

/** Where a door is, and what opens it. */
interface DoorFacts {
  readonly port: number;
  readonly token: string;
}

const identifier = { loyalty_id: 'LC-1001' };
const sale = { identifier, external_ref: 'FZ-1', occurred_at: '2026-11-20T18:00:00Z', device_ref: 'till1' };

/** A good request for each call of the specification: method, path under `/v1`, body. */
const specificationCalls: readonly (readonly [string, string, unknown])[] = [
  ['POST', '/customers/identify', identifier],
  ['POST', '/customers/identify', { phone: '+96555510001' }],
  ['POST', '/transactions/earn', { ...sale, amount_minor: 1_000, currency: 'KWD' }],
  ['POST', '/transactions/earn', { ...sale, points: 1.5, metadata: { receipt: { lines: [1, 2, 3], note: 'é' } } }],
  ['POST', '/transactions/redeem', { identifier, external_ref: 'FZ-2', points: 1 }],
  ['POST', '/transactions/reverse', { external_ref: 'FZ-1', reversal_ref: 'FZ-R1', reason: 'wrong sale' }],
  ['POST', '/transactions/txn_1/reverse', { reversal_ref: 'FZ-R2' }],
  ['GET', '/transactions/txn_1', null],
  ['GET', '/transactions?external_ref=FZ-1', null],
  ['GET', '/customers/cus_1/transactions?limit=10', null],
  ['POST', '/customers/enroll', { external_ref: 'FZ-E1', phone: '+96555519999', name: 'Fatima' }],
  ['POST', '/customers/enroll/verify', { enrollment_id: 'enr_1', otp: '123456' }],
  ['POST', '/redemptions/reserve', { identifier, external_ref: 'FZ-H1', points: 1 }],
  ['POST', '/redemptions/res_1/commit', { external_ref: 'FZ-C1' }],
  ['POST', '/redemptions/res_1/release', null],
];

const officeCalls: readonly (readonly [string, unknown])[] = [
  ['queue.list', { limit: 10 }],
  ['queue.show', { external_ref: 'FZ-1' }],
  ['queue.take_back', { external_ref: 'FZ-1', reason: 'no', person: null }],
  ['queue.write_off', { external_ref: 'FZ-none', reason: 'no', person: null }],
  ['verify', { since: '2026-11-20T18:00:00Z', until: '2026-11-21T18:00:00Z' }],
  ['day.read', { date: '2026-11-20' }],
  ['day.list', {}],
  ['tokens.list', {}],
  ['tokens.make', { name: 'kiosk', prefix: 'K-' }],
  ['tokens.share', { name: 'kiosk', shared: true }],
  ['sessions.open', { kiosk: 'counter' }],
  ['sessions.end', { session: 'none' }],
  ['people.add_cashier', { name: 'Sara', employee_ref: 'E-1', badge: 'B-1' }],
  ['people.set_pin', { name: 'Sara', pin: '4711' }],
  ['people.remove', { name: 'Sara' }],
  ['settings.list', {}],
  ['settings.change', { patch: { device_name: 'Till 2' }, confirmed: false }],
  ['counts', {}],
];

function requests(
  { port, token }: DoorFacts,
  calls: readonly (readonly [string, string, unknown])[],
): readonly HttpTemplate[] {
  return calls.map(([method, target, body]) => ({
    method,
    target,
    headers: [
      ['Host', `127.0.0.1:${port}`],
      ['Authorization', `Bearer ${token}`],
      ['Accept', 'application/json'],
      ...(body === null ? [] : [['Content-Type', 'application/json'] as const]),
      ['Idempotency-Key', 'FZ-K1'],
    ],
    body,
  }));
}

const underV1 = specificationCalls.map(([method, path, body]) => [method, `/v1${path}`, body] as const);

export function bridgeCorpus(facts: DoorFacts, officeSecret: string): readonly HttpTemplate[] {
  return [
    ...requests(facts, underV1),
    ...requests(facts, [
      ['GET', '/v1/agent/status', null],
      ['GET', '/v1/agent/events', null],
      ['GET', '/healthz', null],
      ['GET', `/v1/agent/proof?challenge=${'a'.repeat(40)}`, null],
      ['OPTIONS', '/v1/transactions/earn', null],
      ['GET', '/_sandbox/clock', null],
    ]),
    ...requests(
      { ...facts, token: officeSecret },
      officeCalls.map(([name, input]) => ['POST', `/v1/agent/office/${name}`, input]),
    ),
  ];
}

/** The service's own calls, and those that turn its sandbox. */
export function serviceCorpus(facts: DoorFacts): readonly HttpTemplate[] {
  return [
    ...requests(facts, underV1),
    ...requests(facts, [
      ['GET', '/_sandbox/', null],
      ['GET', '/_sandbox/openapi.json', null],
      ['GET', '/_sandbox/settings', null],
      ['PATCH', '/_sandbox/settings', { default_region: 'KW' }],
      ['GET', '/_sandbox/clock', null],
      ['POST', '/_sandbox/clock', { advance_ms: 100 }],
      ['POST', '/_sandbox/clock', { set: '2026-12-24T18:00:00Z' }],
      [
        'POST',
        '/_sandbox/customers',
        { name: 'Noor', phone: '+96555512345', cards: [{ template_id: 'tpl_stamp', balances: { stamps: 3 } }] },
      ],
      ['PATCH', '/_sandbox/customers/cus_1', { name: 'Nour' }],
      ['GET', '/_sandbox/otp', null],
      ['GET', '/_sandbox/otp/enr_1', null],
      ['POST', '/_sandbox/faults', { match: { path: '/nowhere' }, effect: { type: 'delay', ms: 1 }, times: 1 }],
      ['GET', '/_sandbox/faults', null],
      ['DELETE', '/_sandbox/faults/flt_1', null],
      ['POST', '/_sandbox/transactions/txn_1/fail', { code: 'INTERNAL' }],
      ['GET', '/_sandbox/requests?limit=5', null],
      ['GET', '/_sandbox/requests/req_1', null],
      ['GET', '/_sandbox/keys', null],
      ['POST', '/_sandbox/keys', { source: 'fuzz' }],
      ['PATCH', '/_sandbox/keys/loyalty_pk_test_fuzz', { allowed_addresses: ['10.0.0.0/8'] }],
      ['POST', '/_sandbox/cards/card_1/suspend', {}],
      ['POST', '/_sandbox/cards/card_1/resume', {}],
    ]),
  ];
}

/** The screen's host: its files, its one-time token, and the way to its WebSocket with a first frame behind it. */
export function screenCorpus({ port, token }: DoorFacts): readonly HttpTemplate[] {
  const host = ['Host', `127.0.0.1:${port}`] as const;
  const upgrade: HttpTemplate['headers'] = [
    host,
    ['Origin', `http://127.0.0.1:${port}`],
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ];
  return [
    { method: 'GET', target: '/', headers: [host], body: null },
    { method: 'HEAD', target: '/index.html', headers: [host], body: null },
    { method: 'GET', target: `/?token=${token}`, headers: [host], body: null },
    { method: 'GET', target: '/no-session', headers: [host], body: null },
    { method: 'POST', target: '/', headers: [host], body: { token } },
    { method: 'GET', target: '/till', headers: upgrade, body: null },
    { method: 'GET', target: '/till', headers: upgrade, body: { token } },
  ];
}
