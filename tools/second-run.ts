import type { FailedFile, TestRun } from './test-totals.ts';

/** These look at a real screen or window, in real time, while other tests use the processors. */
const timedProjects: readonly string[] = ['screen', 'package', 'alone'];
/** More than this is no matter of a busy machine. */
const mostFiles = 3;

/**
 * Which files a run is to try once more, when nothing else runs: those that failed, if they are few and all of them are
 * tests in real time. Whatever else fails stays failed, and then nothing is tried again.
 */
export function filesToTryAgain({ failed, failedFiles }: TestRun): readonly FailedFile[] {
  const isEachInTime = failedFiles.every(({ project }) => timedProjects.includes(project));
  const failedInFiles = failedFiles.reduce((sum, file) => sum + file.failed, 0);
  return isEachInTime && failedFiles.length <= mostFiles && failedInFiles === failed ? failedFiles : [];
}

/** The first run's totals, with those of `second` in place of the files that it tried again. */
export function withSecondRun(first: TestRun, tried: readonly FailedFile[], second: TestRun): TestRun {
  const less = (field: 'passed' | 'failed' | 'skipped'): number =>
    tried.reduce((rest, file) => rest - file[field], first[field]) + second[field];
  return {
    passed: less('passed'),
    failed: less('failed'),
    skipped: less('skipped'),
    failedFiles: second.failedFiles,
  };
}

/** What a reader of the run must know: what failed at first and passed then. It is a defect that nobody has found yet. */
export function unsteadyLines(tried: readonly FailedFile[], second: TestRun): readonly string[] {
  const failedTwice = new Set(
    second.failedFiles.flatMap(({ path, failures }) => failures.map((name) => `${path} > ${name}`)),
  );
  return tried
    .flatMap(({ path, failures }) => failures.map((name) => `${path} > ${name}`))
    .filter((line) => !failedTwice.has(line))
    .map((line) => `UNSTEADY: failed beside others, passed alone: ${line}`);
}
