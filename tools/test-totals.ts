/** How many tests or checks came out how. */
export type TestTotals = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** The variable that names the file vitest's numbers go to; when it is set, `tools/test.ts` prints the closing line. */
export const totalsFileVariable = 'TEST_TOTALS_FILE';

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

/** The totals in `text` as vitest's reporter wrote it, or null when it is not that. */
export function parseTotals(text: string): TestTotals | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (!('passed' in value && 'failed' in value && 'skipped' in value)) return null;
  const { passed, failed, skipped } = value;
  if (typeof passed !== 'number' || typeof failed !== 'number' || typeof skipped !== 'number') return null;
  return { passed, failed, skipped };
}
