import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { systemClock } from '../../app/machine/clock.ts';
import type { Till } from '../../app/till/till.ts';
import { screenMemory } from '../../app/web/screen-memory.ts';
import { startWebHost, type WebHost } from '../../app/web/web-host.ts';
import { provenWords } from '../../shared/till/session-words.ts';
import { FakeCore } from '../support/fake-core.ts';
import { fakeOperation } from '../support/fake-records.ts';
import { PageEnd } from '../support/page-end.ts';
import { sendRaw, statusOf } from '../support/raw-http.ts';
import { tillOf } from '../support/till-of.ts';

let folder: string;
let core: FakeCore;
let till: Till;
let host: WebHost;
let origin: string;
let secretCount: number;
let audited: AuditEvent[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'web-host-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>screen</title>');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {}');
  core = new FakeCore();
  till = tillOf({
    core,
    clock: systemClock(),
    onFault: () => undefined,
  });
  secretCount = 0;
  audited = [];
  host = await openHost();
  origin = new URL(host.url).origin;
});

let lastGoneCount: number;

function openHost(): Promise<WebHost> {
  lastGoneCount = 0;
  return startWebHost({
    till,
    onLastGone: () => {
      lastGoneCount += 1;
    },
    audit: { note: (event) => audited.push(event) },
    clock: systemClock(),
    rendererDir: folder,
    memory: screenMemory(folder),
    sessionKey: 'key of the folder',
    newSecret: () => `secret-${++secretCount}`,
  });
}

afterEach(async () => {
  await host.close();
  till.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { headers, redirect: 'manual' });

/** Opens the printed address, as a browser does. @returns the one-time token that its page finds behind # */
async function openAddress(url = host.url): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  return decodeURIComponent((response.headers.get('location') ?? '').split('#open=')[1] ?? '');
}

interface Session {
  readonly session: string;
  readonly secret: string;
}

const hmac = (secret: string, words: string) =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(words).digest('hex');

async function exchange(
  token: string,
): Promise<{ readonly page: PageEnd; readonly made: Session; readonly agentChallenge: string }> {
  const page = new PageEnd(origin);
  const { challenge: agentChallenge } = await page.next();
  page.say({ token });
  return { page, made: await page.next(), agentChallenge };
}

const pageChallenge = 'ab'.repeat(32);

/** Proves a session on a line that has just been opened. @returns what the agent answers, or the code it closes with */
async function meet(page: PageEnd, { session, secret }: Session, agentChallenge: string): Promise<unknown> {
  const meeting = { origin, session, agentChallenge, pageChallenge };
  page.say({ session, challenge: pageChallenge, proof: hmac(secret, provenWords('page', meeting)) });
  return Promise.race([page.next(), page.closed]);
}

/** A page that has opened the printed address. */
async function openPage(url = host.url): Promise<PageEnd & { readonly held: Session }> {
  const { page, made, agentChallenge } = await exchange(await openAddress(url));
  await meet(page, made, agentChallenge);
  return Object.assign(page, { held: made });
}

/** The same browser's page after a reload. */
async function comeBack(held: Session): Promise<unknown> {
  const page = new PageEnd(origin);
  const { challenge } = await page.next();
  const answer = await meet(page, held, challenge);
  page.socket.close();
  return answer;
}

describe('the address with its token', () => {
  it('opens the screen once, and leaves no cookie', async () => {
    const response = await fetch(host.url, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/#open=./);
    expect(response.headers.get('set-cookie')).toBeNull();
    const again = await fetch(host.url, { redirect: 'manual' });
    expect(again.status).toBe(403);
    expect(await again.text()).toContain('was used before');
  });

  it('is not used up by a wrong token or by a HEAD', async () => {
    expect((await get('/?token=wrong')).status).toBe(403);
    expect(audited).toEqual([{ event: 'session_refused' }]);
    expect((await fetch(host.url, { method: 'HEAD', redirect: 'manual' })).status).toBe(403);
    expect((await fetch(host.url, { redirect: 'manual' })).status).toBe(303);
  });

  it('gives its page a session once, and none before it was opened', async () => {
    const early = new PageEnd(origin);
    await early.next();
    early.say({ token: 'secret-1' });
    expect(await early.closed).toBe(4401);
    const token = await openAddress();
    const { made, page } = await exchange(token);
    page.socket.close();
    expect(made.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(audited).toEqual([
      { event: 'session_refused' },
      { event: 'session_begun', session: made.session, kiosk: null },
    ]);
    const late = new PageEnd(origin);
    await late.next();
    late.say({ token });
    expect(await late.closed).toBe(4401);
  });
});

describe('two Host headers', () => {
  it('are 400, for a page and for a line to the agent', async () => {
    const { host: own, port } = new URL(origin);
    const send = (path: string, more = '') =>
      sendRaw(
        Number(port),
        `GET ${path} HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\n${more}Connection: close\r\n\r\n`,
      );
    expect(statusOf(await send('/'))).toBe(400);
    const upgrade = `Upgrade: websocket\r\nOrigin: ${origin}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
    expect(statusOf(await send('/till', upgrade))).not.toBe(101);
  });
});

describe('a restart', () => {
  it('leaves an open screen its address and its session, and the used token used', async () => {
    const usedUrl = host.url;
    const { held } = await openPage();
    await host.close();
    host = await openHost();
    expect(new URL(host.url).origin).toBe(origin);
    expect(await comeBack(held)).toMatchObject({ proof: expect.any(String) });
    expect((await fetch(usedUrl, { redirect: 'manual' })).status).toBe(403);
    expect(readFileSync(join(folder, 'screen.json'), 'utf8')).not.toContain(held.secret);
  });

  it('moves to a free port when another program has taken the one of before', async () => {
    await openPage();
    await host.close();
    const taken = createServer().listen(Number(new URL(origin).port), '127.0.0.1');
    await once(taken, 'listening');
    host = await openHost();
    expect(new URL(host.url).origin).not.toBe(origin);
    expect(host.sessions.list()).toEqual([]);
    expect((await fetch(host.url, { redirect: 'manual' })).status).toBe(303);
    taken.close();
  });
});

describe('files', () => {
  it('are nothing for a page of another port or site, and a link leads to the screen', async () => {
    const ask = async (path: string, site: string, mode: string) => {
      const { host: own, port } = new URL(origin);
      const asking = `Sec-Fetch-Site: ${site}\r\nSec-Fetch-Mode: ${mode}\r\n`;
      const text = `GET ${path} HTTP/1.1\r\nHost: ${own}\r\n${asking}Connection: close\r\n\r\n`;
      return statusOf(await sendRaw(Number(port), text));
    };
    for (const site of ['same-site', 'cross-site']) {
      for (const path of ['/', '/index.html', '/assets/app-1a2b.js']) {
        expect([await ask(path, site, 'no-cors'), await ask(path, site, 'cors')]).toEqual([403, 403]);
      }
      expect(await ask('/', site, 'navigate')).toBe(200);
    }
    expect(await ask('/assets/app-1a2b.js', 'same-origin', 'cors')).toBe(200);
  });

  it('carry the exact policy, and hashed ones are kept by the browser', async () => {
    const page = await get('/');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = await get('/assets/app-1a2b.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  it('outside the folder do not exist, however they are written', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fetc/passwd', '/assets/', '//']) {
      const answer = await sendRaw(
        Number(new URL(origin).port),
        `GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\n\r\n`,
      );
      expect([400, 404]).toContain(statusOf(answer));
    }
  });

  it('are read, never written', async () => {
    expect((await fetch(`${origin}/`, { method: 'POST', body: '{}' })).status).toBe(405);
  });

  it('are not for another host name', async () => {
    const answer = await sendRaw(
      Number(new URL(origin).port),
      'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(statusOf(answer)).toBe(403);
  });

  it('of a browser without a session are a page that says so', async () => {
    const page = await get('/no-session');
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('has no session');
  });
});

describe('the line to the till', () => {
  const nextMessage = (page: PageEnd) => page.next();

  it('wants this origin and this path', async () => {
    expect(await new PageEnd(origin, {}).closed).toBe(403);
    expect(await new PageEnd(origin, { origin: 'https://evil.example' }).closed).toBe(403);
    expect(await new PageEnd(origin, { origin: origin.replace(/\d+$/, '1') }).closed).toBe(403);
    expect(await new PageEnd(origin, { origin: 'null' }).closed).toBe(403);
    expect(await new PageEnd(origin, { origin }, '/other').closed).toBe(403);
    expect(await new PageEnd(origin, { origin, host: 'evil.example' }).closed).toBe(403);
  });

  it('is opened by a proof in both directions, and by nothing else', async () => {
    const { held } = await openPage();
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
      const page = new PageEnd(origin);
      const { challenge } = await page.next();
      page.say(attack(challenge));
      expect(await Promise.race([page.next(), page.closed])).toBe(4401);
    }
    const page = new PageEnd(origin);
    const { challenge: agentChallenge } = await page.next();
    const meeting = { origin, session: held.session, agentChallenge, pageChallenge };
    expect(await meet(page, held, agentChallenge)).toEqual({ proof: hmac(held.secret, provenWords('agent', meeting)) });
    page.socket.close();
  });

  it('is not kept from its page by strangers who prove nothing', async () => {
    const held = (await openPage()).held;
    const strangers = Array.from({ length: 40 }, () => new PageEnd(origin));
    await Promise.all(strangers.map((stranger) => Promise.race([stranger.next(), stranger.closed])));
    expect(await comeBack(held)).toMatchObject({ proof: expect.any(String) });
    for (const { socket } of strangers) socket.terminate();
  });

  it('ends when its session is ended', async () => {
    const page = await openPage();
    expect(host.sessions.list()).toMatchObject([{ id: page.held.session, kiosk: null }]);
    expect(host.endSession(page.held.session)).toBe(true);
    expect(await page.closed).toBe(4401);
    expect(await comeBack(page.held)).toBe(4401);
    expect(host.endSession(page.held.session)).toBe(false);
  });

  it('tells when the last page has gone, and nothing of a stranger', async () => {
    const [first, second] = [await openPage(), await openPage(host.newUrl(null))];
    const stranger = new PageEnd(origin);
    await stranger.next();
    for (const page of [stranger, first]) {
      page.socket.terminate();
      await page.closed;
    }
    second.say({ id: 7, command: 'operations.recent', input: {} });
    await nextMessage(second);
    expect(lastGoneCount).toBe(0);
    second.socket.terminate();
    await vi.waitFor(() => expect(lastGoneCount).toBe(1));
  });

  it('answers questions by their id and tells of changes', async () => {
    const page = await openPage();
    page.say({ id: 7, command: 'operations.recent', input: {} });
    expect(await nextMessage(page)).toEqual({ id: 7, ok: true, value: { operations: [] } });
    page.say({ id: 8, command: 'nothing', input: {} });
    expect(await nextMessage(page)).toMatchObject({ id: 8, ok: false, error: { code: 'invalid' } });
    const told = nextMessage(page);
    core.emitOperation(fakeOperation());
    expect(await told).toMatchObject({ event: { type: 'operation' } });
    page.socket.close();
  });

  it.each(['not json', '{}', JSON.stringify({ id: 'x', command: 'state.read' })])(
    'ends when it says %s',
    async (text) => {
      const page = await openPage();
      const { closed } = page;
      page.socket.send(text);
      expect(await closed).toBe(1008);
    },
  );

  it('ends a message that is too large', async () => {
    const page = await openPage();
    const { closed } = page;
    page.socket.send('x'.repeat(70_000));
    expect(await closed).toBe(1009);
  });

  it('outlives what cannot be written as a message', async () => {
    const page = await openPage();
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
    core.emitOperation(operation);
    core.operations.push(operation);
    page.say({ id: 1, command: 'operations.recent', input: {} });
    expect(await nextMessage(page)).toMatchObject({ id: 1, ok: false, error: { code: 'agent_gone' } });
    page.socket.close();
  });

  it('lets a page go that does not read', async () => {
    const page = await openPage();
    const { closed } = page;
    page.socket.pause();
    const customerName = 'x'.repeat(300_000);
    // More than the system's own buffers between the two hold.
    for (let rowId = 0; rowId < 100; rowId += 1) {
      core.emitOperation(fakeOperation({ rowId, customerName }));
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
    page.socket.resume();
    await closed;
  });

  it('is closed when the host closes', async () => {
    const page = await openPage();
    const { closed } = page;
    await host.close();
    expect(await closed).toBe(1001);
  });

  it('is cut soon when the host closes and the page is frozen', async () => {
    const page = await openPage();
    const { closed } = page;
    page.socket.pause();
    const closedAt = performance.now();
    await host.close();
    expect(performance.now() - closedAt).toBeLessThan(20_000);
    page.socket.resume();
    await closed;
  });
});
