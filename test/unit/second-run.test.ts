import { describe, expect, it } from 'vitest';
import { filesToTryAgain, unsteadyLines, withSecondRun } from '../../tools/second-run.ts';
import { type FailedFile, parseTestRun, type TestRun } from '../../tools/test-totals.ts';

const failedFile = (path: string, project: string, failures: readonly string[]): FailedFile => ({
  path,
  project,
  passed: 4,
  failed: failures.length,
  skipped: 1,
  failures: [...failures],
});
const runWith = (failedFiles: readonly FailedFile[], othersFailed = 0): TestRun => ({
  passed: 100,
  failed: failedFiles.reduce((sum, { failed }) => sum + failed, othersFailed),
  skipped: 6,
  failedFiles: [...failedFiles],
});
const screen = failedFile('test/ui/lab.test.ts', 'screen', ['a box is ticked']);
const desktop = failedFile('test/electron/start.test.ts', 'alone', ['a window opens', 'a window closes']);

describe('the second run of a whole test run', () => {
  it('tries the few files of screens and windows that failed', () => {
    expect(filesToTryAgain(runWith([screen, desktop]))).toEqual([screen, desktop]);
  });

  it('tries nothing where nothing failed, or where anything else failed, too', () => {
    expect(filesToTryAgain(runWith([]))).toEqual([]);
    expect(filesToTryAgain(runWith([screen, failedFile('test/store/x.test.ts', 'unit', ['saves'])]))).toEqual([]);
    expect(filesToTryAgain(runWith([screen], 1))).toEqual([]);
  });

  it('tries nothing where more failed than a busy machine explains', () => {
    const many = [1, 2, 3, 4].map((number) => failedFile(`test/ui/${number}.test.ts`, 'screen', ['is shown']));
    expect(filesToTryAgain(runWith(many))).toEqual([]);
  });

  it('counts each test once, by what it came to in the end', () => {
    const second: TestRun = { passed: 5, failed: 0, skipped: 1, failedFiles: [] };
    expect(withSecondRun(runWith([screen]), [screen], second)).toEqual({
      passed: 101,
      failed: 0,
      skipped: 6,
      failedFiles: [],
    });
  });

  it('stays red, and calls nothing unsteady, where a test failed both times', () => {
    const again = failedFile(desktop.path, 'alone', ['a window closes']);
    const second: TestRun = { passed: 5, failed: 1, skipped: 1, failedFiles: [again] };
    expect(withSecondRun(runWith([desktop]), [desktop], second).failed).toBe(1);
    expect(unsteadyLines([desktop], second)).toEqual([
      'UNSTEADY: failed beside others, passed alone: test/electron/start.test.ts > a window opens',
    ]);
  });

  it('takes no half-written numbers of a run', () => {
    expect(() => parseTestRun('{"passed": 3')).toThrow();
    expect(() => parseTestRun('{"passed": 3, "failed": 0, "skipped": 0}')).toThrow();
  });
});
