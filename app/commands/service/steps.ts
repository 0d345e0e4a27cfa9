import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../../../shared/lib/error-code.ts';

/** One thing that is done to the machine, as data: it can be shown before, and tested where it cannot be done. */
export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'run';
      readonly command: readonly [string, ...string[]];
      /** It was done before, or has nothing to do: that is no failure. */
      readonly mayFail?: boolean;
    };

type StepsOutcome = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly problem: string };

/** Does one step after the other, and ends with the first that fails. */
export function runSteps(steps: readonly Step[]): StepsOutcome {
  for (const step of steps) {
    const problem = problemOf(step);
    if (problem !== null) return { kind: 'failed', problem };
  }
  return { kind: 'done' };
}

function problemOf(step: Step): string | null {
  try {
    switch (step.kind) {
      case 'write':
        makeReadable(mkdirSync(dirname(step.path), { recursive: true }), 0o755);
        writeFileSync(step.path, step.text);
        makeReadable(step.path, 0o644);
        return null;
      case 'copy':
        makeReadable(mkdirSync(dirname(step.to), { recursive: true }), 0o755);
        copyFileSync(step.from, step.to);
        return null;
      case 'delete':
        rmSync(step.path, { force: true });
        return null;
      case 'folder':
        mkdirSync(step.path, { recursive: true });
        return null;
      case 'run':
        return problemOfCommand(step);
    }
  } catch (error) {
    return errorText(error);
  }
}

/** The system's own programs read it, and this process's mask has closed it to them. */
function makeReadable(made: string | undefined, mode: number): void {
  if (made !== undefined) chmodSync(made, mode);
}

function problemOfCommand({ command, mayFail }: Extract<Step, { kind: 'run' }>): string | null {
  const [program, ...args] = command;
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0 || mayFail === true) return null;
  const reason = error?.message ?? (stderr.trim() || `exit code ${status}`);
  return `${command.join(' ')}: ${reason}`;
}

/** A step as store IT would do it by hand. */
export function stepInWords(step: Step): string {
  switch (step.kind) {
    case 'write':
      return `write ${step.path}`;
    case 'copy':
      return `copy ${step.from} to ${step.to}`;
    case 'delete':
      return `delete ${step.path}`;
    case 'folder':
      return `make the folder ${step.path}`;
    case 'run':
      return step.command.map((part) => (/[\s"]/.test(part) ? `"${part}"` : part)).join(' ');
  }
}
