import { writeFileSync, writeSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { root } from './bundles.ts';
import { addTotals, closingLine, type FailedFile, type TestTotals, testRunFileVariable } from './test-totals.ts';

/**
 * Ends a test run with `N passed, N failed` alone on a line; under `tools/test.ts` it hands the numbers over instead, and
 * which files failed. A file that cannot be loaded and an error outside any test count as one failure each.
 */
export class ClosingLineReporter implements Reporter {
  #isWatching = false;

  onInit(vitest: Vitest): void {
    this.#isWatching = vitest.config.watch;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const files = modules.map(countFile);
    const outsideTests: TestTotals = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const totals = files.reduce<TestTotals>(addTotals, outsideTests);
    const runFile = process.env[testRunFileVariable];
    if (runFile !== undefined) {
      writeFileSync(runFile, JSON.stringify({ ...totals, failedFiles: files.filter(({ failed }) => failed > 0) }));
      return;
    }
    const print = () => writeSync(1, `${closingLine(totals)}\n`);
    // After everything else that is printed at the end, such as coverage.
    if (this.#isWatching) print();
    else process.once('exit', print);
  }
}

function countFile(module: TestModule): FailedFile {
  let passed = 0;
  let skipped = 0;
  const failures = module.errors().map(() => 'the file itself');
  for (const suite of module.children.allSuites()) failures.push(...suite.errors().map(() => suite.fullName));
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'passed') passed += 1;
    else if (state === 'skipped') skipped += 1;
    // Failed, or still pending when the run was cut short: it did not pass.
    else failures.push(test.fullName);
  }
  const path = relative(root, module.moduleId);
  return { path, project: module.project.name, passed, failed: failures.length, skipped, failures };
}
