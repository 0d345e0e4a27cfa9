import type { LabRequest } from '../../shared/till/lab-views.ts';
import { type CallName, callOf } from './calls.ts';

export const results = ['every', 'good', 'refused', 'failed', 'none', 'fault', 'repeat', 'differs'] as const;
type Result = (typeof results)[number];

/** The till checks the connection with references that begin so. Such requests are rarely of interest. */
const lineCheckStart = 'tillbridge-connection-check';

export interface RequestFilter {
  readonly call: CallName | 'every';
  readonly result: Result;
  readonly text: string;
  readonly withChecks: boolean;
}

export const everyRequest: RequestFilter = { call: 'every', result: 'every', text: '', withChecks: false };

export function isShown(request: LabRequest, filter: RequestFilter): boolean {
  if (!filter.withChecks && request.external_ref?.startsWith(lineCheckStart) === true) return false;
  if (filter.call !== 'every' && callOf(request.method, request.path) !== filter.call) return false;
  const wanted = filter.text.trim().toLowerCase();
  const texts = [request.external_ref ?? '', request.path, request.request_id];
  if (wanted !== '' && !texts.some((text) => text.toLowerCase().includes(wanted))) return false;
  return hasResult(request, filter.result);
}

function hasResult({ status, fault, duplicate, payload_differs: differs }: LabRequest, result: Result): boolean {
  switch (result) {
    case 'every':
      return true;
    case 'good':
      return status !== null && status < 400;
    case 'refused':
      return status !== null && status >= 400 && status < 500;
    case 'failed':
      return status !== null && status >= 500;
    case 'none':
      return status === null;
    case 'fault':
      return fault !== null;
    case 'repeat':
      return duplicate;
    case 'differs':
      return differs;
  }
}
