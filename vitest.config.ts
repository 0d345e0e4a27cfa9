import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { root } from './tools/bundles.ts';
import { ClosingLineReporter } from './tools/closing-line-reporter.ts';
import { embeddedFiles } from './tools/embedded-files.ts';
import { LongestFirst } from './tools/longest-first.ts';
import { ownProcessTests } from './tools/own-process-tests.ts';
import { quickFolder } from './tools/quick-folder.ts';
import { compiledStatements } from './tools/statements.ts';

const testsIn = (folder: string) => `test/${folder}/**/*.test.{ts,tsx}`;

// These put something between the database driver and whoever uses it, or change Node itself.
const ownProcess = ['crash', 'fuzz', 'simulation', 'upgrades'].map(testsIn).concat(ownProcessTests());
// A browser and an agent each, which mostly wait for one another. Each uses a third to two thirds of a processor.
const screenTests = testsIn('ui');
// Packages of which no window is opened.
const packageTests = ['test/package/deb.test.ts', 'test/package/other-systems.test.ts'];
// These measure, or want the focus of the one display there is: one file at a time.
const aloneTests = [
  'test/bench/{bench-service,cold-files,process-use,store-size}.test.ts',
  ...['electron', 'package'].map(testsIn),
  'test/ui/activity-scale.test.ts',
];

// Of the projects that measure nothing.
const env = { TMPDIR: quickFolder() };

// Each command that a test starts is the same program: its compiled code is kept.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compile');

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // As in the build: no test waits for the query layer to be loaded, and the constants are what is tested.
  plugins: [compiledStatements, embeddedFiles(root, 'beside')],
  test: {
    reporters: ['default', new ClosingLineReporter()],
    sequence: { sequencer: LongestFirst },
    // Of the tests that say of themselves that they may: they wait for timers.
    maxConcurrency: 12,
    // What comes to pass is waited for; the second that a poll has by itself is over on a busy machine before it did.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          env,
          maxWorkers: 3,
          // To start a process for each file, and to load the same modules into it, took a fifth of the processor's time.
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', screenTests, ...ownProcess, ...aloneTests],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          env,
          maxWorkers: 3,
          include: ownProcess,
          exclude: ['**/node_modules/**', screenTests, ...aloneTests],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'screen',
          env,
          maxWorkers: 5,
          isolate: false,
          include: [screenTests],
          exclude: ['**/node_modules/**', ...aloneTests],
          globalSetup: ['test/support/ui-built-page.ts', 'test/support/ui-run-browser.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          maxWorkers: 5,
          include: packageTests,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: aloneTests,
          exclude: ['**/node_modules/**', ...packageTests],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
