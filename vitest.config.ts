import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './tools/closing-line-reporter.ts';

// These start whole programs, power cuts, or measure: one file at a time.
const slowTests = [
  ...['bench', 'crash', 'day', 'electron', 'demo'].map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
  'test/ui/activity-scale.test.ts',
];
// A browser and an agent each, which mostly wait for one another: two at a time.
const screenTests = 'test/ui/**/*.test.{ts,tsx}';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          maxWorkers: 2,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', screenTests, ...slowTests],
          testTimeout: 20_000,
          hookTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slowTests,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'screen',
          include: [screenTests],
          exclude: ['**/node_modules/**', ...slowTests],
          globalSetup: 'test/support/ui-built-page.ts',
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
