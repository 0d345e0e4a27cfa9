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
import { electronDistPath } from '../support/electron-app.ts';
import { packForTest } from '../support/packed-app.ts';
import { environment, openPackedApp } from '../support/packed-window.ts';

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
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const agent = (...args: string[]) =>
    spawnSync(join(app, 'resources', 'agent', 'tillbridge-agent'), args, { encoding: 'utf8', env: environment() });

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

  it('takes a sale at its screen and another at its bridge, is killed, and has both when it starts again', async () => {
    const first = await openPackedApp(join(app, 'tillbridge'), dataDir);
    const { page } = first;
    await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).fill('LC-1001');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Operations' }).getByRole('button', { name: 'Earn on purchase' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('12.5');
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
    await first.kill();

    const second = await openPackedApp(join(app, 'tillbridge'), dataDir);
    await second.page.locator(`[data-ref="${atScreen}"]`).first().waitFor();
    const kept = agent('queue', 'show', 'P1-sale-1', '--data-dir', dataDir);
    expect(kept).toMatchObject({ status: 0, stderr: '' });
    expect(await second.close()).toBe(0);
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
      { env: { ...environment(), TILLBRIDGE_API_KEY: 'loyalty_pk_live_x' }, stdio: ['ignore', 'ignore', 'pipe'] },
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
