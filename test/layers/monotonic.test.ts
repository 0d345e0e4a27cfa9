import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modulesUnder } from './check.ts';

const root = join(import.meta.dirname, '../..');

it('the agent never has Node load its measuring of performance', () => {
  // Commands for store IT are programs of their own, which start no sale.
  const modules = modulesUnder(root, 'app').filter((module) => !module.startsWith('app/commands/'));
  const found = modules.filter((module) =>
    /\bperformance\.\w+\(|node:perf_hooks/.test(withoutComments(readFileSync(join(root, module), 'utf8'))),
  );
  expect(modules.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
