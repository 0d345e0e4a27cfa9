import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../app/machine/clock.ts';
import { createTill, type Till } from '../../app/till/till.ts';
import { screenMemory } from '../../app/web/screen-memory.ts';
import { startWebHost, type WebHost } from '../../app/web/web-host.ts';
import { FakeCore } from '../support/fake-core.ts';
import { fakeOperation } from '../support/fake-records.ts';
import { noSettings } from '../support/fake-settings.ts';
import { sendRaw, statusOf } from '../support/raw-http.ts';

let folder: string;
let core: FakeCore;
let till: Till;
let host: WebHost;
let origin: string;
let secretCount: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'web-host-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>screen</title>');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {}');
  core = new FakeCore();
  till = createTill({
    core,
    clock: systemClock(),
    version: '1',
    saveLocale: () => undefined,
    clockRuns: () => true,
    settings: noSettings,
    practiceCards: () => [],
    onFault: () => undefined,
  });
  secretCount = 0;
  host = await openHost();
  origin = new URL(host.url).origin;
});

function openHost(): Promise<WebHost> {
  return startWebHost({
    till,
    clock: systemClock(),
    rendererDir: folder,
    memory: screenMemory(folder),
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

async function openSession(): Promise<string> {
  const response = await fetch(host.url, { redirect: 'manual' });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

describe('the address with its token', () => {
  it('becomes a session once, and leads to the bare address', async () => {
    const response = await fetch(host.url, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect(cookie).toContain(new URL(origin).port);
    const page = await get('/', { cookie: cookie.split(';')[0] ?? '' });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('screen');
  });

  it('used again is refused in a sentence, unless the session is there', async () => {
    const cookie = await openSession();
    const again = await fetch(host.url, { redirect: 'manual' });
    expect(again.status).toBe(403);
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(await again.text()).toContain('start the agent again');
    const mine = await fetch(host.url, { redirect: 'manual', headers: { cookie } });
    expect(mine.status).toBe(303);
  });

  it('is not used up by a wrong token or by a HEAD', async () => {
    expect((await get('/?token=wrong')).status).toBe(403);
    expect((await fetch(host.url, { method: 'HEAD', redirect: 'manual' })).status).toBe(403);
    expect((await fetch(host.url, { redirect: 'manual' })).status).toBe(303);
  });
});

describe('two Host headers', () => {
  it('are 400, for a page and for a line to the agent', async () => {
    const cookie = await openSession();
    const { host: own, port } = new URL(origin);
    const send = (path: string, more = '') =>
      sendRaw(
        Number(port),
        `GET ${path} HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\nCookie: ${cookie}\r\n${more}Connection: close\r\n\r\n`,
      );
    expect(statusOf(await send('/'))).toBe(400);
    const upgrade = `Upgrade: websocket\r\nOrigin: ${origin}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
    expect(statusOf(await send('/till', upgrade))).not.toBe(101);
  });
});

describe('a restart', () => {
  it('leaves an open screen its address and its session, and the used token used', async () => {
    const usedUrl = host.url;
    const cookie = await openSession();
    await host.close();
    host = await openHost();
    expect(new URL(host.url).origin).toBe(origin);
    expect((await get('/', { cookie })).status).toBe(200);
    expect((await fetch(usedUrl, { redirect: 'manual' })).status).toBe(403);
    expect(readFileSync(join(folder, 'screen.json'), 'utf8')).not.toContain(cookie.split('=')[1]);
  });

  it('moves to a free port when another program has taken the one of before', async () => {
    const cookie = await openSession();
    await host.close();
    const taken = createServer().listen(Number(new URL(origin).port), '127.0.0.1');
    await once(taken, 'listening');
    host = await openHost();
    const moved = new URL(host.url).origin;
    expect(moved).not.toBe(origin);
    expect((await fetch(`${moved}/`, { headers: { cookie } })).status).toBe(403);
    expect((await fetch(host.url, { redirect: 'manual' })).status).toBe(303);
    taken.close();
  });
});

describe('files', () => {
  it('are for sessions alone', async () => {
    const name = `tillbridge_session_${new URL(origin).port}`;
    for (const path of ['/', '/index.html', '/assets/app-1a2b.js']) {
      expect((await get(path)).status).toBe(403);
      expect((await get(path, { cookie: `${name}=guess` })).status).toBe(403);
      expect((await get(path, { cookie: `other=secret-2` })).status).toBe(403);
    }
  });

  it('carry the exact policy, and hashed ones are kept by the browser', async () => {
    const cookie = await openSession();
    const page = await get('/', { cookie });
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = await get('/assets/app-1a2b.js', { cookie });
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  it('outside the folder do not exist, however they are written', async () => {
    const cookie = await openSession();
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fetc/passwd', '/assets/', '//']) {
      const answer = await sendRaw(
        Number(new URL(origin).port),
        `GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
      );
      expect([400, 404]).toContain(statusOf(answer));
    }
  });

  it('are read, never written', async () => {
    const cookie = await openSession();
    const response = await fetch(`${origin}/`, { method: 'POST', headers: { cookie }, body: '{}' });
    expect(response.status).toBe(405);
  });

  it('are not for another host name', async () => {
    const cookie = await openSession();
    const answer = await sendRaw(
      Number(new URL(origin).port),
      `GET / HTTP/1.1\r\nHost: evil.example\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(403);
  });
});

describe('the line to the till', () => {
  function open(headers: Record<string, string>, path = '/till'): Promise<WebSocket | number> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { headers });
      socket.on('open', () => resolve(socket));
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      socket.on('error', () => undefined);
    });
  }

  async function openPage(): Promise<WebSocket> {
    const socket = await open({ origin, cookie: await openSession() });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    return socket;
  }

  const nextMessage = (socket: WebSocket) =>
    new Promise<unknown>((resolve) =>
      socket.once('message', (data) => resolve(JSON.parse((data as Buffer).toString()))),
    );

  it('wants the session, this origin and this path', async () => {
    const cookie = await openSession();
    expect(await open({ origin })).toBe(403);
    expect(await open({ cookie })).toBe(403);
    expect(await open({ cookie, origin: 'https://evil.example' })).toBe(403);
    expect(await open({ cookie, origin: 'null' })).toBe(403);
    expect(await open({ cookie, origin }, '/other')).toBe(403);
    expect(await open({ cookie, origin, host: 'evil.example' })).toBe(403);
    expect(await open({ cookie: 'tillbridge_session=guess', origin })).toBe(403);
  });

  it('answers questions by their id and tells of changes', async () => {
    const page = await openPage();
    page.send(JSON.stringify({ id: 7, command: 'operations.recent', input: {} }));
    expect(await nextMessage(page)).toEqual({ id: 7, ok: true, value: { operations: [] } });
    page.send(JSON.stringify({ id: 8, command: 'nothing', input: {} }));
    expect(await nextMessage(page)).toMatchObject({ id: 8, ok: false, error: { code: 'invalid' } });
    const told = nextMessage(page);
    core.emitOperation(fakeOperation());
    expect(await told).toMatchObject({ event: { type: 'operation' } });
    page.close();
  });

  it.each(['not json', '{}', JSON.stringify({ id: 'x', command: 'state.read' })])(
    'ends when it says %s',
    async (text) => {
      const page = await openPage();
      const closed = new Promise<number>((resolve) => page.on('close', resolve));
      page.send(text);
      expect(await closed).toBe(1008);
    },
  );

  it('ends a message that is too large', async () => {
    const page = await openPage();
    const closed = new Promise<number>((resolve) => page.on('close', resolve));
    page.send('x'.repeat(70_000));
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
    page.send(JSON.stringify({ id: 1, command: 'operations.recent', input: {} }));
    expect(await nextMessage(page)).toMatchObject({ id: 1, ok: false, error: { code: 'agent_gone' } });
    page.close();
  });

  it('lets a page go that does not read', async () => {
    const page = await openPage();
    const closed = new Promise<void>((resolve) => page.on('close', () => resolve()));
    page.pause();
    const customerName = 'x'.repeat(300_000);
    // More than the system's own buffers between the two hold.
    for (let rowId = 0; rowId < 100; rowId += 1) {
      core.emitOperation(fakeOperation({ rowId, customerName }));
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
    page.resume();
    await closed;
  });

  it('is closed when the host closes', async () => {
    const page = await openPage();
    const closed = new Promise<number>((resolve) => page.on('close', resolve));
    await host.close();
    expect(await closed).toBe(1001);
  });

  it('is cut soon when the host closes and the page is frozen', async () => {
    const page = await openPage();
    const closed = new Promise<number>((resolve) => page.on('close', resolve));
    page.pause();
    const closedAt = performance.now();
    await host.close();
    expect(performance.now() - closedAt).toBeLessThan(20_000);
    page.resume();
    await closed;
  });
});
