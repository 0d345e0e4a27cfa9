import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundles.ts';

/** What is seen by whoever comes after in the same process: replaced modules, timers and variables, other prototypes. */
const changesItsProcess =
  /\bvi\.(?:mock|doMock|useFakeTimers|stubEnv|stubGlobal)\(|Object\.defineProperty\(process|prototype/;

/** The test files that cannot share a process with others, from the root: they are known by what they do. */
export function ownProcessTests(): readonly string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => ['test', ...name.split(/[\\/]/)].join('/'))
    .filter((path) => /\.test\.tsx?$/.test(path) && changesItsProcess.test(readFileSync(join(root, path), 'utf8')));
}
