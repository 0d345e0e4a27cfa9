import { z } from 'zod';

const totalsShape = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });
/** How many tests or checks came out how. */
export type TestTotals = Readonly<z.output<typeof totalsShape>>;

const failedFileShape = totalsShape.extend({
  /** From the project's root. */
  path: z.string(),
  /** The vitest project it belongs to, such as `screen`. */
  project: z.string(),
  /** The names of what failed in it. */
  failures: z.array(z.string()),
});
/** A test file of which something failed, with the totals of all its tests. */
export type FailedFile = Readonly<z.output<typeof failedFileShape>>;

const testRunShape = totalsShape.extend({ failedFiles: z.array(failedFileShape) });
/** What one run of vitest came to. */
export type TestRun = Readonly<z.output<typeof testRunShape>>;

/** The variable that names the file a run's {@link TestRun} goes to; then `tools/test.ts` prints the closing line. */
export const testRunFileVariable = 'TEST_RUN_FILE';

/** The line a test run ends with, such as `12 passed, 0 failed`, with `, 3 skipped` only when there are some. */
export function closingLine({ passed, failed, skipped }: TestTotals): string {
  const skippedPart = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${skippedPart}`;
}

/** The sum, field by field. */
export function addTotals(left: TestTotals, right: TestTotals): TestTotals {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/** What vitest's reporter wrote. Throws where `text` is not that, as when the run was cut short. */
export function parseTestRun(text: string): TestRun {
  return testRunShape.parse(JSON.parse(text));
}
