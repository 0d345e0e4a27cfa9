import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusSchema } from '../../app/doctor/check-status.ts';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let outDir: string;
let agent: AgentProcess | null;
beforeEach(() => {
  dataDir = newDataDir();
  outDir = newDataDir();
  agent = null;
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

async function start(): Promise<AgentProcess> {
  agent = await startAgentProcess({ dataDir });
  return agent;
}

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const ended = await new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir, '--json'], environment).ended;
  return { ...ended, json: ended.stdout === '' ? null : JSON.parse(ended.stdout) };
}

async function earn(running: AgentProcess, external_ref: string): Promise<void> {
  const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref, amount_minor: 1_000 };
  expect((await running.call('POST', '/transactions/earn', body)).status).toBe(202);
}

const verdicts = (json: { findings: { check: string; verdict: string }[] }, check: string) =>
  json.findings.filter((finding) => finding.check === check).map(({ verdict }) => verdict);

describe('doctor', () => {
  it('finds a till well, running or not', async () => {
    const running = await start();
    await earn(running, 'R-1');
    const ended = await run(['doctor']);
    expect(ended).toMatchObject({ exitCode: 0, json: { well: true } });
    expect(verdicts(ended.json, 'connection')).toEqual(['well']);
    await running.stop();
    const stopped = await run(['doctor']);
    expect(stopped.exitCode).toBe(0);
    expect(verdicts(stopped.json, 'agent')).toEqual(['warning']);
  });

  it('tells an address that nobody answers at, and the key, apart', async () => {
    const ended = await run(['doctor'], {
      TILLBRIDGE_BASE_URL: 'http://127.0.0.1:9/v1',
      TILLBRIDGE_API_KEY: 'loyalty_pk_test_0123456789',
    });
    expect(ended.exitCode).toBe(1);
    expect(verdicts(ended.json, 'address')).toEqual(['problem']);
    expect(verdicts(ended.json, 'key')).toEqual([]);
    const wrongKey = await run(['doctor'], {
      TILLBRIDGE_BASE_URL: 'http://127.0.0.1:9/v1',
      TILLBRIDGE_API_KEY: 'loyalty_pk_live_0123456789',
    });
    expect(verdicts(wrongKey.json, 'settings')).toEqual(['problem']);
  });

  it('sees the settings that the running agent was started with, and has the agent ask its own service', async () => {
    const apiKey = 'loyalty_pk_test_0123456789';
    const environment = {
      TILLBRIDGE_BASE_URL: 'http://127.0.0.1:9/v1',
      TILLBRIDGE_API_KEY: apiKey,
      TILLBRIDGE_BRANCH_REF: 'salmiya',
    };
    const managed = join(outDir, 'managed.json');
    writeFileSync(managed, '{"device_name": "Front till"}');
    agent = await startAgentProcess({ dataDir, environment, flags: ['--config', managed] });
    const { json } = await run(['doctor']);
    expect(verdicts(json, 'settings')).toEqual(['well']);
    const { says } = json.findings.find(({ check }: { check: string }) => check === 'address');
    expect(says).toContain('http://127.0.0.1:9/v1 cannot be reached');
    const out = join(outDir, 'till.zip');
    expect(await run(['bundle', out])).toMatchObject({ exitCode: 0 });
    const files = Object.entries(unzipSync(readFileSync(out)));
    const settings = JSON.parse(Buffer.from(files.find(([name]) => name === 'settings.json')?.[1] ?? []).toString());
    expect(settings).toMatchObject({
      branch_ref: 'salmiya',
      device_name: 'Front till',
      api_key: 'set',
      from: { branch_ref: 'environment', device_name: 'managed' },
    });
    for (const [, bytes] of files) expect(Buffer.from(bytes).toString()).not.toContain(apiKey);

    writeFileSync(managed, '{"device_name": "Back till"}');
    const later = await run(['doctor']);
    expect(later.json.findings).toContainEqual(
      expect.objectContaining({ check: 'settings', verdict: 'warning', advice: 'Start the agent again to use them' }),
    );
  });

  it('says of a database of a newer version what the agent would say, and that it does not start', async () => {
    await (await start()).stop();
    const path = join(dataDir, 'sandbox.sqlite');
    const database = new BetterSqlite3(path);
    database.pragma('user_version = 900');
    database.exec(`UPDATE meta SET value = '900' WHERE key IN ('oldest_reader', 'schema_version')`);
    database.close();
    const ended = await run(['doctor']);
    expect(ended.exitCode).toBe(1);
    const [finding] = ended.json.findings.filter(({ check }: { check: string }) => check === 'database');
    expect(finding).toMatchObject({
      verdict: 'problem',
      says: expect.stringContaining('a newer version has changed sandbox.sqlite: it has schema 900'),
      advice: expect.stringContaining('Install the newer version again'),
    });
    const refused = await new CommandProcess(['agent', '--port', '0', '--data-dir', dataDir]).ended;
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('has schema 900') });
  });

  it('finds a key that the service refuses, at an address that is right', async () => {
    const service = new CommandProcess(['sandbox', '--json', '--port', '0']);
    try {
      const { base_url } = JSON.parse(await service.firstLine());
      const ended = await run(['doctor'], {
        TILLBRIDGE_BASE_URL: base_url,
        TILLBRIDGE_API_KEY: 'loyalty_pk_test_nobody_has_this_one',
      });
      expect(verdicts(ended.json, 'address')).toEqual(['well']);
      expect(verdicts(ended.json, 'key')).toEqual(['problem']);
    } finally {
      await service.stop();
    }
  });

  it.skipIf(process.platform === 'win32')('finds a damaged database, and secrets that others may read', async () => {
    await (await start()).stop();
    chmodSync(join(dataDir, 'secrets.json'), 0o644);
    const path = join(dataDir, 'sandbox.sqlite');
    const bytes = readFileSync(path);
    bytes.fill(0xee, 8_192, 16_384);
    writeFileSync(path, bytes);
    const ended = await run(['doctor']);
    expect(ended.exitCode).toBe(1);
    expect(verdicts(ended.json, 'database')).toEqual(['problem']);
    expect(verdicts(ended.json, 'secrets')).toEqual(['problem']);
  });
});

describe('doctor of a stopped till', () => {
  it('says of a folder that is not there that the agent makes it, and not that its rights are wrong', async () => {
    rmSync(dataDir, { recursive: true });
    const ended = await run(['doctor']);
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toContain(`${dataDir} does not exist`);
    expect(ended.stdout).toContain('Start the agent, which makes it');
    expect(ended.stdout).not.toContain('Give this user access');
  });

  it('finds an older copy in the place of the database, and one that is gone', async () => {
    const path = join(dataDir, 'sandbox.sqlite');
    await (await start()).stop();
    const older = readFileSync(path);
    const running = await start();
    await earn(running, 'R-1');
    await running.stop();
    expect(verdicts((await run(['doctor'])).json, 'database')).toEqual(['well']);
    const newer = readFileSync(path);
    writeFileSync(path, older);
    const copied = await run(['doctor']);
    expect(copied.exitCode).toBe(1);
    expect(copied.stdout).toContain('older copy');
    rmSync(path);
    const gone = await run(['doctor']);
    expect(gone.exitCode).toBe(1);
    expect(gone.stdout).toContain('sandbox.sqlite is missing');
    expect(gone.stdout).not.toContain('no agent ever ran here');
    writeFileSync(path, newer);
    expect((await run(['doctor'])).exitCode).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe or a folder in the place of a stopped till’s database', () => {
  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('%s: is told by the doctor, put aside by the next start, and told then', async (_, place) => {
    const path = join(dataDir, 'sandbox.sqlite');
    await (await start()).stop();
    rmSync(path);
    place(path);
    const ended = await run(['doctor']);
    expect(verdicts(ended.json, 'database')).toEqual(['problem']);
    expect(ended.stdout).toContain('sandbox.sqlite is not a file');
    const running = await start();
    await earn(running, 'R-1');
    expect(readdirSync(dataDir).some((name) => /^sandbox\.no-file-\w+$/.test(name))).toBe(true);
    expect((await running.call('GET', '/agent/status')).json).toMatchObject({
      notices: [expect.objectContaining({ code: 'database_recovered' })],
    });
    expect((await run(['doctor'])).stdout).toContain('Read more in docs/recovery.md');
  });
});

describe('bundle', () => {
  it('is a zip of what helps, without keys, tokens and customers', async () => {
    const running = await start();
    await earn(running, 'R-1');
    const out = join(outDir, 'bundle.zip');
    const listed = await run(['bundle', out, '--list']);
    expect(listed).toMatchObject({ exitCode: 0, json: { saved: null } });
    expect(existsSync(out)).toBe(false);
    expect(await run(['bundle', out])).toMatchObject({ exitCode: 0, json: { saved: out } });
    const files = unzipSync(readFileSync(out));
    expect(Object.keys(files)).toEqual(listed.json.parts.map(({ name }: { name: string }) => name));
    const text = Object.values(files)
      .map((bytes) => Buffer.from(bytes).toString('utf8'))
      .join('\n');
    expect(text).toContain('R-1');
    expect(text).not.toContain(running.token);
    expect(text).not.toContain('LC-1001');
    expect((await run(['bundle', out])).exitCode).toBe(2);
  });

  it('makes no folder: a path that was typed wrong is told', async () => {
    const folder = join(outDir, 'shraed');
    const ended = await run(['bundle', join(folder, 'bundle.zip')]);
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr).toContain(`${folder} does not exist`);
    expect(existsSync(folder)).toBe(false);
  });

  it('is not saved when a secret of this till is found in it', async () => {
    await (await start()).stop();
    const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
    writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ ...secrets, other: 'open sesame 42' }));
    appendFileSync(join(dataDir, 'logs', 'agent.log'), '{"message":"open sesame 42"}\n');
    const out = join(outDir, 'bundle.zip');
    const ended = await run(['bundle', out]);
    expect(ended).toMatchObject({ exitCode: 1, json: { saved: null, found: { part: 'logs/agent.log' } } });
    expect(ended.stdout).not.toContain('sesame');
    expect(existsSync(out)).toBe(false);
  });
});

describe('a till whose secrets.json is gone', () => {
  const refused = {
    exitCode: 3,
    stderr: expect.stringMatching(/has lost its secrets\.json\. Put secrets\.json back/),
  };
  const refusedRunning = {
    exitCode: 3,
    stderr: expect.stringMatching(
      /has lost its secrets\.json\. If an agent runs, do not end it.* Put secrets\.json back/,
    ),
  };

  it('gets no new one from a command, running or not, and the doctor says what to do', async () => {
    const running = await start();
    await earn(running, 'R-1');
    const good = join(outDir, 'good.backup');
    await run(['backup', good]);
    rmSync(join(dataDir, 'secrets.json'));
    const isLeft = () => existsSync(join(dataDir, 'secrets.json'));
    expect(await run(['backup', join(outDir, 'till.backup')])).toMatchObject(refusedRunning);
    await running.stop();
    agent = null;
    rmSync(join(dataDir, 'secrets.json'));
    expect(await run(['backup', join(outDir, 'till.backup')])).toMatchObject(refused);
    expect(await run(['queue', 'list'])).toMatchObject(refused);
    expect(await run(['restore', good])).toMatchObject(refused);
    expect(await run(['restore', good, '--from-elsewhere'])).toMatchObject(refused);
    const { exitCode, json } = await run(['doctor']);
    expect([exitCode, verdicts(json, 'secrets'), isLeft()]).toEqual([1, ['problem'], false]);
  });

  it('is told as no till that never ran, and its audit log as none that somebody has changed', async () => {
    const running = await start();
    rmSync(join(dataDir, 'secrets.json'));
    expect(await run(['tokens', 'show', 'main'])).toMatchObject(refusedRunning);
    await running.stop();
    agent = null;
    rmSync(join(dataDir, 'secrets.json'));
    expect(await run(['tokens', 'show', 'control'])).toMatchObject(refused);
    expect(await run(['audit'])).toMatchObject(refused);
    // A database that is gone, too, is no reason not to miss them.
    rmSync(join(dataDir, 'sandbox.sqlite'));
    const { json } = await run(['doctor']);
    expect([verdicts(json, 'secrets'), verdicts(json, 'audit')]).toEqual([['problem'], []]);
  });
});

describe('backup and restore', () => {
  it('tell apart what is newer than the backup and what has moved on since', async () => {
    agent = await startAgentProcess({
      dataDir,
      environment: { TILLBRIDGE_BASE_URL: 'http://127.0.0.1:9/v1', TILLBRIDGE_API_KEY: 'loyalty_pk_test_0123456789' },
    });
    await earn(agent, 'MOVED-ON');
    const file = join(outDir, 'till.backup');
    expect(await run(['backup', file])).toMatchObject({ exitCode: 0, json: { operations: 1 } });
    await agent.stop();
    const running = await start();
    await earn(running, 'NEWER');
    const waiting = async () => {
      const { operations } = statusSchema.parse((await running.call('GET', '/agent/status')).json);
      return operations.queued + operations.sending + operations.unknown + operations.accepted;
    };
    await expect.poll(waiting).toBe(0);
    await running.stop();
    const ended = await new CommandProcess(['tillbridge', 'restore', file, '--data-dir', dataDir]).ended;
    expect(ended.stdout).toContain(
      '1 that are newer were carried over from the database before, and 1 that had moved on since; 0 could not be read.',
    );
  });

  it('bring a till back, with what was sold since', async () => {
    const running = await start();
    await earn(running, 'R-1');
    const file = join(outDir, 'till.backup');
    expect(await run(['backup', file])).toMatchObject({ exitCode: 0, json: { operations: 1, mode: 'sandbox' } });
    await earn(running, 'R-2');
    expect((await run(['restore', file])).exitCode).toBe(3);
    await running.stop();
    const restored = await run(['restore', file]);
    expect(restored).toMatchObject({ exitCode: 0, json: { operations: 1, unreadable: 0 } });
    expect(readdirSync(dataDir)).toContain(restored.json.aside);
    const again = await start();
    for (const reference of ['R-1', 'R-2']) {
      const record = async () =>
        JSON.stringify((await again.call('GET', `/transactions?external_ref=${reference}`)).json);
      await expect.poll(record).toContain('"success"');
    }
  });

  it('say of a backup that it is another till’s', async () => {
    const running = await start();
    await earn(running, 'R-1');
    const file = join(outDir, 'till.backup');
    await run(['backup', file]);
    await running.stop();
    expect(await run(['restore', file])).toMatchObject({ exitCode: 0, json: { is_another_tills: false } });
    const others = dataDir;
    dataDir = newDataDir();
    await (await start()).stop();
    expect((await run(['restore', file])).exitCode).toBe(2);
    const vouched = await run(['restore', file, '--from-elsewhere']);
    expect(vouched).toMatchObject({ exitCode: 0, json: { is_another_tills: true } });
    const { json } = await run(['audit']);
    expect(json).toMatchObject({ whole: true });
    expect(json.entries.at(-1)).toMatchObject({ event: 'restored', operations: 1, is_proven: false });
    // From then on it is this till's.
    expect(await run(['restore', file, '--from-elsewhere'])).toMatchObject({ json: { is_another_tills: false } });
    rmSync(others, { recursive: true, force: true });
  });

  it('name no file that was kept where the database was gone', async () => {
    await (await start()).stop();
    const file = join(outDir, 'till.backup');
    expect((await run(['backup', file])).exitCode).toBe(0);
    rmSync(join(dataDir, 'sandbox.sqlite'));
    expect(await run(['restore', file])).toMatchObject({ exitCode: 1, json: { unreadable: null, aside: null } });
  });

  it('name the log that was kept where the database was gone and its log was left', async () => {
    const running = await start();
    const file = join(outDir, 'till.backup');
    expect((await run(['backup', file])).exitCode).toBe(0);
    await earn(running, 'R-1');
    await running.stop('SIGKILL');
    rmSync(join(dataDir, 'sandbox.sqlite'));
    const log = expect.stringMatching(/^sandbox\.before-restore-.*\.sqlite-wal$/);
    const restored = await run(['restore', file]);
    expect(restored).toMatchObject({ exitCode: 0, json: { carried: 1, unreadable: 0, aside: log } });
    const { aside } = restored.json;
    const doctor = await run(['doctor']);
    expect(JSON.stringify(doctor.json)).toContain(`${aside} was replaced in`);
    // Who is named in it is not erased there.
    const erased = await run(['customer', 'erase', 'loyalty_id', 'LC-9999', '--yes']);
    const told = { file: aside, kind: 'aside', problem: expect.stringContaining('a log without its database') };
    expect(erased).toMatchObject({ exitCode: 1, json: { files: [{ file }, told] } });
    expect(await run(['profiles', 'erase'])).toMatchObject({ exitCode: 1, json: { not_reached: [aside] } });
    rmSync(join(dataDir, aside));
    expect((await run(['profiles', 'erase'])).exitCode).toBe(0);
  });

  it('say that operations may be missing, and name each file that was put aside', async () => {
    const running = await start();
    await earn(running, 'R-1');
    const file = join(outDir, 'till.backup');
    expect((await run(['backup', file])).exitCode).toBe(0);
    const log = join(dataDir, 'sandbox.sqlite-wal');
    copyFileSync(log, join(outDir, 'older-wal'));
    await running.stop();
    const killed = await start();
    await earn(killed, 'R-2');
    await killed.stop('SIGKILL');
    copyFileSync(join(outDir, 'older-wal'), log);
    const { exitCode, stdout } = await new CommandProcess(['tillbridge', 'restore', file, '--data-dir', dataDir]).ended;
    expect(exitCode).toBe(1);
    expect(stdout).toContain('how many could not be read is unknown.');
    expect(stdout).toContain('not the newest one: operations may be missing.');
    const [strayLog] = readdirSync(dataDir).filter((name) => name.includes('stray-log'));
    expect(stdout).toContain(`lay beside it and is now ${strayLog}.`);
  });

  it('makes no folder for a backup: a share that is not mounted is told', async () => {
    await (await start()).stop();
    const folder = join(outDir, 'share', 'till-1');
    const ended = await run(['backup', join(folder, 'till.backup')]);
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr).toContain(`${folder} does not exist`);
    expect(existsSync(join(outDir, 'share'))).toBe(false);
  });

  it('tells of a damaged database, and not of the file that was to be made', async () => {
    await (await start()).stop();
    const path = join(dataDir, 'sandbox.sqlite');
    writeFileSync(path, readFileSync(path).fill(0xee, 0, 100));
    const ended = await run(['backup', join(outDir, 'till.backup')]);
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr).toContain(path);
    expect(ended.stderr).not.toContain('till.backup');
  });

  it.each([
    [['backup'], 2],
    [['backup', '/proc/nowhere/till.backup'], 3],
    [['restore', '/nowhere/till.backup'], 2],
    [['backup', 'x', '--mode', 'play'], 2],
  ])('%s ends with %i', async (args, exitCode) => {
    await (await start()).stop();
    const ended = await run(args);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });
});
