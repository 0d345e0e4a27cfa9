import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './tools/closing-line-reporter.ts';

// These start whole programs, browsers or power cuts: one file at a time.
const slowTests = ['crash', 'day', 'ui', 'electron', 'demo'].map((folder) => `test/${folder}/**/*.test.{ts,tsx}`);

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', ...slowTests],
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
    ],
  },
});
