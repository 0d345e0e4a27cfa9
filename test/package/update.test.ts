import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { statusSchema } from '../../app/doctor/check-status.ts';
import { updateViewSchema } from '../../app/updates/update-view.ts';
import { root } from '../../tools/bundles.ts';
import { onPath, run } from '../../tools/commands.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { electronDistPath } from '../support/electron-app.ts';
import { packForTest } from '../support/packed-app.ts';
import { type FeedServer, makeUpdateKey, putFeed, serveFeed, signedFeed } from '../support/update-feed.ts';

/** Some hundred megabytes are written and synced. */
const installs = { timeout: 100_000, interval: 500 };

const hasFpm = (process.env.CUSTOM_FPM_PATH ?? '') !== '';
const canInstall = process.getuid?.() === 0 && onPath('dpkg') !== null && !existsSync('/opt/Tillbridge');

// It installs for real: as root, and never over a Tillbridge that is there already.
// One to two minutes, most of it for three packages: it runs when TILLBRIDGE_TEST_UPDATE asks for it, as often as that says.
const rounds = Number(process.env.TILLBRIDGE_TEST_UPDATE ?? 0);

describe.skipIf(!(rounds > 0) || electronDistPath === '' || !hasFpm || !canInstall)(
  'an update of an installed till',
  () => {
    const key = makeUpdateKey();
    const packages: Record<string, string> = {};
    let folder: string;
    let dataDir: string;
    let config: string;
    let feed: FeedServer;
    const dpkg = (...args: string[]): SpawnSyncReturns<string> => spawnSync('dpkg', args, { encoding: 'utf8' });
    // Beside the feed's server, which is in this process.
    const command = (...args: string[]) =>
      run('tillbridge-agent', [...args, '--data-dir', dataDir], { env: cleanEnvironment('NODE_') });

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'update-'));
      // Its main process ends as soon as it begins.
      const broken = join(folder, 'broken');
      mkdirSync(broken);
      writeFileSync(join(broken, 'main.cjs'), `process.stderr.write('broken\\n');\nprocess.exit(1);\n`);
      for (const version of ['0.1.0', '0.1.1', '0.1.2']) {
        const isBroken = version === '0.1.2';
        const output = await packForTest(electronDistPath, `update-${version}`, {
          version,
          targets: ['deb'],
          updateKeys: [key.publicKey],
          ...(isBroken ? { main: 'broken/main.cjs' } : {}),
          changes: {
            // Packed at its smallest it takes minutes; the libraries of a desktop are not on every build machine.
            deb: { fpm: ['--deb-compression=none'], depends: [] },
            ...(isBroken ? { files: [{ from: broken, to: 'broken' }] } : {}),
          },
        });
        const file = readdirSync(output).find((name) => name.endsWith('.deb'));
        if (file === undefined) throw new Error('There is no deb');
        packages[version] = join(output, file);
      }
    }, 300_000);
    beforeEach(async () => {
      const round = mkdtempSync(join(folder, 'round-'));
      dataDir = join(round, 'data');
      config = join(round, 'settings.json');
      mkdirSync(dataDir, { mode: 0o700 });
      feed = await serveFeed();
      const settings = {
        mode: 'sandbox',
        // Nobody answers there: sales wait.
        base_url: 'http://127.0.0.1:9/v1',
        api_key: 'loyalty_pk_test_update',
        update: { feed: feed.url },
      };
      writeFileSync(config, JSON.stringify(settings), { mode: 0o600 });
      for (const file of Object.values(packages)) symlinkSync(file, join(feed.folder, basename(file)));
    });
    afterEach(async () => {
      await endWindow();
      dpkg('--purge', 'tillbridge');
      rmSync('/var/lib/tillbridge-packages', { recursive: true, force: true });
      await feed.close();
    });
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
      for (const file of Object.values(packages)) rmSync(dirname(file), { recursive: true, force: true });
    });

    const fileOf = (version: string): string => packages[version] ?? '';
    const nameOf = (version: string): string => basename(fileOf('0.1.0')).replace('0.1.0', version);
    /** Signs the feed as its maker does, with the tool for it. */
    function sign(version: string, ...flags: string[]): void {
      const keyFile = join(folder, 'update.pem');
      writeFileSync(keyFile, key.privatePem, { mode: 0o600 });
      const tool = join(root, 'tools', 'dist', 'sign-feed.ts');
      const named = join(feed.folder, nameOf(version));
      const done = spawnSync(
        process.execPath,
        [tool, 'sign', '--key', keyFile, '--version', version, ...flags, named],
        {
          encoding: 'utf8',
        },
      );
      expect(done).toMatchObject({ stderr: '', status: 0 });
    }
    const pid = (): number | null => {
      const file = join(dataDir, 'agent.json');
      return existsSync(file) ? z.object({ pid: z.int() }).parse(JSON.parse(readFileSync(file, 'utf8'))).pid : null;
    };
    /** As a power cut does. */
    async function endWindow(): Promise<void> {
      const running = pid();
      if (running === null) return;
      process.kill(running, 'SIGKILL');
      // The next one would take it for running.
      await vi.waitFor(() => {
        if (spawnSync('kill', ['-0', String(running)]).status === 0) throw new Error('It runs still');
      }, installs);
    }
    /** As the icon on the desktop does. */
    async function open(): Promise<void> {
      const flags = ['--no-sandbox', '--data-dir', dataDir, '--port', '0', '--config', config];
      // What an earlier round has fetched is not taken for this one's.
      const env = { ...cleanEnvironment('NODE_'), XDG_CACHE_HOME: join(dataDir, '..', 'cache') };
      spawn('/usr/bin/tillbridge', flags, { stdio: 'ignore', env });
      await expect.poll(update, installs).not.toBe(null);
    }
    const look = async () => (await command('update', 'check')).output;
    const update = async () => {
      const { stdout } = await command('update', 'status', '--json');
      return stdout !== '' ? updateViewSchema.parse(JSON.parse(stdout)) : null;
    };
    /** Again, while the sale that waits is tried at just that moment. */
    const install = () => expect.poll(async () => (await command('update', 'install')).exitCode, installs).toBe(0);
    const waiting = async (): Promise<number> => {
      const { operations } = statusSchema.parse(JSON.parse((await command('status', '--json')).stdout));
      return operations.queued + operations.sending + operations.unknown;
    };
    async function sell(externalRef: string): Promise<void> {
      const made = await command('tokens', 'create', externalRef, '--prefix', `${externalRef}-`, '--json');
      const { token } = z.object({ token: z.string() }).parse(JSON.parse(made.stdout));
      const { port } = z.object({ port: z.int() }).parse(JSON.parse(readFileSync(join(dataDir, 'agent.json'), 'utf8')));
      const taken = await fetch(`http://127.0.0.1:${port}/v1/transactions/earn`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          identifier: { loyalty_id: 'LC-1001' },
          external_ref: 'sale',
          amount_minor: 4_500,
          currency: 'KWD',
        }),
      });
      expect(taken.status).toBe(202);
    }

    it('is installed with sales waiting, and one that cannot start gives way to the version before', {
      timeout: 300_000,
      repeats: Math.max(0, rounds - 1),
    }, async () => {
      expect(dpkg('--install', fileOf('0.1.0'))).toMatchObject({ status: 0 });
      // Installed by hand: its package is kept so that there is a way back.
      const kept = await run('/opt/Tillbridge/resources/tillbridge-install', ['keep', fileOf('0.1.0')]);
      expect(kept.output).toBe('The package of 0.1.0 is kept: an update can go back to it.\n');
      await open();

      putFeed(feed.folder, signedFeed(makeUpdateKey(), { version: '0.1.1', files: [] }));
      expect(await look()).toContain('refused: the signature of the feed is not valid');
      sign('0.1.1');
      feed.fail('.deb', 'cut');
      expect(await look()).toContain('failed:');
      expect(await look()).toContain('0.1.1 is ready');
      // Whoever was just served is not interrupted.
      await sell('before');
      expect((await command('update', 'install')).output).toContain('a customer is being served');
      await endWindow();
      await open();
      expect(await waiting()).toBe(1);
      expect(await look()).toContain('0.1.1 is ready');
      await install();
      await expect.poll(async () => (await update())?.version, installs).toBe('0.1.1');
      await expect.poll(() => existsSync(join(dataDir, 'updates', 'trial'))).toBe(false);
      expect(await update()).toMatchObject({ way_back: '0.1.1', went_back: null });
      expect(await waiting()).toBe(1);

      // One that the package manager does not take: the version that was there starts again.
      writeFileSync(join(feed.folder, nameOf('0.1.3')), 'no package');
      sign('0.1.3');
      expect(await look()).toContain('0.1.3 is ready');
      await install();
      await expect
        .poll(async () => (await update())?.state, installs)
        .toMatchObject({ kind: 'failed', reason: expect.stringContaining('dpkg ended with') });
      expect(await update()).toMatchObject({ version: '0.1.1', way_back: '0.1.1' });

      sign('0.1.2');
      expect(await look()).toContain('0.1.2 is ready');
      await install();
      await expect.poll(async () => (await update())?.went_back?.from, installs).toBe('0.1.2');
      expect(await update()).toMatchObject({ version: '0.1.1', went_back: { to: '0.1.1', why: 'died' } });
      expect(await waiting()).toBe(1);
      expect((await command('status')).output).toContain('Version 0.1.2 did not start. Tillbridge went back to 0.1.1');
      expect(await look()).toContain('0.1.2 did not start here');

      sign('0.1.0');
      expect(await look()).toContain('which is older than 0.1.1');
      const log = readFileSync(join(dataDir, 'audit.jsonl'), 'utf8');
      for (const event of ['update_begun', 'updated', 'update_refused', 'update_went_back']) {
        expect(log).toContain(`"event":"${event}"`);
      }
    });
  },
);
