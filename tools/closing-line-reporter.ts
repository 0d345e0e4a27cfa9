import { writeFileSync, writeSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { closingLine, type TestTotals, totalsFileVariable } from './test-totals.ts';

/**
 * Ends a test run with `N passed, N failed` alone on a line; under `tools/test.ts` it hands the numbers over instead.
 * A file that cannot be loaded and an error outside any test count as one failure each.
 */
export class ClosingLineReporter implements Reporter {
  #isWatching = false;

  onInit(vitest: Vitest): void {
    this.#isWatching = vitest.config.watch;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const totals = countTests(modules, unhandledErrors.length);
    const file = process.env[totalsFileVariable];
    if (file !== undefined) {
      writeFileSync(file, JSON.stringify(totals));
      return;
    }
    const print = () => writeSync(1, `${closingLine(totals)}\n`);
    // After everything else that is printed at the end, such as coverage.
    if (this.#isWatching) print();
    else process.once('exit', print);
  }
}

function countTests(modules: readonly TestModule[], unhandledErrorCount: number): TestTotals {
  let passed = 0;
  let failed = unhandledErrorCount;
  let skipped = 0;
  for (const module of modules) {
    failed += module.errors().length;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      else if (state === 'skipped') skipped += 1;
      // Failed, or still pending when the run was cut short: it did not pass.
      else failed += 1;
    }
  }
  return { passed, failed, skipped };
}
