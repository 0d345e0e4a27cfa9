import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
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

it('holds no letter for which V8 would keep a file at two bytes each', () => {
  expect(agentCode().match(/.{0,20}[^\0-\x7f].{0,20}/g)).toBeNull();
});
