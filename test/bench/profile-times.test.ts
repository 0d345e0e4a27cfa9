import { expect, test } from 'vitest';
import { type CpuProfile, timeByFile, timeByFunction } from './profile-times.ts';

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber, columnNumber: 0 });

// sale -> run (of a package) -> read (of Node), and sale -> seal, which is another file of the project.
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 7] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('sale', 'file:///shop/app/sale.ts', 9), children: [4, 6] },
    { id: 4, callFrame: frame('run', 'file:///shop/node_modules/sqlite/run.js', 4), children: [5] },
    { id: 5, callFrame: frame('read', 'node:fs', 1) },
    { id: 6, callFrame: frame('seal', 'file:///shop/app/seal.ts', 2) },
    { id: 7, callFrame: frame('start', 'node:internal/main', 1) },
  ],
  samples: [2, 3, 4, 5, 6, 6, 7],
  timeDeltas: [50_000, 1_000, 2_000, 3_000, 10_000, 10_000, 500],
};
const fileOf = ({ url }: { readonly url: string }) => /\/shop\/(app\/.*)$/.exec(url)?.[1] ?? null;

test('what a file has a package and Node do is its own time, and what another file does is not', () => {
  expect(timeByFile(profile, fileOf)).toEqual([
    { name: 'app/seal.ts', ms: 20 },
    { name: 'app/sale.ts', ms: 6 },
    { name: 'node', ms: 0.5 },
  ]);
});

test('each function has its own time, and nobody has the time in which nothing was done', () => {
  expect(timeByFunction(profile)).toEqual([
    { name: 'seal  shop/app/seal.ts:3', ms: 20 },
    { name: 'read  node:fs:2', ms: 3 },
    { name: 'run  node_modules/sqlite/run.js:5', ms: 2 },
    { name: 'sale  shop/app/sale.ts:10', ms: 1 },
    { name: 'start  node:internal/main:2', ms: 0.5 },
  ]);
});
