import { foldDigits } from '../../shared/lib/digits.ts';
import { type FaultType, faultTable } from '../../shared/till/lab-names.ts';
import type { LabEffect, LabMatch } from '../../shared/till/lab-views.ts';
import { type CallName, calls } from './calls.ts';

/** A fault as it is typed on the screen. */
export interface NewFault {
  readonly type: FaultType;
  readonly seconds: string;
  readonly code: string;
  readonly status: string;
  readonly retryAfter: string;
  readonly call: CallName | 'every' | 'own';
  /** The method of a call that is not in the list; empty for every method. */
  readonly method: string;
  readonly path: string;
  readonly reference: string;
  readonly often: 'until_cleared' | 'next';
  readonly times: string;
  readonly share: string;
}

export const firstFault: NewFault = {
  type: 'offline',
  seconds: '3',
  code: 'INTERNAL',
  status: '503',
  retryAfter: '',
  call: 'every',
  method: '',
  path: '/transactions/*',
  reference: '',
  often: 'until_cleared',
  times: '1',
  share: '100',
};

export type FaultProblem = 'seconds' | 'status' | 'retryAfter' | 'path' | 'times' | 'share';

interface FaultInput {
  readonly match: LabMatch;
  readonly effect: LabEffect;
  readonly times?: number;
  readonly probability?: number;
}

type ReadFault =
  | { readonly ok: true; readonly input: FaultInput }
  | { readonly ok: false; readonly problem: FaultProblem };

/** The typed fault as a rule of the control API, or the first thing that is wrong with it. */
export function readFault(fault: NewFault): ReadFault {
  const wrong = (problem: FaultProblem): ReadFault => ({ ok: false, problem });
  const { takes } = faultTable[fault.type];
  const delayMs = Math.round(Number(foldDigits(fault.seconds)) * 1000);
  if (takes === 'duration' && !isWithin(delayMs, 0, 600_000)) return wrong('seconds');
  const status = wholeOf(fault.status);
  if (takes === 'answer' && !isWithin(status, 400, 599)) return wrong('status');
  const retryAfter = fault.retryAfter.trim() === '' ? null : wholeOf(fault.retryAfter);
  if (takes === 'answer' && retryAfter !== null && !isWithin(retryAfter, 0, 86_400)) return wrong('retryAfter');
  if (fault.call === 'own' && !fault.path.startsWith('/')) return wrong('path');
  const times = wholeOf(fault.times);
  if (fault.often === 'next' && !isWithin(times, 1, 1e9)) return wrong('times');
  const share = Number(foldDigits(fault.share));
  if (!(share > 0 && share <= 100)) return wrong('share');

  const effect: LabEffect = {
    type: fault.type,
    ...(takes === 'duration' ? { ms: delayMs } : {}),
    ...(takes === 'answer' ? { status, code: fault.code } : {}),
    ...(takes === 'answer' && retryAfter !== null ? { retry_after: retryAfter } : {}),
  };
  return {
    ok: true,
    input: {
      match: matchOf(fault),
      effect,
      ...(fault.often === 'next' ? { times } : {}),
      ...(share < 100 ? { probability: share / 100 } : {}),
    },
  };
}

function matchOf({ call, method, path, reference }: NewFault): LabMatch {
  const which = call === 'every' ? {} : call === 'own' ? { path, ...(method === '' ? {} : { method }) } : calls[call];
  return { ...which, ...(reference.trim() === '' ? {} : { external_ref: reference.trim() }) };
}

function wholeOf(typed: string): number {
  return typed.trim() === '' ? Number.NaN : Number(foldDigits(typed));
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
