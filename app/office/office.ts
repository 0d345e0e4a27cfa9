import type { z } from 'zod';
import type { OfficeAnswerer } from '../bridge/office.ts';
import { accessCalls } from './access-calls.ts';
import { customerCalls } from './customer-calls.ts';
import { dayCalls } from './day-calls.ts';
import type { OfficeCall, OfficeKeys, OfficeSource } from './office-call.ts';
import { programCalls } from './program-calls.ts';
import { queueCalls } from './queue-calls.ts';
import { updateCalls } from './update-calls.ts';

/** What store IT asks of an agent, running or not: each row has the question, and its answer. */
export const officeCalls = {
  ...queueCalls,
  ...dayCalls,
  ...customerCalls,
  ...accessCalls,
  ...programCalls,
  ...updateCalls,
} as const;

export type OfficeCallName = keyof typeof officeCalls;
export type OfficeInput<Name extends OfficeCallName> = z.input<(typeof officeCalls)[Name]['input']>;
export type OfficeAnswer<Name extends OfficeCallName> = z.output<(typeof officeCalls)[Name]['answer']>;

/** An agent as store IT reaches it, whether it runs or not. */
export interface Office {
  call<Name extends OfficeCallName>(name: Name, input: OfficeInput<Name>): Promise<OfficeAnswer<Name>>;
}

/** Answers the calls of the table, whatever carries them. */
export function createOffice(source: OfficeSource, keys: OfficeKeys): OfficeAnswerer {
  return async (name, input) => {
    if (!isOfficeCall(name)) return { kind: 'unknown_call' };
    const call: OfficeCall = officeCalls[name];
    return call.take(input, { source, keys });
  };
}

function isOfficeCall(name: string): name is OfficeCallName {
  return Object.hasOwn(officeCalls, name);
}
