import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendRaw, statusOf } from '../support/raw-http.ts';
import { WebScreen } from '../support/web-screen.ts';

let screen: WebScreen;
let origin: string;

beforeEach(async () => {
  screen = await WebScreen.open();
  origin = screen.origin;
});
afterEach(() => screen.end());

describe('the address with its token', () => {
  it('opens the screen once, and leaves no cookie', async () => {
    const response = await fetch(screen.host.url, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/#open=./);
    expect(response.headers.get('set-cookie')).toBeNull();
    const again = await fetch(screen.host.url, { redirect: 'manual' });
    expect(again.status).toBe(403);
    expect(await again.text()).toContain('was used before');
  });

  it('is not used up by a wrong token or by a HEAD', async () => {
    expect((await screen.get('/?token=wrong')).status).toBe(403);
    expect(screen.audited).toEqual([{ event: 'session_refused' }]);
    expect((await fetch(screen.host.url, { method: 'HEAD', redirect: 'manual' })).status).toBe(403);
    expect((await fetch(screen.host.url, { redirect: 'manual' })).status).toBe(303);
  });

  it('gives its page a session once, and none before it was opened', async () => {
    const { page: early } = await screen.openLine();
    early.say({ token: 'secret-1' });
    expect(await early.closed).toBe(4401);
    const token = await screen.openAddress();
    const { made, page } = await screen.exchange(token);
    page.socket.close();
    expect(made.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(screen.audited).toEqual([
      { event: 'session_refused' },
      { event: 'session_begun', session: made.session, kiosk: null },
    ]);
    const { page: late } = await screen.openLine();
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
    const usedUrl = screen.host.url;
    const { held } = await screen.openPage();
    await screen.host.close();
    await screen.start();
    expect(new URL(screen.host.url).origin).toBe(origin);
    expect(await screen.comeBack(held)).toMatchObject({ proof: expect.any(String) });
    expect((await fetch(usedUrl, { redirect: 'manual' })).status).toBe(403);
    expect(readFileSync(join(screen.folder, 'screen.json'), 'utf8')).not.toContain(held.secret);
  });

  it('moves to a free port when another program has taken the one of before, whose sessions are listed and ended', async () => {
    const [ended, kept] = [await screen.openPage(), await screen.openPage(screen.host.newUrl('counter-1'))];
    await screen.host.close();
    const taken = createServer().listen(Number(new URL(origin).port), '127.0.0.1');
    await once(taken, 'listening');
    await screen.start();
    expect(new URL(screen.host.url).origin).not.toBe(origin);
    // They can be used again as soon as the port is free.
    const listed = () => screen.host.sessions.list().map(({ id }) => id);
    expect(listed()).toEqual([ended.held.session, kept.held.session]);
    expect(screen.host.endSession(ended.held.session)).toBe(true);
    expect(screen.host.endSession(ended.held.session)).toBe(false);
    expect(listed()).toEqual([kept.held.session]);
    await screen.host.close();
    taken.close();
    await once(taken, 'close');
    await screen.start();
    expect(new URL(screen.host.url).origin).toBe(origin);
    expect(await screen.comeBack(ended.held)).toBe(4401);
    expect(await screen.comeBack(kept.held)).toMatchObject({ proof: expect.any(String) });
  });

  it('on another port forgets those of the port of before as soon as a browser has a session on the new one', async () => {
    await screen.openPage();
    await screen.host.close();
    const taken = createServer().listen(Number(new URL(origin).port), '127.0.0.1');
    await once(taken, 'listening');
    await screen.start();
    const { held } = await screen.openPage();
    expect(screen.host.sessions.list()).toMatchObject([{ id: held.session }]);
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
    const page = await screen.get('/');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = await screen.get('/assets/app-1a2b.js');
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
    const page = await screen.get('/no-session');
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('has no session');
  });
});
