import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, promises, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteLastBackup } from '../../app/backups/last-backup.ts';
import { ScheduledBackups } from '../../app/backups/scheduled-backups.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { checkBackup } from '../../app/doctor/check-backup.ts';
import { lookAtFolder } from '../../app/machine/folder-look.ts';
import { silentLog } from '../../app/machine/log.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { openStore } from '../../app/store/store.ts';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';
import { type HangingShare, hangingShare } from '../support/hanging-share.ts';
import { ManualClock } from '../support/manual-clock.ts';

const first = hangingShare();
first?.unmount();
if (first === null) console.warn('A share that hangs was not tried: this user may not mount one.');

describe.runIf(first !== null)('a backup share that hangs', { timeout: 25_000 }, () => {
  let share: HangingShare | null;
  let path: string;
  let dataDir: string;
  let end: () => Promise<unknown> = async () => undefined;
  beforeAll(() => {
    // Before the share is there, which does not stay long.
    builtCli();
  }, 60_000);
  beforeEach(() => {
    dataDir = newDataDir();
    share = hangingShare();
    path = join(share?.path ?? '', 'till-1');
  });
  afterEach(async () => {
    share?.unmount();
    await end();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const clock = new ManualClock('2026-11-20T18:13:00.000Z');
  const startBackups = (folder: string) =>
    new ScheduledBackups({
      dataDir,
      mode: 'sandbox',
      folder,
      hour: 3,
      keep: 14,
      timeZone: 'Asia/Kuwait',
      tillKey: Buffer.alloc(32, 1),
      deviceRef: 'till1',
      clock,
      log: silentLog,
    });

  it('is told, and keeps backups from no end', async () => {
    const backups = startBackups(path);
    void backups.look();
    await backups.close();
    const settings = settingsSchema.parse({ backup: { folder: path } });
    const told = await checkBackup(dataDir, settings, { nowMs: clock.now(), told: null });
    expect(told).toMatchObject([{ verdict: 'problem', says: expect.stringContaining('does not answer') }]);
  });

  it('that took backups before stops neither the till nor the backup in the folder of now', async () => {
    openStore(join(dataDir, 'sandbox.sqlite'), { random: systemRandom(), nowMs: 1 }).close();
    noteLastBackup(dataDir, 'sandbox', { made_at_ms: 1, file: join(path, 'old.backup'), operations: 0 });
    const folder = join(dataDir, 'of-now');
    mkdirSync(folder);
    const began = performance.now();
    const backups = startBackups(folder);
    await backups.look();
    await backups.close();
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/backup$/), expect.stringMatching(/mac$/)]);
  });

  it('takes one of the threads that a process has for files, however often it is looked at', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(() => lookAtFolder(path)));
    const stat = promises.stat(dataDir).then(() => 'answered');
    expect(await Promise.race([stat, lookAtFolder(path)])).toBe('answered');
  });

  it('keeps no program from ending while a thread of it reads a backup there, and its exit code stays', async () => {
    const app = join(import.meta.dirname, '../../app');
    const program = `
      import { endProcess } from ${JSON.stringify(join(app, 'machine/thread-calls.ts'))};
      import { proofOf } from ${JSON.stringify(join(app, 'store/copies/backup-proof.ts'))};
      proofOf(${JSON.stringify(join(path, 'a.backup'))}, new Uint8Array(32)).catch(() => undefined);
      setTimeout(() => endProcess(3), 300);
    `;
    const began = performance.now();
    const reader = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    const [code] = await once(reader, 'exit');
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(code).toBe(3);
  });

  it('keeps neither the agent nor the doctor beside it from ending, each with its own exit code', async () => {
    const environment = { TILLBRIDGE_BACKUP__FOLDER: path };
    const agent = await startAgentProcess({ dataDir, environment });
    end = () => agent.stop('SIGKILL');
    const status = async () => JSON.stringify((await agent.call('GET', '/agent/status')).json);
    await expect.poll(status, { timeout: 5_000 }).toContain(`${path} does not answer`);
    const asked = performance.now();
    const doctor = new CommandProcess(['tillbridge', 'doctor', '--data-dir', dataDir], environment);
    expect(await doctor.ended).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('does not answer') });
    expect(await agent.stop()).toMatchObject({ exitCode: 0 });
    // Two looks of 2 s, 5 s for a backup under way, and the starts of two programs on a busy machine.
    expect(performance.now() - asked).toBeLessThan(20_000);
  });
});
