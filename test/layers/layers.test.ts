import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkLayers } from './check.ts';
import { circlesIn, graphOf } from './circles.ts';
import { exportsWithoutImporter } from './exports.ts';
import { importsOf } from './imports.ts';
import { breachesOfRooms, rooms, roomsWithin } from './rooms.ts';
import { layeredFolders, layerRules, leastModuleCount } from './rules.ts';

const root = join(import.meta.dirname, '..', '..');

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function madeTree(files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), 'layers-'));
  made.push(tree);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return tree;
}

test('no module imports what its folder may not', () => {
  const report = checkLayers(root, layeredFolders, layerRules);
  expect(report.violations).toEqual([]);
  expect(report.moduleCount).toBeGreaterThanOrEqual(leastModuleCount);
});

describe('a circle of imports', () => {
  test('is nowhere, types included', () => {
    expect(circlesIn(graphOf(root, ['shared', 'app', 'main', 'renderer', 'demo', 'tools']))).toEqual([]);
  });

  test.each([
    ['two that import one another', { a: ['b'], b: ['a'] }, [['a', 'b']]],
    ['a way of three, and what only leads to it', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, [['b', 'c', 'd']]],
    [
      'two circles apart',
      { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    ],
    ['two ways to one module, which is no circle', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ])('is found: %s', (_, imports, circles) => {
    expect(circlesIn(new Map(Object.entries(imports)))).toEqual(circles);
  });
});

describe('the rooms of the agent', () => {
  test('each module stands in one, and imports from no room above its own, types included', () => {
    const graph = graphOf(root, ['app']);
    expect(breachesOfRooms(graph)).toEqual([]);
    const orders = Object.entries({ app: rooms, ...roomsWithin });
    const all = orders.flatMap(([folder, order]) => order.map((room) => join(folder, room)));
    const seen = new Set([...graph.keys()].map(dirname));
    const isEmpty = (room: string) => ![...seen].some((folder) => folder === room || folder.startsWith(`${room}/`));
    expect(all.filter(isEmpty)).toEqual([]);
  });

  test.each([
    ['an arrow up', { 'app/store/database/open.ts': ['app/operations/immediate/desk.ts'] }, 1],
    ['an arrow into the entry', { 'app/agent/agent.ts': ['app/cli.ts'] }, 1],
    ['a module in no room', { 'app/agent.ts': [] }, 1],
    ['an arrow up within a room', { 'app/store/files/replacing.ts': ['app/store/database/open.ts'] }, 1],
    ['a module in no room of a room', { 'app/operations/mail/letter.ts': [] }, 1],
    [
      'an arrow to what stands in the room itself',
      { 'app/operations/watch/watcher.ts': ['app/operations/attention.ts'] },
      1,
    ],
    [
      'an arrow down, and one within the room',
      { 'app/bridge/earn.ts': ['app/core/agent-core.ts', 'app/bridge/answers.ts'] },
      0,
    ],
  ])('%s is found as what it is', (_, imports, count) => {
    expect(breachesOfRooms(new Map(Object.entries(imports)))).toHaveLength(count);
  });
});

describe('an export', () => {
  // What the bundler puts in the place of undici: a package asks for it.
  const takenByPackages = 'tools/undici-parts/';

  test('has somebody who imports it', () => {
    const places = ['shared', 'app', 'main', 'renderer', 'demo', 'tools', 'test', 'vitest.config.ts'];
    const found = exportsWithoutImporter(root, places).filter((name) => !name.startsWith(takenByPackages));
    expect(found).toEqual([]);
  });

  test.each([
    ['by its name', `import { one } from '../made.ts'`, ['made/made.ts: two']],
    [
      'by its name, as a type, and as another name',
      `import { type one as first } from '../made.ts'`,
      ['made/made.ts: two'],
    ],
    ['passed on', `export { one, two } from '../made.ts'`, ['made/by/user.ts: one', 'made/by/user.ts: two']],
    ['all at once', `import * as all from '../made.ts'`, []],
    ['later', `const { one } = await import('../made.ts')`, []],
    ['by a pattern', `import.meta.glob('../*.ts')`, []],
    ['not at all', `const one = 'from ../made.ts'`, ['made/made.ts: one', 'made/made.ts: two']],
  ])('is imported %s', (_, user, unasked) => {
    const tree = madeTree({ 'made/made.ts': 'export const one = 1;\nexport type two = 2;', 'made/by/user.ts': user });
    expect(exportsWithoutImporter(tree, ['made'])).toEqual(unasked);
  });
});

describe('a broken rule is found', () => {
  function violationsIn(files: Record<string, string>): readonly string[] {
    const tree = madeTree(files);
    const report = checkLayers(tree, layeredFolders, layerRules);
    expect(report.moduleCount).toBe(Object.keys(files).length);
    return report.violations;
  }

  test.each([
    ['shared/money.ts', `import { x } from '../app/agent.ts'`],
    ['shared/money.ts', `import type { Stats } from 'node:fs'`],
    ['shared/money.ts', `import { readFileSync } from 'fs'`],
    ['shared/money.ts', `export * from 'undici'`],
    ['app/agent/agent.ts', `import '../../main/index.ts'`],
    ['app/agent/agent.ts', `import '../../renderer/main.tsx'`],
    ['app/agent/agent.ts', `import { app } from 'electron'`],
    ['app/agent/agent.ts', `import { signal } from '@preact/signals'`],
    ['app/agent/agent.ts', `import '../../test/support/clock.ts'`],
    ['app/service/service.ts', `import '../store/open.ts'`],
    ['app/service/service.ts', `type T = import('../operations/save.ts').Saved`],
    ['app/service/store/card-store.ts', `import { eq } from 'drizzle-orm'`],
    ['app/service/store/card-store.ts', `import { read } from '../../sql/compile.ts'`],
    ['app/service/store/card-store.ts', `import { cards } from './schema.ts'`],
    ['app/store/tables/hold-store.ts', `import { eq } from 'drizzle-orm'`],
    ['app/operations/intake/intake.ts', `import { operations } from '../../store/schema/schema.ts'`],
    ['app/service/rules/earn.ts', `import { prepareAll } from '../../sql/prepare.ts'`],
    ['app/sql/prepare.ts', `import '../store/open.ts'`],
    ['app/bridge/server.ts', `const service = await import('../service/service.ts')`],
    ['app/commands/agent.ts', `import '../service/service.ts'`],
    ['app/store/database/open.ts', `import { request } from 'undici'`],
    ['app/store/database/open.ts', `import { WebSocketServer } from 'ws'`],
    ['app/client/client.ts', `import Database from 'better-sqlite3'`],
    ['app/client/client.ts', `import '../store/index.ts'`],
    ['app/operations/send.ts', `import { Agent } from 'undici'`],
    ['app/operations/send.ts', `import '../client/pool.ts'`],
    ['app/operations/send.ts', `import type { ServiceClient } from '../client/client.ts'`],
    ['renderer/till.ts', `import { z } from 'zod'`],
    ['renderer/app.tsx', `import '../app/till/api.ts'; const page = <div />;`],
    ['renderer/app.tsx', `import { request } from 'undici'`],
    ['main/index.ts', `import '../renderer/app.tsx'`],
    ['main/index.ts', `const name: string = process.argv[2] ?? ''; await import(name)`],
  ])('%s: %s', (path, text) => {
    const violations = violationsIn({ [path]: text });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatch(new RegExp(`^${path}:1 imports `));
  });

  test.each([
    ['shared/contract/errors.ts', `import { z } from 'zod'; import '../money.ts'`],
    [
      'app/agent/open-embedded-sandbox.ts',
      `import '../service/service.ts'; import '../../shared/money.ts'; import 'node:fs'`,
    ],
    ['app/commands/sandbox.ts', `import '../service/service.ts'`],
    ['app/service/service.ts', `import './rules.ts'; import { Pool } from 'undici'; import '../../shared/money.ts'`],
    ['app/operations/send.ts', `import type { Outcome } from '../client/outcome.ts'`],
    ['app/operations/send.ts', `import { unknownOutcome } from '../client/outcome.ts'`],
    ['app/operations/intake/intake.ts', `import { type operations } from '../../store/schema/schema.ts'`],
    ['app/store/database/open.ts', `import Database from 'better-sqlite3'`],
    ['app/service/store/card-store.ts', `import type { cards } from './schema.ts'; import '../../sql/prepare.ts'`],
    ['app/service/store/statements/cards.ts', `import { eq } from 'drizzle-orm'; import { cards } from '../schema.ts'`],
    ['app/operations/intake/intake.ts', `import type { operations } from '../../store/schema/schema.ts'`],
    ['app/service/store/schema.ts', `import { text } from 'drizzle-orm/sqlite-core'`],
    ['renderer/app.tsx', `import { render } from 'preact'; import icon from 'lucide-static/icons/gift.svg?raw'`],
    ['renderer/app.tsx', `import '@fontsource-variable/inter'; import './styles/tokens.css'`],
    ['renderer/till.ts', `import { signal } from '@preact/signals'; import '../shared/money.ts'`],
    ['main/index.ts', `import { app } from 'electron'; import '../app/agent.ts'`],
  ])('and a kept one is not: %s: %s', (path, text) => {
    expect(violationsIn({ [path]: text })).toEqual([]);
  });
});

describe('imports are read from the syntax tree', () => {
  const specifiersOf = (text: string) => importsOf('module.ts', text).map(({ specifier }) => specifier);

  test.each([
    [`import a, { type B } from "a"`, ['a']],
    [`import {\n  a, // from 'not-this'\n  b,\n} from\n  'a'`, ['a']],
    [`export { a } from 'a'; export const b = 1; export type { C } from 'c'`, ['a', 'c']],
    [`export * as all from 'a'`, ['a']],
    ['const a = await import(`a`)', ['a']],
    [`import a = require('a')`, ['a']],
    [`const a = require('a'); require.resolve('b')`, ['a', 'b']],
    [`let a: typeof import('a')`, ['a']],
    [`import data from './a.json' with { type: 'json' }`, ['./a.json']],
    [`new Worker(new URL('./a.ts', import.meta.url))`, ['./a.ts']],
    [`import.meta.glob('./pages/*.ts')`, ['./pages/*.ts']],
    [`await import(\`./\${name}.ts\`)`, [null]],
    [`// import 'a'\n/* import 'b' */ const text = "import 'c' from 'd'"`, []],
    [`const text = \`import 'a'; \${1} from 'b'\``, []],
    [`const pattern = /import 'a'/; object.import('a'); object.require('b')`, []],
  ])('%s', (text, specifiers) => {
    expect(specifiersOf(text)).toEqual(specifiers);
  });

  test('a module that does not parse is an error, not an empty one', () => {
    expect(() => importsOf('module.ts', 'import {')).toThrow('does not parse');
  });
});
