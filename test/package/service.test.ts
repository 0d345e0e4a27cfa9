import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { onPath } from '../../tools/commands.ts';
import { type BootedSystem, bootSystem } from '../support/booted-system.ts';
import { electronDistPath } from '../support/electron-app.ts';
import { packForTest } from '../support/packed-app.ts';

const isAsked = process.env.TILLBRIDGE_TEST_SYSTEMD === '1';
const canBoot = process.getuid?.() === 0 && onPath('unshare') !== null && onPath('systemctl') !== null;
const canPack = electronDistPath !== '' && (process.env.CUSTOM_FPM_PATH ?? '') !== '' && onPath('dpkg') !== null;

const statusSchema = z.object({
  installed: z.boolean(),
  enabled: z.boolean(),
  running: z.boolean(),
  version: z.string().nullable(),
  waiting: z.object({ production: z.int(), sandbox: z.int() }).nullable(),
});

// A minute, most of it for two packages: it runs when TILLBRIDGE_TEST_SYSTEMD=1 asks for it.
describe.skipIf(!isAsked || !canBoot || !canPack)(
  'the service of an installed package, under a systemd of its own',
  () => {
    let shared: string;
    let system: BootedSystem;
    const packages: Record<string, string> = {};
    beforeAll(async () => {
      shared = mkdtempSync(join(tmpdir(), 'service-'));
      for (const version of ['0.1.0', '0.1.1']) {
        const folder = await packForTest(electronDistPath, `service-${version}`, {
          version,
          targets: ['deb'],
          changes: { deb: { fpm: ['--deb-compression=none'] } },
        });
        const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
        packages[version] = join(folder, file ?? '');
      }
    }, 240_000);
    afterAll(async () => {
      await system?.end();
      rmSync(shared, { recursive: true, force: true });
      for (const file of Object.values(packages)) rmSync(join(file, '..'), { recursive: true, force: true });
    });

    const agent = (...args: readonly string[]) => system.run('tillbridge-agent', ...args);
    const status = () => statusSchema.parse(JSON.parse(agent('service', 'status', '--json').stdout));
    const shown = (name: string) =>
      system.run('systemctl', 'show', '--value', `--property=${name}`, 'tillbridge').stdout.trim();

    it('is installed, sells, comes back, outlives an upgrade with what waits, and ends with its package', async () => {
      system = await bootSystem(shared);
      const installed = system.run('dpkg', '--install', '--force-depends', packages['0.1.0'] ?? '');
      expect(installed.stderr).not.toContain('error');
      expect(agent('service', 'status').status).toBe(3);
      expect(agent('service', 'install')).toMatchObject({ status: 0, stderr: '' });
      expect(status()).toMatchObject({ installed: true, enabled: true, running: true });

      // The first run: the administrator's commands leave the service's own user everything.
      const keyed = system.run(
        'sh',
        '-c',
        'echo loyalty_pk_live_service | tillbridge-agent settings set mode production base_url http://127.0.0.1:9/v1 api_key - branch_ref main',
      );
      expect(keyed).toMatchObject({ status: 0 });
      expect(system.run('systemctl', 'restart', 'tillbridge').status).toBe(0);
      const token = (name: string, prefix: string) =>
        z
          .object({ token: z.string() })
          .parse(JSON.parse(agent('tokens', 'create', name, '--prefix', prefix, '--json').stdout)).token;
      await expect.poll(() => agent('status').status).not.toBe(3);
      const sold = await fetch('http://127.0.0.1:7425/v1/transactions/earn', {
        method: 'POST',
        headers: { authorization: `Bearer ${token('pos-1', 'P1-')}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          identifier: { loyalty_id: 'LC-1001' },
          external_ref: 'sale-1',
          amount_minor: 12_500,
          currency: 'KWD',
        }),
      });
      expect(sold.status).toBe(202);
      expect(system.run('find', '/var/lib/tillbridge', '-not', '-user', 'tillbridge').stdout).toBe('');

      // Killed, it is back.
      const before = shown('MainPID');
      system.run('kill', '-9', before);
      await expect.poll(() => shown('NRestarts')).toBe('1');
      await expect.poll(() => agent('status').status).not.toBe(3);
      expect(shown('MainPID')).not.toBe(before);

      // A login is let in by the group alone.
      system.run('useradd', '--create-home', 'mona');
      const looks = () => system.run('su', 'mona', '-c', 'cat /run/tillbridge/attach.json').status;
      expect(looks()).not.toBe(0);
      system.run('usermod', '-aG', 'tillbridge', 'mona');
      expect(looks()).toBe(0);
      expect(system.run('su', 'mona', '-c', 'ls /var/lib/tillbridge').status).not.toBe(0);

      // An upgrade starts it again with the new version, without a line to the service.
      const running = shown('MainPID');
      expect(system.run('dpkg', '--install', '--force-depends', packages['0.1.1'] ?? '').status).toBe(0);
      await expect.poll(() => shown('MainPID')).not.toBe(running);
      await expect.poll(() => agent('status').status).not.toBe(3);
      expect(status()).toMatchObject({ running: true, waiting: { production: 1 } });

      const removed = system.run('dpkg', '--remove', 'tillbridge');
      expect(removed).toMatchObject({ status: 0 });
      expect(shown('ActiveState')).toBe('inactive');
      expect(system.run('ls', '/etc/systemd/system/tillbridge.service').status).not.toBe(0);
      expect(system.run('ls', '/var/lib/tillbridge/production.sqlite').status).toBe(0);
    }, 120_000);
  },
);
