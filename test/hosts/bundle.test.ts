import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../tools/bundles.ts';
import { builtCli } from '../support/built-cli.ts';

/** A chunk and all that is loaded with it, in one text. */
function loadedWith(path: string, seen = new Set<string>()): string {
  if (seen.has(path)) return '';
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/^(?:const \w+ = )?require\("(\.{1,2}\/[\w./-]+)"\);$/gm)].map(([, name = '']) =>
    join(dirname(path), name),
  );
  return [text, ...imported.map((chunk) => loadedWith(chunk, seen))].join('\n');
}

/** What the command `agent` loads before it runs. */
function agentCode(): string {
  const folder = dirname(builtCli());
  const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const first = readFileSync(join(folder, main), 'utf8');
  const agent = /agent = async \(\) => \(await .*?require\("(.+?)"\)/.exec(first)?.[1];
  return loadedWith(join(folder, agent ?? ''));
}

it('starts an agent without what no sale needs', () => {
  const modules = [...agentCode().matchAll(/^\/\/ (\S+\.(?:js|ts))$/gm)].map(([, module]) => module);
  expect(modules).toEqual(
    expect.arrayContaining(['app/core/create-core.ts', 'node_modules/better-sqlite3/lib/database.js']),
  );
  const late = [
    'app/office/office.ts',
    'app/till/till.ts',
    'app/service/service.ts',
    'shared/till/views.ts',
    'node_modules/pino/pino.js',
    'node_modules/undici/lib/dispatcher/client.js',
  ];
  expect(modules.filter((module) => late.includes(module ?? ''))).toEqual([]);
});

it('reads the rules of phone numbers with the first number', () => {
  const folder = join(dirname(builtCli()), 'chunks');
  const [rules] = readdirSync(folder).filter((name) => /^parsePhoneNumber-.*\.cjs$/.test(name));
  expect(readFileSync(join(folder, rules ?? ''), 'utf8')).toContain('JSON.parse("{\\"version\\":');
});

it('holds no letter for which V8 would keep a file at two bytes each', () => {
  const folder = dirname(builtCli());
  const { packs } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const packed = Object.values(z.record(z.string(), z.string()).parse(packs)).map((pack) =>
    readFileSync(join(folder, pack), 'utf8'),
  );
  for (const text of [agentCode(), ...packed]) expect(text.match(/.{0,20}[^\0-\x7f].{0,20}/g)).toBeNull();
});

describe('a built agent', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'a till ')));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const toldSchema = z.object({ made: z.int(), native: z.array(z.string()) });

  /** @returns what it tells when it is ready (counted-checks-hook.cjs) */
  async function started(cli: string, env: NodeJS.ProcessEnv = {}): Promise<z.output<typeof toldSchema>> {
    const hook = join(import.meta.dirname, '../support/counted-checks-hook.cjs');
    const args = ['agent', '--json', '--port', '0', '--mode', 'sandbox', '--data-dir', join(folder, 'data')];
    const agent = spawn(process.execPath, ['--require', hook, cli, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    const told: string[] = [];
    createInterface(agent.stderr).on('line', (line) => told.push(line));
    agent.stdout.once('data', () => agent.kill('SIGTERM'));
    await once(agent, 'close');
    return toldSchema.parse(JSON.parse(told.find((line) => line.startsWith('{"made"')) ?? told.join('\n')));
  }

  it('makes few checks before it is ready: what one call or file needs is made with the first of it', async () => {
    const { made } = await started(builtCli());
    expect(made).toBeGreaterThan(100);
    expect(made).toBeLessThan(490);
  });

  it('takes the driver that stands beside it, from any folder, and not the one that NODE_PATH names', async () => {
    const cli = join(folder, 'dist', 'app', 'cli.js');
    cpSync(dirname(builtCli()), dirname(cli), { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'node_modules', 'better-sqlite3'), join(folder, 'node_modules', 'better-sqlite3'));
    const strange = join(folder, 'strange', 'better-sqlite3');
    for (const part of ['lib', join('build', 'Release')]) mkdirSync(join(strange, part), { recursive: true });
    writeFileSync(join(strange, 'package.json'), '{"name":"better-sqlite3","main":"lib/index.js"}');
    writeFileSync(join(strange, 'lib', 'index.js'), '');
    writeFileSync(join(strange, 'build', 'Release', 'better_sqlite3.node'), 'not native code');
    const { native } = await started(cli, { NODE_PATH: dirname(strange) });
    expect(native.filter((path) => path.includes('sqlite'))).toHaveLength(1);
  });
});
