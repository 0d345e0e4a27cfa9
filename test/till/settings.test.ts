import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PosTokens } from '../../app/bridge/pos-tokens.ts';
import type { CallOutcome } from '../../app/client/outcome.ts';
import { SettingsEditor } from '../../app/config/settings-editor.ts';
import { connectionLines } from '../../app/doctor/connection-lines.ts';
import { databasePath } from '../../app/machine/data-files.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { fileSecretStore } from '../../app/machine/secrets.ts';
import { People } from '../../app/people/people.ts';
import { openStore } from '../../app/store/store.ts';
import { SignedInCashier } from '../../app/till/cashier.ts';
import type { Till } from '../../app/till/till.ts';
import { type TillCommandName, type TillReply, tillCommands } from '../../shared/till/api.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answeredFacts, doneOutcome, fakeNowMs, offlineOutcome } from '../support/fake-records.ts';
import { noSettings } from '../support/fake-settings.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

let shop: CounterShop;
let till: Till;
let waiting: Record<Mode, number>;
let asked: { readonly baseUrl: string; readonly apiKey: string }[];
const faults: unknown[] = [];

beforeEach(async () => {
  shop = await openShop();
  waiting = { sandbox: 0, production: 0 };
  asked = [];
  const secrets = fileSecretStore(shop.dataDir);
  const editor = new SettingsEditor({
    sources: () => ({ dataDir: shop.dataDir, flags: {}, environment: {}, managedFile: null }),
    secrets,
    waiting: () => waiting,
    running: shop.core.settings,
    isPackaged: false,
  });
  till = tillOf({
    core: shop.core,
    clock: shop.clock,
    settings: {
      ...noSettings,
      read: () => editor.read(),
      change: (patch, confirmation) => editor.change(patch, confirmation),
      preview: (patch) => editor.preview(patch),
      tokens: await PosTokens.load({ secrets, randomBytes }),
      testConnection: async (service) => {
        asked.push(service);
        return connectionLines(doneOutcome({}), { baseUrl: service.baseUrl, tookMs: 40, nowMs: fakeNowMs });
      },
      nowMs: () => fakeNowMs,
    },
    onFault: (error) => faults.push(error),
  });
});
afterEach(async () => {
  expect(faults).toEqual([]);
  till.close();
});

/** A question as the page asks it; a good answer has the shape that the page expects. */
async function ask(command: TillCommandName, input: object): Promise<TillReply<ReturnType<typeof JSON.parse>>> {
  const reply = await till.handle({ command, input });
  if (reply.ok) tillCommands[command].answer.parse(reply.value);
  return reply;
}

/** A manager of production, made as an agent in that mode makes them. */
async function addProductionManager(name: string, pin: string): Promise<void> {
  const store = openStore(databasePath(shop.dataDir, 'production'), { random: seededRandom(3) });
  const people = new People({
    store: store.people,
    writer: store.writer,
    clock: shop.clock,
    lockClock: shop.clock,
    randomBytes: (length) => randomBytes(length),
    badgeHash: (badge) => Buffer.from(badge),
  });
  expect(await people.addManager(name, pin)).toMatchObject({ kind: 'added' });
  store.close();
}

const liveKey = 'loyalty_pk_live_qqqqqqqq9999';
const toProduction = { mode: 'production', base_url: 'https://loyalty.example/v1', api_key: liveKey };
const officeCommands: readonly (readonly [TillCommandName, object])[] = [
  ['settings.read', {}],
  ['settings.change', { patch: { device_name: 'Front' } }],
  ['settings.test_connection', { patch: {} }],
  ['tokens.list', {}],
  ['tokens.make', { name: 'kiosk', prefix: 'K-' }],
  ['tokens.revoke', { name: 'kiosk' }],
  ['people.list', {}],
  ['people.add_manager', { name: 'Eve', new_pin: '8642' }],
  ['people.add_cashier', { name: 'Eve', employee_ref: 'e', badge: 'B-1' }],
  ['people.remove', { name: 'Eve' }],
];

describe('a disk that takes nothing', () => {
  it.each([
    ['settings.json', 'settings.change', { patch: { device_name: 'Front' } }],
    ['secrets.json', 'tokens.make', { name: 'kiosk', prefix: 'K-' }],
    ['secrets.json', 'tokens.revoke', { name: 'main' }],
  ] as const)(
    'is told as that when %s cannot be written by %s, and the log has the reason',
    async (file, command, input) => {
      // Where the new file would be written stands a folder.
      mkdirSync(join(shop.dataDir, `${file}.${process.pid}.new`));
      expect(await ask(command, input)).toMatchObject({ ok: false, error: { code: 'not_saved' } });
      expect(faults.splice(0)).toHaveLength(1);
    },
  );

  it('is told as that when nobody can be added', async () => {
    const other = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    other.exec(`CREATE TRIGGER full BEFORE INSERT ON people BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    expect(await ask('people.add_manager', { name: 'Mona', new_pin: '4711' })).toMatchObject({
      ok: false,
      error: { code: 'not_saved' },
    });
    other.close();
    expect(faults.splice(0)).toHaveLength(1);
  });
});

describe('a PIN that cannot be counted', () => {
  it('is not looked at, and the press is told that nothing was saved, until the disk takes something again', async () => {
    await shop.core.people.addManager('Mona', '4711');
    await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'e-1', badge: 'B-1' });
    await shop.core.people.setCashierPin('Sami', '8024');
    const presses: readonly (readonly [TillCommandName, object])[] = [
      ['settings.read', { pin: '4711' }],
      ['cashier.sign_in', { name: 'Sami', pin: '8024' }],
    ];
    const other = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    for (const [table, event] of [
      ['meta', 'INSERT'],
      ['meta', 'UPDATE'],
      ['pin_failures', 'INSERT'],
      ['pin_failures', 'UPDATE'],
    ])
      other.exec(
        `CREATE TRIGGER full_${table}_${event} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`,
      );
    for (const [command, input] of presses) {
      expect(await ask(command, input), command).toMatchObject({ ok: false, error: { code: 'not_saved' } });
      expect(await ask(command, { ...input, pin: '1357' }), command).toMatchObject({ error: { code: 'not_saved' } });
      expect(faults.splice(0)).toHaveLength(2);
    }
    for (const table of ['meta', 'pin_failures'])
      for (const event of ['INSERT', 'UPDATE']) other.exec(`DROP TRIGGER full_${table}_${event}`);
    other.close();
    for (const [command, input] of presses) expect(await ask(command, input), command).toMatchObject({ ok: true });
  });
});

describe('what is the till’s own', () => {
  it('is open on a till without managers, and each of them is asked for a PIN once there is one', async () => {
    for (const [command, input] of officeCommands) {
      if (command !== 'people.add_manager') expect(await ask(command, input), command).toMatchObject({ ok: true });
    }
    expect(await ask('people.add_manager', { name: 'Mona', new_pin: '4711' })).toMatchObject({
      value: { kind: 'added', person: { name: 'Mona', role: 'manager' } },
    });
    for (const [command, input] of officeCommands) {
      expect(await ask(command, input), command).toMatchObject({ error: { code: 'pin_needed' } });
      expect(await ask(command, { ...input, pin: '1111' }), command).toMatchObject({ ok: false });
    }
  });

  it('asks for a manager of production in a sandbox that has none of its own', async () => {
    await addProductionManager('Mona', '4711');
    expect(shop.core.people.hasManagers).toBe(false);
    for (const [command, input] of officeCommands) {
      expect(await ask(command, input), command).toMatchObject({ error: { code: 'pin_needed' } });
    }
    expect(await ask('settings.change', { patch: toProduction, pin: '4712' })).toMatchObject({
      error: { code: 'pin_wrong', details: [4] },
    });
    expect(await ask('settings.change', { patch: toProduction, pin: '4711' })).toMatchObject({
      value: { kind: 'saved', restart_needed: true },
    });
  });

  it('is not for a manager whom only the sandbox knows, once production has managers', async () => {
    await ask('people.add_manager', { name: 'Tester', new_pin: '2468' });
    expect(await ask('settings.read', { pin: '2468' })).toMatchObject({ ok: true });
    await addProductionManager('Mona', '4711');
    expect(await ask('settings.read', { pin: '2468' })).toMatchObject({ error: { code: 'pin_wrong' } });
    expect(await ask('settings.read', { pin: '4711' })).toMatchObject({ ok: true });
    // What is of the sandbox alone stays the sandbox's managers'.
    expect(await shop.core.people.checkPin('2468')).toMatchObject({ kind: 'right', name: 'Tester' });
  });

  it('stays shut while production’s database cannot be read, and each answer names that file', async () => {
    const path = databasePath(shop.dataDir, 'production');
    writeFileSync(path, 'no database at all, and longer than the head of one would be'.repeat(20));
    for (const [command, input] of officeCommands) {
      const reply = await ask(command, input);
      expect(reply, command).toMatchObject({ ok: false, error: { code: 'people_unread' } });
      expect(reply.ok ? '' : reply.error.message, command).toContain(`${path}, too, which cannot be read`);
      expect(faults.splice(0), command).toHaveLength(1);
    }
    rmSync(path);
    expect(await ask('settings.read', {})).toMatchObject({ ok: true });
  });

  it('locks after five wrong PINs, whichever command they came with', async () => {
    await addProductionManager('Mona', '4711');
    for (const [command, input] of officeCommands.slice(0, 5)) await ask(command, { ...input, pin: '0000' });
    expect(await ask('settings.read', { pin: '4711' })).toMatchObject({
      error: { code: 'pin_locked', details: [60_000] },
    });
  });
});

describe('the settings screen', () => {
  it('never gets a key, and saves nothing of a patch with a bad field', async () => {
    expect(await ask('settings.change', { patch: { ...toProduction, currency: 'nonsense' } })).toMatchObject({
      value: { kind: 'refused', problems: [{ field: 'currency' }] },
    });
    expect(await ask('settings.change', { patch: toProduction })).toMatchObject({ value: { kind: 'saved' } });
    const read = await ask('settings.read', {});
    expect(JSON.stringify(read)).not.toContain(liveKey);
    expect(JSON.stringify(read)).toContain('loyalty_pk_live_…9999');
  });

  it('tells how many wait before another key is saved', async () => {
    waiting.sandbox = 7;
    const patch = { api_key: 'loyalty_pk_test_abcdefgh1234' };
    expect(await ask('settings.change', { patch })).toMatchObject({
      value: { kind: 'needs_confirmation', waiting: { sandbox: 7, production: 0 } },
    });
    expect(await ask('settings.change', { patch, confirmed: true })).toMatchObject({ value: { kind: 'saved' } });
  });

  it('tests the connection with what was typed, saving nothing', async () => {
    expect(
      await ask('settings.test_connection', { patch: { ...toProduction, 'tls.min_version': '1.3' } }),
    ).toMatchObject({
      value: {
        kind: 'tested',
        lines: [{ check: 'address', verdict: 'reached' }, {}, { verdict: 'key_taken' }, {}, {}],
      },
    });
    expect(asked).toEqual([
      { baseUrl: 'https://loyalty.example/v1', apiKey: liveKey, tls: { min_version: '1.3', pins: [] } },
    ]);
    expect(await ask('settings.test_connection', { patch: { mode: 'production' } })).toMatchObject({
      value: { kind: 'refused', problems: [{ field: 'base_url' }, { field: 'api_key' }] },
    });
    expect(await ask('settings.test_connection', { patch: {} })).toMatchObject({
      value: { lines: [{ verdict: 'built_in' }, {}, {}, {}, {}] },
    });
    expect(await ask('settings.read', {})).toMatchObject({ value: { restart_needed: false } });
  });

  it('tells a new token once', async () => {
    const made = await ask('tokens.make', { name: 'kiosk', prefix: 'K-' });
    expect(made).toMatchObject({ value: { kind: 'made', facts: { name: 'kiosk', reference_prefix: 'K-' } } });
    const token: string = made.ok ? made.value.token : '';
    expect(token).toMatch(/^tillbridge_/);
    expect(JSON.stringify(await ask('tokens.list', {}))).not.toContain(token);
    expect(await ask('tokens.make', { name: 'kiosk', prefix: 'Q-' })).toMatchObject({
      value: { kind: 'invalid', field: 'name' },
    });
    expect(await ask('tokens.revoke', { name: 'kiosk' })).toMatchObject({ value: { revoked: true } });
  });
});

describe('a test of the connection', () => {
  const facts = { baseUrl: 'https://loyalty.example/v1', tookMs: 80, nowMs: fakeNowMs };
  const verdicts = (outcome: CallOutcome<unknown>, more: Partial<typeof facts> = {}) =>
    Object.fromEntries(
      connectionLines(outcome, { ...facts, ...more }).map(({ check, tone, verdict }) => [check, `${tone} ${verdict}`]),
    );
  const failed = (cause: typeof offlineOutcome.cause): CallOutcome<unknown> => ({
    ...offlineOutcome,
    cause,
    facts: answeredFacts,
    error: { code: 'X', message: '', retryable: false, request_id: 'r' },
  });

  it('tells address, secure line, key, clock and time apart', () => {
    expect(verdicts(doneOutcome({}))).toEqual({
      address: 'well reached',
      secure_line: 'well encrypted',
      key: 'well key_taken',
      clock: 'well clock_agrees',
      time: 'well quick',
    });
    expect(verdicts(failed('unauthenticated'), { baseUrl: 'http://loyalty.example/v1', tookMs: 2500 })).toEqual({
      address: 'well reached',
      secure_line: 'warning not_encrypted',
      key: 'problem key_refused',
      clock: 'well clock_agrees',
      time: 'warning slow',
    });
    expect(verdicts(offlineOutcome)).toEqual({
      address: 'problem unreachable',
      secure_line: 'not_known not_known',
      key: 'not_known not_known',
      clock: 'not_known not_known',
      time: 'not_known not_known',
    });
  });

  it.each([
    ['tls', 'secure_line', 'problem certificate_refused'],
    ['timeout', 'address', 'problem no_answer_in_time'],
    ['not_the_service', 'address', 'problem something_else_answers'],
    ['service', 'address', 'problem service_fault'],
    ['suspended', 'key', 'problem suspended'],
    ['throttled', 'key', 'warning throttled'],
  ] as const)('puts %s down to the %s', (cause, check, said) => {
    expect(verdicts(failed(cause))[check]).toBe(said);
  });

  it.each([
    [61_000, 'clock_ahead', 61],
    [-90_000, 'clock_behind', 90],
  ] as const)('of a clock %i ms off says %s', (offMs, verdict, seconds) => {
    const lines = connectionLines(doneOutcome({}), { ...facts, nowMs: fakeNowMs + offMs });
    expect(lines.find(({ check }) => check === 'clock')).toMatchObject({ tone: 'problem', verdict, seconds });
  });

  it('takes no word of a captive portal about the clock', () => {
    const portal: CallOutcome<unknown> = { ...offlineOutcome, cause: 'not_the_service', facts: answeredFacts };
    expect(verdicts(portal).clock).toBe('not_known not_known');
  });
});

it('an employee of the settings stands on what is taken while nobody has signed in', async () => {
  await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
  const cashier = new SignedInCashier(
    { ...shop.core, settings: { ...shop.core.settings, employee_ref: 'till-1' } },
    () => undefined,
  );
  expect(cashier.stamped({ operation_id: 'op-1' })).toEqual({ operation_id: 'op-1', employee_ref: 'till-1' });
  cashier.signIn('B-1001');
  expect(cashier.stamped({ operation_id: 'op-1' })).toEqual({ operation_id: 'op-1', employee_ref: 'emp-7' });
});
