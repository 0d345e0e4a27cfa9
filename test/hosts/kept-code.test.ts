import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keptCodePath, type LoadedPart, runProgram, withDigest } from '../../app/machine/kept-code.ts';
import { packOf } from '../../tools/program-manifest.ts';
import { builtCli } from '../support/built-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-code-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a built program', () => {
  /** @returns its two parts, as they were loaded */
  function run(): readonly LoadedPart[] {
    const parts: LoadedPart[] = [];
    runProgram(folder, (part) => parts.push(part));
    return parts;
  }
  const told = (): unknown => Reflect.get(globalThis, 'toldByParts');

  beforeEach(() => {
    writeFileSync(join(folder, 'package.json'), '{"type":"commonjs","main":"first-1.cjs","packs":{}}');
    writeFileSync(
      join(folder, 'first-1.cjs'),
      `exports.name = 'first';
      const second = require('./second-2.cjs');
      globalThis.toldByParts = second.tell() + ' of ' + require('node:path').basename(__dirname);`,
    );
    writeFileSync(
      join(folder, 'second-2.cjs'),
      `const first = require('./first-1.cjs'); exports.tell = () => 'second after ' + first.name;`,
    );
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'toldByParts');
  });

  it('runs its parts once each, also when two need each other', () => {
    expect(run()).toHaveLength(2);
    expect(told()).toMatch(/^second after first of kept-code-/);
  });

  it('takes a part and what it needs out of their pack, each made once and as if it stood in its own file', () => {
    writeFileSync(
      join(folder, 'package.json'),
      '{"type":"commonjs","main":"first-1.cjs","packs":{"parts/second-2.cjs":"parts/second-2.pack.cjs"}}',
    );
    writeFileSync(
      join(folder, 'first-1.cjs'),
      `const second = require('./parts/second-2.cjs');
      globalThis.toldByParts = [second.tell(), require('./parts/third-3.cjs').count()].join(', ');`,
    );
    mkdirSync(join(folder, 'parts'));
    const parts = {
      'parts/second-2.cjs': `exports.tell = () => require('./third-3.cjs').count() + ' in ' + require('node:path').basename(__filename);`,
      'parts/third-3.cjs': 'let made = 0; exports.count = () => ++made; // A comment at the end.',
    };
    writeFileSync(join(folder, 'parts/second-2.pack.cjs'), packOf(Object.entries(parts)));
    const loaded = run();
    expect(loaded.map(({ path }) => basename(path))).toEqual(['first-1.cjs', 'second-2.pack.cjs']);
    expect(told()).toBe('1 in second-2.cjs, 2');
  });

  it.each(['node:dns', 'node:zlib'])('loads %s when something of it is used, and not before', (id) => {
    const asked = vi.spyOn(process, 'getBuiltinModule');
    onTestFinished(() => asked.mockRestore());
    const asks = () => asked.mock.calls.filter(([name]) => name === id).length;
    writeFileSync(
      join(folder, 'first-1.cjs'),
      `const seldom = require('${id}'); globalThis.toldByParts = () => seldom.constants ?? seldom.lookup;`,
    );
    run();
    expect(asks()).toBe(0);
    const use = told();
    expect(typeof use === 'function' ? use() : null).toBeTruthy();
    expect(asks()).toBeGreaterThan(0);
  });

  it('throws again when a part that could not run is asked for once more', () => {
    writeFileSync(
      join(folder, 'first-1.cjs'),
      `const tell = () => { try { return require('./second-2.cjs').tell; } catch (error) { return error.message; } };
      globalThis.toldByParts = [tell(), tell()];`,
    );
    writeFileSync(join(folder, 'second-2.cjs'), `exports.tell = 'half of it'; throw new Error('no second part');`);
    run();
    expect(told()).toEqual(['no second part', 'no second part']);
  });

  it('takes the code that was kept of a part', () => {
    for (const { path, script } of run()) writeFileSync(keptCodePath(path), withDigest(script.createCachedData()));
    Reflect.deleteProperty(globalThis, 'toldByParts');
    expect(run().map(({ script }) => script.cachedDataRejected)).toEqual([false, false]);
    expect(told()).toMatch(/^second after first/);
  });

  it('compiles a part itself when a byte of its kept code has changed, is missing, or it was made of another text', () => {
    const [first, second] = run();
    if (first === undefined || second === undefined) throw new Error('There are two parts');
    const ofFirst = withDigest(first.script.createCachedData());
    const damaged = Uint8Array.from(ofFirst);
    damaged[200] = (damaged[200] ?? 0) ^ 1;
    const isTaken = [damaged, ofFirst.subarray(0, -1), new Uint8Array(0)].map((bytes) => {
      writeFileSync(keptCodePath(first.path), bytes);
      return run()[0]?.script.cachedDataRejected === false;
    });
    expect(isTaken).toEqual([false, false, false]);
    // A text that V8 has not met yet: what it has compiled in this process it takes from there.
    writeFileSync(second.path, `${readFileSync(second.path, 'utf8')} // Another text.`);
    writeFileSync(keptCodePath(second.path), ofFirst);
    expect(run()[1]?.script.cachedDataRejected).toBe(true);
    expect(told()).toMatch(/^second after first/);
  });
});

describe('the build', () => {
  it.each([
    {
      what: 'an agent',
      service: ['--mode', 'production', '--base-url', 'http://127.0.0.1:9/v1'],
      apiKey: 'loyalty_pk_live_kept_0123456789',
      packs: ['agent'],
    },
    {
      what: 'an agent with the embedded sandbox',
      service: ['--mode', 'sandbox'],
      apiKey: '',
      packs: ['agent', 'open-embedded-sandbox'],
    },
  ])(
    'has packed all that $what loads until it is ready, with its code kept for any user of the machine',
    async ({ service, apiKey, packs }) => {
      const app = dirname(builtCli());
      const agent = spawn(
        process.execPath,
        [
          join(import.meta.dirname, '../support/loaded-parts.ts'),
          app,
          'agent',
          '--json',
          '--port',
          '0',
          '--data-dir',
          folder,
          ...service,
        ],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, NODE_OPTIONS: '', TILLBRIDGE_API_KEY: apiKey },
        },
      );
      const lines: string[] = [];
      createInterface(agent.stdout).on('line', (line) => {
        lines.push(line);
        if (lines.length === 1) agent.kill('SIGTERM');
      });
      await once(agent, 'close');
      const parts: Record<string, boolean> = JSON.parse(lines.at(-1) ?? '');
      expect(Object.entries(parts).filter(([, isKept]) => !isKept)).toEqual([]);
      const names = Object.keys(parts).map((name) => name.replace(/-[\w-]{8}(?=\.)/, ''));
      const atOnce = ['cli.cjs', 'rolldown-runtime.cjs', ...packs.map((pack) => `${pack}.pack.cjs`)];
      expect(names.slice(0, atOnce.length)).toEqual(atOnce);
      // The log, and the HTTP client, come once nobody waits.
      expect(names.length).toBeGreaterThan(atOnce.length);
      const { main } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
      expect(statSync(keptCodePath(join(app, main))).mode & 0o777).toBe(0o644);
    },
  );
});
