import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { provenWords } from '../../shared/till/session-words.ts';
import { fakeOperation } from '../support/fake-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { PageEnd } from '../support/page-end.ts';
import { hmac, pageChallenge, WebScreen } from '../support/web-screen.ts';

let screen: WebScreen;
let origin: string;

beforeEach(async () => {
  screen = await WebScreen.open();
  origin = screen.origin;
});
afterEach(() => screen.end());

describe('the line to the till', () => {
  it('wants this origin and this path', async () => {
    expect(await new PageEnd(origin, {}).closed).toBe(403);
    expect(await new PageEnd(origin, { origin: 'https://evil.example' }).closed).toBe(403);
    expect(await new PageEnd(origin, { origin: origin.replace(/\d+$/, '1') }).closed).toBe(403);
    expect(await new PageEnd(origin, { origin: 'null' }).closed).toBe(403);
    expect(await new PageEnd(origin, { origin }, '/other').closed).toBe(403);
    expect(await new PageEnd(origin, { origin, host: 'evil.example' }).closed).toBe(403);
  });

  it('is opened by a proof in both directions, and by nothing else', async () => {
    const { held } = await screen.openPage();
    const attacks: ((agentChallenge: string) => object)[] = [
      () => ({ id: 1, command: 'state.read', input: {} }),
      () => ({ session: held.session, challenge: pageChallenge, proof: '00'.repeat(32) }),
      () => ({ session: held.session, secret: held.secret }),
      () => ({ session: 'secret-99', challenge: pageChallenge, proof: '00'.repeat(32) }),
      // Of another challenge, of the other side, and of a page of another port.
      () => proofOf('page', { origin, agentChallenge: 'cd'.repeat(32) }),
      (agentChallenge) => proofOf('agent', { origin, agentChallenge }),
      (agentChallenge) => proofOf('page', { origin: 'http://127.0.0.1:1', agentChallenge }),
    ];
    function proofOf(side: 'page' | 'agent', facts: { readonly origin: string; readonly agentChallenge: string }) {
      const meeting = { ...facts, session: held.session, pageChallenge };
      return { session: held.session, challenge: pageChallenge, proof: hmac(held.secret, provenWords(side, meeting)) };
    }
    for (const attack of attacks) {
      const { page, agentChallenge } = await screen.openLine();
      page.say(attack(agentChallenge));
      expect(await Promise.race([page.next(), page.closed])).toBe(4401);
    }
    const { page, agentChallenge } = await screen.openLine();
    const meeting = { origin, session: held.session, agentChallenge, pageChallenge };
    expect(await screen.meet(page, held, agentChallenge)).toEqual({
      proof: hmac(held.secret, provenWords('agent', meeting)),
    });
    page.socket.close();
  });

  it('is not kept from its page by strangers who prove nothing', async () => {
    const { held } = await screen.openPage();
    const strangers = Array.from({ length: 40 }, () => new PageEnd(origin));
    await Promise.all(strangers.map((stranger) => Promise.race([stranger.next(), stranger.closed])));
    expect(await screen.comeBack(held)).toMatchObject({ proof: expect.any(String) });
    for (const { socket } of strangers) socket.terminate();
  });

  it('opens also where nobody can note its session, which then lives until the agent ends', async () => {
    // Where the new file would be written stands a folder.
    mkdirSync(join(screen.folder, `screen.json.${process.pid}.new`));
    const page = await screen.openPage();
    page.say({ id: 7, command: 'operations.recent', input: {} });
    expect(await page.next()).toMatchObject({ id: 7, ok: true });
    expect(screen.unkept).toHaveLength(1);
    expect(await screen.comeBack(page.held)).toMatchObject({ proof: expect.any(String) });
    // Who ends it has to know that it is not ended for the next start.
    expect(() => screen.host.endSession(page.held.session)).toThrow('screen.json');
    expect(await page.closed).toBe(4401);
    expect(await screen.comeBack(page.held)).toBe(4401);
  });

  it('ends when its session is ended', async () => {
    const page = await screen.openPage();
    expect(screen.host.sessions.list()).toMatchObject([{ id: page.held.session, kiosk: null }]);
    expect(screen.host.endSession(page.held.session)).toBe(true);
    expect(await page.closed).toBe(4401);
    expect(await screen.comeBack(page.held)).toBe(4401);
    expect(screen.host.endSession(page.held.session)).toBe(false);
  });

  it('takes nothing more from a page whose session is ended, also when the page does not answer the goodbye', async () => {
    const [page, other] = [await screen.openPage(), await screen.openPage(screen.host.newUrl(null))];
    // It reads nothing, as a page that is made to stay.
    page.socket.pause();
    screen.host.endSession(page.held.session);
    const asked = vi.spyOn(screen.core, 'recentOperations');
    await new Promise((sent) => page.socket.send(`{"id":1,"command":"operations.recent","input":{}}`, sent));
    for (const id of [1, 2, 3]) {
      other.say({ id, command: 'state.read', input: {} });
      expect(await other.next()).toMatchObject({ id });
    }
    expect(asked).not.toHaveBeenCalled();
    for (const { socket } of [page, other]) socket.terminate();
  });

  it('of a page that stays open keeps its session, which is listed and can be ended, and ends with its whole life', async () => {
    const [timers, hourMs] = [new ManualClock(), 3_600_000];
    let laterMs = 0;
    await screen.host.close();
    screen.clock = {
      now: () => timers.now() + laterMs,
      monotonicMs: () => timers.monotonicMs() + laterMs,
      setTimer: (callback, delayMs) => timers.setTimer(callback, delayMs),
    };
    await screen.start();
    ({ origin } = screen);
    /** The page answers one ping in each hour. */
    const pass = async (page: PageEnd, hours: number) => {
      for (let hour = 0; hour < hours && page.socket.readyState === page.socket.OPEN; hour += 1) {
        laterMs += hourMs - 20_000;
        const asked = Promise.race([once(page.socket, 'ping'), page.closed]);
        timers.advance(20_000);
        await asked;
        page.say({ id: hour, command: 'operations.recent', input: {} });
        await Promise.race([page.next(), page.closed]);
      }
    };
    const listed = () => screen.host.sessions.list().map(({ id }) => id);
    const first = await screen.openPage();
    await pass(first, 25);
    const second = await screen.openPage(screen.host.newUrl(null));
    expect(listed()).toEqual([first.held.session, second.held.session]);
    expect(screen.host.endSession(first.held.session)).toBe(true);
    expect(await first.closed).toBe(4401);
    await pass(second, 30 * 24 - 1);
    expect(listed()).toEqual([second.held.session]);
    await pass(second, 1);
    expect(await second.closed).toBe(4401);
    expect(listed()).toEqual([]);
  });

  it('ends when its kiosk has a new session, which takes the place of its own', async () => {
    const first = await screen.openPage(screen.host.newUrl('counter-1'));
    const unnamed = await screen.openPage();
    const second = await screen.openPage(screen.host.newUrl('counter-1'));
    expect(await first.closed).toBe(4401);
    for (const page of [unnamed, second]) {
      page.say({ id: 7, command: 'operations.recent', input: {} });
      expect(await page.next()).toMatchObject({ id: 7, ok: true });
    }
    expect(screen.host.sessions.list().map(({ id }) => id)).toEqual([unnamed.held.session, second.held.session]);
  });

  it('tells when a page has gone, and nothing of a stranger', async () => {
    const [first, second] = [await screen.openPage(), await screen.openPage(screen.host.newUrl(null))];
    const { page: stranger } = await screen.openLine();
    for (const page of [stranger, first]) {
      page.socket.terminate();
      await page.closed;
    }
    second.say({ id: 7, command: 'operations.recent', input: {} });
    await second.next();
    expect(screen.goneCount).toBe(1);
    second.socket.terminate();
    await expect.poll(() => screen.goneCount).toBe(2);
  });

  it('knows of each page whom it put on the customers’ screen, until it is gone', async () => {
    const [first, second] = [await screen.openPage(), await screen.openPage(screen.host.newUrl(null))];
    const customer = { kind: 'customer', is_confirmed: true, balance: null, progress: null, rewards: [], sale: null };
    const show = async (page: typeof first, name: string | null) => {
      const view = name === null ? { kind: 'nobody' } : { ...customer, name, happened: null, is_kept: false };
      page.say({ id: 7, command: 'display.show', input: { view } });
      expect(await page.next()).toMatchObject({ id: 7, ok: true });
    };
    const shown = () => screen.display.handle({ command: 'display.read', input: {} });
    await show(first, null);
    await show(second, 'Fatima');
    await show(first, 'Yousef');
    await show(second, 'Fatima Al-Sabah');
    expect(await shown()).toMatchObject({ value: { view: { name: 'Yousef' } } });
    second.socket.terminate();
    await expect.poll(() => screen.goneCount).toBe(1);
    expect(await shown()).toMatchObject({ value: { view: { name: 'Yousef' } } });
    first.socket.terminate();
    await expect.poll(async () => shown()).toMatchObject({ value: { view: { kind: 'nobody' } } });
  });

  it('answers questions by their id and tells of changes', async () => {
    const page = await screen.openPage();
    page.say({ id: 7, command: 'operations.recent', input: {} });
    expect(await page.next()).toEqual({ id: 7, ok: true, value: { operations: [] } });
    page.say({ id: 8, command: 'nothing', input: {} });
    expect(await page.next()).toMatchObject({ id: 8, ok: false, error: { code: 'invalid' } });
    const told = page.next();
    screen.core.emitOperation(fakeOperation());
    expect(await told).toMatchObject({ event: { type: 'operation' } });
    page.socket.close();
  });

  it.each(['not json', '{}', JSON.stringify({ id: 'x', command: 'state.read' })])(
    'ends when it says %s',
    async (text) => {
      const page = await screen.openPage();
      const { closed } = page;
      page.socket.send(text);
      expect(await closed).toBe(1008);
    },
  );

  it('ends a message that is too large', async () => {
    const page = await screen.openPage();
    const { closed } = page;
    page.socket.send('x'.repeat(70_000));
    expect(await closed).toBe(1009);
  });

  it('outlives what cannot be written as a message', async () => {
    const page = await screen.openPage();
    let beyondMeasure: unknown[] = [];
    for (let level = 0; level < 20_000; level += 1) beyondMeasure = [beyondMeasure];
    const error = {
      code: 'CARD_NOT_ELIGIBLE',
      message: 'm',
      retryable: false,
      request_id: 'r',
      details: beyondMeasure,
    };
    const operation = fakeOperation({ error });
    screen.core.emitOperation(operation);
    screen.core.operations.push(operation);
    page.say({ id: 1, command: 'operations.recent', input: {} });
    expect(await page.next()).toMatchObject({ id: 1, ok: false, error: { code: 'agent_gone' } });
    page.socket.close();
  });

  it('lets a page go that does not read', async () => {
    const page = await screen.openPage();
    const { closed } = page;
    page.socket.pause();
    const customerName = 'x'.repeat(300_000);
    // More than the system's own buffers between the two hold.
    for (let rowId = 0; rowId < 100; rowId += 1) {
      screen.core.emitOperation(fakeOperation({ rowId, customerName }));
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
    page.socket.resume();
    await closed;
  });

  it('is closed when the host closes', async () => {
    const page = await screen.openPage();
    const { closed } = page;
    await screen.host.close();
    expect(await closed).toBe(1001);
  });

  it('is cut soon when the host closes and the page is frozen', async () => {
    const page = await screen.openPage();
    const { closed } = page;
    page.socket.pause();
    const closedAt = performance.now();
    await screen.host.close();
    expect(performance.now() - closedAt).toBeLessThan(20_000);
    page.socket.resume();
    await closed;
  });
});
