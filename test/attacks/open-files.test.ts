import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployedStanding } from '../../app/config/deployed-file.ts';
import { checkFolder } from '../../app/doctor/check-machine.ts';
import { closeToOthers } from '../../app/machine/closed-folder.ts';
import { startAgentProcess } from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { PageEnd } from '../support/page-end.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = folder.file('data');
});
afterEach(() => folder.remove());

/** Everything under a folder that somebody else may read or write. */
function openPaths(path: string): readonly string[] {
  const found = statSync(path);
  const below = found.isDirectory() ? readdirSync(path).flatMap((name) => openPaths(join(path, name))) : [];
  return (found.mode & 0o077) === 0 ? below : [path, ...below];
}

/** Starts a program of ours as a person with an open umask does, until it is ready. */
async function runOnce(args: readonly string[]): Promise<string> {
  const command = `umask 000; exec "$@"`;
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, builtCli(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close');
  await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  child.kill('SIGTERM');
  await ended;
  return errors;
}

/** Opens an address that works once: the browser has its session then. */
async function openInBrowser(url: string, line: string): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual' });
  const page = new PageEnd(new URL(url).origin, undefined, line);
  await page.next();
  page.say({ token: decodeURIComponent(answer.headers.get('location')?.split('#open=')[1] ?? '') });
  expect(await page.next()).toMatchObject({ session: expect.any(String) });
  page.socket.terminate();
}

describe.skipIf(process.platform === 'win32')('the data of a till', () => {
  it('is its user’s alone, also in a folder that was made before, with files of an older version in it', async () => {
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o777 });
    const older = ['production.sqlite', 'sandbox.damaged-20261120T181300.sqlite', 'settings.json', 'logs/agent.log.1'];
    for (const name of older) writeFileSync(join(dataDir, name), name === 'settings.json' ? '{"mode": "sandbox"}' : '');
    for (const name of ['', 'logs', ...older]) chmodSync(join(dataDir, name), name.includes('.') ? 0o666 : 0o777);
    const told = await runOnce(['agent', '--json', '--port', '0', '--data-dir', dataDir]);
    expect(existsSync(join(dataDir, 'sandbox.sqlite'))).toBe(true);
    expect(openPaths(dataDir)).toEqual([]);
    expect(told).toContain('could be read or written by other users');
  });

  it('is closed where a program keeps a file beside it', async () => {
    mkdirSync(dataDir);
    await runOnce(['sandbox', '--json', '--port', '0', '--data', join(dataDir, 'service.sqlite')]);
    expect(readdirSync(dataDir).length).toBeGreaterThan(0);
    for (const name of readdirSync(dataDir)) expect(openPaths(join(dataDir, name))).toEqual([]);
  });

  it('is refused a folder that everybody shares, and one with other things in it that others may change', () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o1777);
    expect(() => closeToOthers(dataDir)).toThrow(/every user of this machine may write.*--data-dir/);
    chmodSync(dataDir, 0o770);
    writeFileSync(join(dataDir, 'holiday.txt'), '');
    expect(() => closeToOthers(dataDir)).toThrow(/holiday\.txt.*chmod go=/);
    expect(statSync(dataDir).mode & 0o777).toBe(0o770);
    expect(checkFolder(dataDir)).toContainEqual(expect.objectContaining({ check: 'folder', verdict: 'problem' }));
  });

  it('holds nothing of somebody else’s after an agent has run there: a folder that was opened is closed again', async () => {
    const agent = await startAgentProcess({
      dataDir,
      flags: ['--ui'],
      environment: { TILLBRIDGE_WINDOW__CUSTOMER_DISPLAY: 'on' },
    });
    for (const [url, line] of [
      [agent.ui_url, '/till'],
      [agent.customer_url, '/customer/line'],
    ] as const)
      await openInBrowser(url ?? '', line);
    await agent.stop();
    const names = readdirSync(dataDir);
    expect(names).toEqual(expect.arrayContaining(['screen.json', 'customer-screen.json']));
    for (const name of names) if (name !== 'secrets.json') chmodSync(join(dataDir, name), 0o777);
    chmodSync(dataDir, 0o777);
    closeToOthers(dataDir);
    expect(openPaths(dataDir)).toEqual([]);
  });

  it('leaves a readable folder of other things as it is, and closes its own files in it', () => {
    mkdirSync(dataDir);
    for (const name of ['holiday.txt', 'sandbox.sqlite']) {
      writeFileSync(join(dataDir, name), '');
      chmodSync(join(dataDir, name), 0o644);
    }
    chmodSync(dataDir, 0o755);
    expect(closeToOthers(dataDir).wereOpen).toEqual([join(dataDir, 'sandbox.sqlite')]);
    expect(openPaths(dataDir)).toEqual([dataDir, join(dataDir, 'holiday.txt')]);
  });

  it.runIf(process.getuid?.() === 0)('is not believed where another user has put it', async () => {
    mkdirSync(dataDir);
    chownSync(folder.path, 65534, 65534);
    chownSync(dataDir, 65534, 65534);
    writeFileSync(join(dataDir, 'settings.json'), '{}');
    chownSync(join(dataDir, 'settings.json'), 65533, 65533);
    const script = `const { closeToOthers } = await import(${JSON.stringify(join(import.meta.dirname, '../../app/machine/closed-folder.ts'))});
      process.setuid(65534);
      try { closeToOthers(${JSON.stringify(dataDir)}); } catch (error) { console.log(error.message); }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(child, 'close');
    expect(said).toMatch(/settings\.json belongs to another user.*delete it/);
  });

  it.runIf(process.getuid?.() === 0)(
    'is not moved elsewhere by a deployed settings file that others may change',
    () => {
      mkdirSync(dataDir);
      const file = join(dataDir, 'settings.json');
      writeFileSync(file, '{}');
      const fault = () => {
        const standing = deployedStanding(file, undefined, new Map());
        return standing.kind === 'not_used' ? standing.line : null;
      };
      chmodSync(dataDir, 0o755);
      chmodSync(file, 0o640);
      expect(fault()).toBeNull();
      chmodSync(file, 0o646);
      expect(fault()).toBe(
        'is not used: other users may write it. Let only administrators write the file and its folder',
      );
      chmodSync(file, 0o644);
      chmodSync(dataDir, 0o777);
      expect(fault()).toContain(`other users may write ${dataDir}`);
      chmodSync(dataDir, 0o755);
      chownSync(file, 65534, 0);
      expect(fault()).toContain('its owner is not root');
    },
  );

  it('is told by the doctor', () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'production.sqlite'), '');
    chmodSync(join(dataDir, 'production.sqlite'), 0o644);
    chmodSync(dataDir, 0o700);
    const told = checkFolder(dataDir).filter(({ verdict }) => verdict !== 'well');
    expect(told).toEqual([expect.objectContaining({ says: expect.stringContaining('production.sqlite') })]);
  });
});
