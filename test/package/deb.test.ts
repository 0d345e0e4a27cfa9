import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusSchema } from '../../app/doctor/check-status.ts';
import { onPath } from '../../tools/commands.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { electronDistPath } from '../support/electron-app.ts';
import { packForTest } from '../support/packed-app.ts';
import { agentReadySchema } from '../support/program.ts';

const hasFpm = (process.env.CUSTOM_FPM_PATH ?? '') !== '';
const canInstall = process.getuid?.() === 0 && onPath('dpkg') !== null && !existsSync('/opt/Tillbridge');

// It installs for real: as root, and never over a Tillbridge that is there already.
describe.skipIf(electronDistPath === '' || !hasFpm || !canInstall)('the deb', () => {
  const packages: Record<string, string> = {};
  let dataDir: string;
  const dpkg = (...args: string[]): SpawnSyncReturns<string> => spawnSync('dpkg', args, { encoding: 'utf8' });
  const command = (...args: string[]): SpawnSyncReturns<string> =>
    spawnSync('tillbridge-agent', args, { encoding: 'utf8', env: cleanEnvironment('NODE_') });

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'deb-'));
    for (const version of ['0.1.0', '0.1.1']) {
      const folder = await packForTest(electronDistPath, `deb-${version}`, {
        version,
        targets: ['deb'],
        // Packed at its smallest it takes minutes.
        changes: { deb: { fpm: ['--deb-compression=none'] } },
      });
      const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
      if (file === undefined) throw new Error('There is no deb');
      packages[version] = join(folder, file);
    }
  });
  afterAll(() => {
    dpkg('--purge', 'tillbridge');
    rmSync(dataDir, { recursive: true, force: true });
    for (const file of Object.values(packages)) rmSync(join(file, '..'), { recursive: true, force: true });
  });

  async function agent(...flags: string[]) {
    const child = spawn('tillbridge-agent', ['agent', '--json', '--port', '0', '--data-dir', dataDir, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...cleanEnvironment('NODE_'), TILLBRIDGE_API_KEY: 'loyalty_pk_live_deb' },
    });
    const closed = once(child, 'close');
    const line = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), closed.then(() => null)]);
    if (line === null) throw new Error('The agent has ended');
    const ready = agentReadySchema.parse(JSON.parse(String(line[0])));
    const stop = async () => {
      child.kill('SIGTERM');
      await closed;
    };
    return { ready, stop };
  }
  const waiting = (): number => {
    const { stdout } = command('status', '--data-dir', dataDir, '--json');
    const { operations } = statusSchema.parse(JSON.parse(stdout));
    return operations.queued + operations.sending + operations.unknown;
  };

  it('says what a package of Debian has to say', () => {
    const about = spawnSync('dpkg-deb', ['--field', packages['0.1.0'] ?? ''], { encoding: 'utf8' }).stdout;
    expect(about).toContain('Package: tillbridge\n');
    expect(about).toContain('Version: 0.1.0\n');
    expect(about).toMatch(/^Description: Keeps loyalty points safe/m);
    expect(about).toMatch(/^Maintainer: The Tillbridge authors <.+@.+>$/m);
  });

  it('is installed, takes a sale, is upgraded with the sale waiting, and is removed without losing it', async () => {
    // Without the libraries of a desktop, which the agent does not need.
    expect(dpkg('--install', '--force-depends', packages['0.1.0'] ?? '').stderr).not.toContain('error');
    expect(existsSync('/usr/bin/tillbridge')).toBe(true);

    // Nobody answers there: the sale waits.
    const first = await agent('--mode', 'production', '--base-url', 'http://127.0.0.1:9/v1', '--branch-ref', 'main');
    const taken = await fetch(`${first.ready.base_url}/transactions/earn`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: 'deb-1',
        amount_minor: 12_500,
        currency: 'KWD',
      }),
    });
    expect({ status: taken.status, text: await taken.text() }).toMatchObject({ status: 202 });

    expect(dpkg('--install', '--force-depends', packages['0.1.1'] ?? '').status).toBe(0);
    await first.stop();
    const second = await agent('--mode', 'production', '--base-url', 'http://127.0.0.1:9/v1', '--branch-ref', 'main');
    expect(waiting()).toBe(1);
    await second.stop();

    const removed = dpkg('--remove', 'tillbridge');
    expect(removed).toMatchObject({ status: 0 });
    expect(removed.stdout).toContain('stays, with every sale that waits');
    expect(existsSync('/usr/bin/tillbridge-agent')).toBe(false);
    expect(existsSync('/opt/Tillbridge')).toBe(false);
    expect(readdirSync(dataDir)).toContain('production.sqlite');
  });
});
