import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { openDisplay } from '../../app/agent/open-display.ts';
import { noAudit } from '../../app/audit/audit-events.ts';
import { CustomerDisplay } from '../../app/till/customer-display.ts';
import { tillCommands } from '../../shared/till/api.ts';
import type { DisplayView } from '../../shared/till/display-views.ts';
import { memorySecrets, serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
let display: CustomerDisplay;
beforeEach(async () => {
  shop = await openShop();
  display = displayOf(shop.core);
});

function displayOf(core: CounterShop['core']): CustomerDisplay {
  const opened = new CustomerDisplay({
    core,
    clock: shop.clock,
    newId: () => shop.newId(),
    onCheckIn: () => undefined,
    onFault: (error) => shop.errors.push(String(error)),
  });
  onTestFinished(() => opened.close());
  return opened;
}

const ask = (command: string, input: object = {}) => shop.passUntil(display.handle({ command, input }));
const fatima: DisplayView = {
  kind: 'customer',
  is_confirmed: true,
  name: 'Fatima Al-Sabah',
  balance: { dimension: 'points', value: 245.5, currency: null },
  progress: null,
  rewards: [],
  sale: null,
  happened: null,
  is_kept: false,
};
const page = {};
const show = (view: DisplayView, by: object = page) => display.show(view, by);
const shown = async () => {
  const reply = await ask('display.read');
  return reply.ok ? reply.value : reply.error;
};

describe('the customers’ screen', () => {
  test('shows the first name alone, and nobody once the cashier has moved on or fallen silent', async () => {
    show(fatima);
    expect(await shown()).toMatchObject({ view: { name: 'Fatima', balance: { value: 245.5 } }, is_online: true });
    show({ kind: 'nobody' });
    expect(await shown()).toMatchObject({ view: { kind: 'nobody' } });
    show(fatima);
    await shop.pass(5 * 60_000 + 1_000);
    expect(await shown()).toMatchObject({ view: { kind: 'nobody' } });
  });

  describe('of two pages', () => {
    const [a, b] = [{}, {}];
    const nobody = { kind: 'nobody' } as const;
    const yousef = { ...fatima, name: 'Yousef Al-Ali' };
    const showing = (name: string) => ({ view: { kind: 'customer', name } });
    beforeEach(() => {
      show(nobody, a);
      show(fatima, b);
      show(yousef, a);
    });

    test('shows the customer who came last, and no news of the one before', async () => {
      show({ ...fatima, balance: { dimension: 'points', value: 299.5, currency: null } }, b);
      expect(await shown()).toMatchObject(showing('Yousef'));
      // Nor where nobody is served any more.
      show(nobody, a);
      show(fatima, b);
      expect(await shown()).toMatchObject({ view: nobody });
    });

    test('shows any news of the page that is left when the one that was shown last is closed', async () => {
      display.pageGone(a);
      expect(await shown()).toMatchObject({ view: nobody });
      show({ ...fatima, balance: { dimension: 'points', value: 299.5, currency: null } }, b);
      expect(await shown()).toMatchObject(showing('Fatima'));
    });

    test('hides a customer with the page that serves them alone', async () => {
      show(nobody, b);
      expect(await shown()).toMatchObject(showing('Yousef'));
      show(fatima, b);
      expect(await shown()).toMatchObject(showing('Fatima'));
      display.hide(a);
      expect(await shown()).toMatchObject(showing('Fatima'));
      display.hide(b);
      expect(await shown()).toMatchObject({ view: nobody });
    });

    test('shows whom the cashier goes on serving', async () => {
      const sale = { amount_minor: 5_000, currency: 'KWD' };
      show({ ...fatima, sale }, b);
      expect(await shown()).toMatchObject(showing('Fatima'));
      show({ ...yousef, happened: { kind: 'added', money: null } }, a);
      expect(await shown()).toMatchObject(showing('Yousef'));
      // What became of it is told later, also of one who has gone.
      show({ ...fatima, sale: null, happened: { kind: 'follows', money: sale } }, b);
      show({ ...yousef, happened: null }, a);
      expect(await shown()).toMatchObject(showing('Fatima'));
      show({ ...yousef, sale }, a);
      show({ ...fatima, happened: { kind: 'added', money: sale } }, b);
      expect(await shown()).toMatchObject(showing('Yousef'));
    });

    test('shows after a lock, or a silence, the same customer as before', async () => {
      for (const isSilent of [false, true]) {
        if (isSilent) await shop.pass(5 * 60_000 + 1_000);
        else display.hide(a);
        expect(await shown()).toMatchObject({ view: nobody });
        show(fatima, b);
        show(yousef, a);
        expect(await shown()).toMatchObject(showing('Yousef'));
      }
    });

    test('shows the customer of a page that has connected again where nobody else’s is shown', async () => {
      const again = {};
      show(fatima, again);
      expect(await shown()).toMatchObject(showing('Yousef'));
      display.hide(a);
      show(yousef, {});
      expect(await shown()).toMatchObject(showing('Yousef'));
    });
  });

  test('has the name of the shop at its head, and the till’s where the shop has none', async () => {
    expect(await shown()).toMatchObject({ shop: 'Till 1' });
    display = displayOf({ ...shop.core, settings: { ...shop.core.settings, shop_name: 'Salmiya Coffee' } });
    expect(await shown()).toMatchObject({ shop: 'Salmiya Coffee' });
  });

  test('shows an initial alone of whoever was brought by a phone that anybody may have typed', async () => {
    const happened = { kind: 'gained', gain: { dimension: 'points', value: 12, currency: null } } as const;
    const progress = { unit: 'stamps', left: 3, share: 0.7, reward: null } as const;
    const sale = { amount_minor: 12_500, currency: 'KWD' };
    show({ ...fatima, is_confirmed: false, rewards: ['Free cake'], progress, happened, sale, is_kept: true });
    const nothing = { balance: null, progress: null, rewards: [], happened: null, is_kept: false };
    expect(await shown()).toMatchObject({ view: { name: 'F.', sale, ...nothing } });
    show({ ...fatima, is_confirmed: false, name: '+96599887766' });
    expect(await shown()).toMatchObject({ view: { name: null } });
    show(fatima);
    expect(await shown()).toMatchObject({ view: { name: 'Fatima', balance: { value: 245.5 } } });
  });

  test('shows no phone and no address of somebody who has no other name', async () => {
    for (const name of ['+96599887766', '99887766', '٩٩٨٨٧٧٦٦', 'fatima@example.com']) {
      show({ ...fatima, name });
      expect(await shown()).toMatchObject({ view: { kind: 'customer', name: null } });
    }
  });

  test('tells a page that comes back of everything that changes from then on', async () => {
    const told: object[] = [];
    const leave = display.onEvent(() => undefined);
    show({ kind: 'nobody' });
    leave();
    show(fatima);
    onTestFinished(display.onEvent((event) => told.push(event)));
    show({ kind: 'nobody' });
    expect(told).toMatchObject([{ state: { view: { kind: 'nobody' } } }]);
  });

  test('may ask none of the cashier’s commands', async () => {
    for (const command of [...Object.keys(tillCommands), 'constructor', '']) {
      expect(await ask(command)).toMatchObject({ ok: false, error: { code: 'invalid', field: 'command' } });
    }
  });

  test('says of a phone that it is known or not, and tells the cashier, but the page nothing of whose it is', async () => {
    const phone = '+96599887766';
    expect(await ask('display.check_in', { phone })).toEqual({ ok: true, value: { outcome: 'found' } });
    expect(display.checkIn).toMatchObject({ phone });
    // Of two pages, the first takes it over.
    const { id = '' } = display.checkIn ?? {};
    expect([display.taken(id), display.taken(id)]).toEqual([true, false]);
    expect(display.checkIn).toBeNull();
    expect(await ask('display.check_in', { phone: '+96599990000' })).toEqual({
      ok: true,
      value: { outcome: 'unknown' },
    });
    expect(display.checkIn).toBeNull();
    expect(await ask('display.check_in', { phone: 'x' })).toMatchObject({ ok: false, error: { field: 'phone' } });
  });

  test('takes ten check-ins a minute', async () => {
    const tries = [];
    for (let count = 0; count < 11; count += 1) {
      const reply = await ask('display.check_in', { phone: '+96599990000' });
      tries.push(reply.ok ? 'asked' : reply.error.code);
    }
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 'asked'), 'not_now']);
    await shop.pass(61_000);
    expect(await ask('display.check_in', { phone: '+96599990000' })).toMatchObject({ ok: true });
  });

  test('enrolls with the code that was sent, and not with another', async () => {
    const attempt = shop.newId();
    expect(await ask('display.join', { attempt, phone: '+96599990000' })).toEqual({
      ok: true,
      value: { outcome: 'code_sent' },
    });
    expect(await ask('display.code', { attempt: shop.newId(), code: '123456' })).toMatchObject({ ok: false });
    expect(await ask('display.code', { attempt, code: '0000' })).toMatchObject({
      ok: false,
      error: { service_code: 'OTP_INVALID', details: ['otp_incorrect'] },
    });
  });

  test.each([
    ['was never sent', async () => ({ kind: 'no_connection' })],
    [
      'lost its answer',
      async (call, carry) => {
        await carry(call);
        return { kind: 'dropped' };
      },
    ],
  ] as readonly [string, CounterShop['meddle']][])(
    'enrolls by the same attempt when the first try %s',
    async (_how, meddle) => {
      const attempt = shop.newId();
      const join = () => ask('display.join', { attempt, phone: '+96599990000' });
      const straight = shop.meddle;
      shop.meddle = meddle;
      expect(await join()).toMatchObject({ ok: false });
      shop.meddle = straight;
      await shop.pass(120_000);
      expect(await join()).toMatchObject({ ok: true, value: { outcome: 'code_sent' } });
    },
  );
});

test('from the customers’ page nothing else of the till is reached', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-display-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  mkdirSync(join(dataDir, 'page', 'customer'), { recursive: true });
  writeFileSync(join(dataDir, 'page', 'customer', 'index.html'), '<!doctype html>');
  writeFileSync(join(dataDir, 'page', 'index.html'), 'the cashier’s');
  const start = {
    dataDir,
    rendererDir: join(dataDir, 'page'),
    secrets: memorySecrets(),
    log: { error: () => undefined, warn: () => undefined },
  };
  const opened = await openDisplay(start, { core: shop.core, audit: noAudit, onCheckIn: () => undefined });
  onTestFinished(opened.close);
  const { origin, searchParams } = new URL(opened.url);
  const statusOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(origin + path, { redirect: 'manual', ...init })).status;
  expect(await statusOf('/customer?token=wrong')).toBe(403);
  expect(await statusOf(new URL(opened.url).pathname + new URL(opened.url).search)).toBe(303);
  const usedAgain = await (await fetch(opened.url)).text();
  expect(usedAgain).toContain('<a href="/customer">');
  expect(usedAgain).not.toContain('sessions open');
  expect(await statusOf('/customer')).toBe(200);
  for (const path of ['/', '/till', '/v1/agent/status', '/v1/transactions/earn', '/_sandbox/clock', '/screen.json']) {
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  }
  expect(await (await fetch(`${origin}/index.html`)).text()).toBe('<!doctype html>');
  expect(await statusOf('/customer', { method: 'POST' })).toBe(405);
  const socketAt = (path: string, from: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { origin: from });
      socket.once('open', () => resolve('open'));
      socket.once('error', (error) => resolve(error.message));
      onTestFinished(() => socket.terminate());
    });
  expect(await socketAt('/till', origin)).toContain('403');
  expect(await socketAt('/customer/line', 'http://elsewhere.example')).toContain('403');
  expect(await socketAt('/customer/line', origin)).toBe('open');
  const bridge = await serveCore(shop.core);
  onTestFinished(bridge.close);
  for (const [method, path] of [
    ['GET', '/v1/agent/status'],
    ['POST', '/v1/transactions/earn'],
    ['POST', '/v1/agent/office/people.list'],
  ] as const) {
    const authorization = `Bearer ${searchParams.get('token')}`;
    expect((await bridge.call(method, path, method === 'POST' ? {} : undefined, { authorization })).status).toBe(401);
  }
});
