import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandProcess } from '../support/agent-process.ts';
import { hasChromium } from '../support/ui-page.ts';
import { till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();
/** Another program of this machine, with a page of its own. */
let other: Server;

beforeAll(async () => {
  if (!hasChromium) return;
  other = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
});
afterAll(async () => {
  if (!hasChromium) return;
  other.close();
});

const isOnline = () => till.page.locator('[data-connection=online]').waitFor();

async function tillbridge(...args: readonly string[]): Promise<ReturnType<typeof JSON.parse>> {
  const ended = await new CommandProcess(['tillbridge', ...args, '--json', '--data-dir', till.dataDir]).ended;
  expect(ended.stderr, args.join(' ')).toBe('');
  return JSON.parse(ended.stdout);
}

describe.skipIf(!hasChromium)('a manager’s PIN', () => {
  it('stays locked when the sandbox’s clock is moved on', async () => {
    await till.office('people.add_manager', { name: 'Mona', pin: '471108' });
    const enter = async (pin: string): Promise<void> => {
      await till.page.locator('#settings-pin').fill(pin);
      await till.page.keyboard.press('Enter');
    };
    await till.open('settings');
    for (const tries of ['4 more tries', '3 more tries', '2 more tries', '1 more try']) {
      await enter('0000');
      await till.page.getByText(`Wrong PIN. ${tries}.`).waitFor();
    }
    await enter('0000');
    await till.page.getByText('Too many wrong PINs.').waitFor();
    await till.control('/clock', { advance_ms: 86_400_000 });
    // The page that has just come knows of no lock: the agent does.
    await till.page.reload();
    await isOnline();
    await till.open('settings');
    await enter('471108');
    await till.page.getByText('Too many wrong PINs.').waitFor();
    await till.page.reload();
    await isOnline();
  });
});

describe.skipIf(!hasChromium)('the session of a browser', () => {
  it('is in no address and no cookie, and outlives a reload', async () => {
    expect(new URL(till.page.url())).toMatchObject({ pathname: '/', search: '', hash: '' });
    expect(await till.page.context().cookies()).toEqual([]);
    await till.page.reload();
    await isOnline();
    const again = await till.page.context().newPage();
    await again.goto(till.page.url());
    await again.locator('[data-connection=online]').waitFor();
    await again.close();
  });

  it('cannot be read out of the page, by nobody who is served in its place either', async () => {
    const read = await till.page.evaluate(async () => {
      const opening = indexedDB.open('tillbridge');
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const getting = opening.result.transaction('session').objectStore('session').get('screen');
      await new Promise((resolve) => getting.addEventListener('success', resolve));
      const { key } = getting.result as { key: CryptoKey };
      const taken = await crypto.subtle.exportKey('raw', key).then(
        () => 'taken',
        () => 'kept',
      );
      return [taken, JSON.stringify(localStorage).includes('secret')];
    });
    expect(read).toEqual(['kept', false]);
  });

  it('is nothing to another browser: the address was used, and without a session a page says so', async () => {
    const context = await till.browser.newContext();
    const page = await context.newPage();
    await page.goto(till.agent.ready.ui_url ?? '');
    await page.getByText('This address was used before').waitFor();
    expect(await page.locator('script').count()).toBe(0);
    // Its own look, and nothing else, is let in.
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('main') ?? document.body).maxWidth)).toBe(
      '608px',
    );
    await page.getByRole('link', { name: 'the screen' }).click();
    await page.getByText('This browser has no session').waitFor();
    await context.close();
  });

  it('is nothing to a page of another port in the same browser', async () => {
    const page = await till.page.context().newPage();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const got = await page.evaluate(async (screen) => {
      const script = new Promise<string>((resolve) => {
        const element = document.createElement('script');
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('refused');
        element.src = `${screen}main.js`;
        document.body.append(element);
      });
      const line = new Promise<string>((resolve) => {
        const socket = new WebSocket(`${screen.replace('http', 'ws')}till`);
        socket.onmessage = () => resolve('open');
        socket.onclose = () => resolve('refused');
      });
      const answer = fetch(screen, { credentials: 'include' }).then(
        (response) => response.text(),
        () => 'refused',
      );
      return Promise.all([script, line, answer]);
    }, till.page.url());
    expect(got).toEqual(['refused', 'refused', 'refused']);
    await page.close();
  });

  it('is listed and ended by command; a kiosk has one, for a year', async () => {
    const { sessions } = await tillbridge('sessions', 'list');
    expect(sessions).toMatchObject([{ kiosk: null }]);
    const [{ session, ends_at }] = sessions;
    expect(Date.parse(ends_at) - Date.now()).toBeLessThanOrEqual(86_400_000);
    for (const _ of ['first', 'second']) {
      const { url } = await tillbridge('sessions', 'open', '--kiosk', 'counter-1');
      const context = await till.browser.newContext();
      const page = await context.newPage();
      await page.goto(url);
      await page.locator('[data-connection=online]').waitFor();
      await context.close();
    }
    const now: { kiosk: string | null; ends_at: string }[] = (await tillbridge('sessions', 'list')).sessions;
    expect(now.map(({ kiosk }) => kiosk)).toEqual([null, 'counter-1']);
    expect(Date.parse(now[1]?.ends_at ?? '') - Date.now()).toBeGreaterThan(364 * 86_400_000);
    expect(await tillbridge('sessions', 'end', session)).toEqual({ ended: true });
    await till.page.getByText('This browser has no session').waitFor();
  });
});
