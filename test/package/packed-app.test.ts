import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPackage } from '@electron/asar';
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../tools/bundles.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { electronDistPath } from '../support/electron-app.ts';
import { packForTest } from '../support/packed-app.ts';
import { openPackedApp } from '../support/packed-window.ts';

const system = `${process.platform}-${process.arch}`;

it('is described as electron-builder understands it', async () => {
  const config = await getConfig(root, join(root, 'electron-builder.yml'), null);
  await validateConfiguration(config, new DebugLogger(false));
  await expect(
    validateConfiguration(Object.assign({}, config, { electronFuse: {} }), new DebugLogger(false)),
  ).rejects.toThrow(/electronFuse/);
});

describe.skipIf(electronDistPath === '' || process.platform !== 'linux')('the packed app', () => {
  let app: string;
  let dataDir: string;
  beforeAll(async () => {
    app = join(await packForTest(electronDistPath, 'app'), 'linux-unpacked');
  });
  afterAll(() => rmSync(join(app, '..'), { recursive: true, force: true }));
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'packed-'));
  });
  // One that has started itself again is no child of ours: its last process may still be ending.
  afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  const agent = (...args: string[]) =>
    spawnSync(join(app, 'resources', 'agent', 'tillbridge-agent'), args, {
      encoding: 'utf8',
      env: cleanEnvironment('NODE_'),
    });

  it('holds what it needs, the native code of this system alone, and none of the sources', () => {
    const files = listPackage(join(app, 'resources', 'app.asar'), { isPack: false });
    const tops = new Set(files.map((file) => file.split('/')[1]));
    tops.delete('shim');
    expect(tops).toEqual(new Set(['dist', 'node_modules', 'package.json']));
    expect(files.filter((file) => /^\/node_modules\/[^/]+$/.test(file))).toEqual(['/node_modules/better-sqlite3']);
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([
      `/node_modules/better-sqlite3/prebuilds/${system}.node`,
    ]);
    expect(files.filter((file) => /\.(?:ts|tsx|map)$|\/deps\/|\/src\//.test(file))).toEqual([]);
    expect(files).toContain('/dist/main/index.cjs');
    expect(files).toContain('/dist/renderer/index.html');
  });

  it('brings the agent with its own Node, English and Arabic, and the licences', () => {
    const resources = join(app, 'resources');
    expect(readdirSync(join(resources, 'agent')).toSorted()).toEqual([
      'LICENSE.node.txt',
      'dist',
      'node',
      'node_modules',
      'package.json',
      'tillbridge-agent',
    ]);
    expect(readdirSync(join(resources, 'agent', 'node_modules', 'better-sqlite3', 'prebuilds'))).toEqual([
      `${system}.node`,
    ]);
    expect(readdirSync(resources)).toContain('NOTICE');
    expect(readdirSync(join(app, 'locales')).toSorted()).toEqual(['ar.pak', 'en-US.pak']);
    // 3 MB; on a developer's machine chunks of earlier builds are in it, too.
    expect(statSync(join(resources, 'app.asar')).size).toBeLessThan(12_000_000);
  });

  it('tells of its commands by the name that a package has for them', () => {
    expect(agent('--help').stdout).toContain('Usage: tillbridge-agent COMMAND [flags]');
    expect(agent('agent', '--help').stdout).toContain('Usage: tillbridge-agent agent [flags]');
    const wrong = agent('start');
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('start: is not a command');
    expect(agent('status', '--data-dir', dataDir).status).toBe(3);
  });

  it('takes a sale at its screen and another at its bridge, is killed while it saves a third, and has them when it starts again', async () => {
    const first = await openPackedApp(join(app, 'tillbridge'), dataDir);
    const { page } = first;
    await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).fill('LC-1001');
    await page.keyboard.press('Enter');
    const earn = async (amount: string) => {
      await page.getByRole('group', { name: 'Operations' }).getByRole('button', { name: 'Earn on purchase' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type(amount);
    };
    await earn('12.5');
    await page.keyboard.press('Enter');
    const recent = page.getByRole('region', { name: 'Recent' });
    await recent.locator('[data-ref]').first().waitFor();
    const atScreen = await recent.locator('[data-ref]').first().getAttribute('data-ref');

    const made = agent('tokens', 'create', 'pos-1', '--prefix', 'P1-', '--data-dir', dataDir, '--json');
    expect(made.stderr).toBe('');
    const { token } = z.object({ token: z.string() }).parse(JSON.parse(made.stdout));
    const { port } = z.object({ port: z.int() }).parse(JSON.parse(readFileSync(join(dataDir, 'agent.json'), 'utf8')));
    const atBridge = await fetch(`http://127.0.0.1:${port}/v1/transactions/earn`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: 'sale-1',
        amount_minor: 4500,
        currency: 'KWD',
      }),
    });
    expect(atBridge.status).toBe(202);
    // In the middle of a third one, which is there whole then, or not at all.
    await earn('7');
    const pressed = page.keyboard.press('Enter').catch(() => undefined);
    await first.kill();
    await pressed;

    const second = await openPackedApp(join(app, 'tillbridge'), dataDir);
    await second.page.locator(`[data-ref="${atScreen}"]`).first().waitFor();
    const shown = await second.page.getByRole('region', { name: 'Recent' }).locator('[data-ref]').all();
    const refs = await Promise.all(shown.map((row) => row.getAttribute('data-ref')));
    expect([2, 3]).toContain(refs.length);
    expect(new Set(refs).size).toBe(refs.length);
    for (const ref of refs) {
      expect(agent('queue', 'show', ref ?? '', '--data-dir', dataDir)).toMatchObject({ status: 0, stderr: '' });
    }
    const kept = agent('queue', 'show', 'P1-sale-1', '--data-dir', dataDir);
    expect(kept).toMatchObject({ status: 0, stderr: '' });
    expect(await second.close()).toBe(0);
  });

  it('asks a new till what it is for, and nobody a second time', async () => {
    const first = await openPackedApp(join(app, 'tillbridge'), dataDir, []);
    await first.page.getByRole('heading', { name: 'What is this till for?' }).waitFor();
    await first.page.locator('[data-mode=sandbox]').click();
    await first.page.locator('[data-screen=sale]').waitFor();
    expect(JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))).toMatchObject({ mode: 'sandbox' });
    // Chromium's own way to end a page's process: the shipped app has no hook for it.
    const session = await first.page.context().newCDPSession(first.page);
    await session.send('Page.crash').catch(() => undefined);
    await expect
      .poll(() => readdirSync(join(dataDir, 'crashes'), { recursive: true, encoding: 'utf8' }).join())
      .toMatch(/\.dmp/);
    const bundle = agent('bundle', join(dataDir, 'all.zip'), '--dumps', '--data-dir', dataDir, '--json');
    expect(JSON.parse(bundle.stdout)).toMatchObject({
      left_out: [],
      parts: expect.arrayContaining([
        expect.objectContaining({ name: 'crashes.json' }),
        expect.objectContaining({ name: expect.stringMatching(/^crashes\/.*\.dmp$/) }),
      ]),
    });
    expect(await first.close()).toBe(0);
    const second = await openPackedApp(join(app, 'tillbridge'), dataDir, []);
    await second.page.locator('[data-screen=sale]').waitFor();
    expect(await second.close()).toBe(0);
  });

  it('starts anew by itself when a new till is for production', async () => {
    const first = await openPackedApp(join(app, 'tillbridge'), dataDir, []);
    const ended = once(first.child, 'exit');
    await first.page.locator('[data-mode=production]').click();
    await first.page.locator('[data-setting=base_url] input').fill('http://127.0.0.1:9/v1');
    await first.page.getByRole('button', { name: 'Enter an API key' }).click();
    await first.page.locator('[data-setting=api_key] input').fill('loyalty_pk_live_abcdef123456');
    await first.page.getByRole('button', { name: 'Save', exact: true }).click();
    await ended;
    const running = z.object({ port: z.int(), pid: z.int() });
    const facts = () => {
      const file = join(dataDir, 'agent.json');
      return existsSync(file) ? running.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
    };
    await expect.poll(() => facts()?.pid ?? first.child.pid).not.toBe(first.child.pid);
    await expect.poll(() => agent('status', '--data-dir', dataDir).stdout).toContain('production');
    const pid = facts()?.pid ?? 0;
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => facts()).toBeNull();
  });

  it('is opened again by the agent’s program when it is killed, and stays closed when it was quit', async () => {
    const watch = spawn(
      join(app, 'resources', 'agent', 'tillbridge-agent'),
      ['window', '--data-dir', dataDir, '--port', '0', '--mode', 'sandbox'],
      { env: cleanEnvironment('NODE_'), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    watch.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = once(watch, 'close');
    const pidOf = (): number | null => {
      const file = join(dataDir, 'agent.json');
      return existsSync(file) ? z.object({ pid: z.int() }).parse(JSON.parse(readFileSync(file, 'utf8'))).pid : null;
    };
    await expect.poll(pidOf).not.toBeNull();
    const killed = pidOf() ?? 0;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => pidOf() ?? killed).not.toBe(killed);
    expect(said).toContain('The window crashed (SIGKILL); it is opened again.');
    process.kill(pidOf() ?? 0, 'SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('hears no debugger in production mode', async () => {
    const child = spawn(
      join(app, 'tillbridge'),
      [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--remote-debugging-port=0',
        '--mode',
        'production',
        '--base-url',
        'http://127.0.0.1:9/v1',
        '--port',
        '0',
        '--data-dir',
        dataDir,
      ],
      {
        env: { ...cleanEnvironment('NODE_'), TILLBRIDGE_API_KEY: 'loyalty_pk_live_x' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const closed = once(child, 'close');
    await expect.poll(() => existsSync(join(dataDir, 'agent.json'))).toBe(true);
    expect(said).toContain('--remote-debugging-port: is not heard in production mode');
    expect(existsSync(join(dataDir, 'window', 'DevToolsActivePort'))).toBe(false);
    child.kill('SIGTERM');
    await closed;
  });
});
