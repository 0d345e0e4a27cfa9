import { type OperationState, operationStates } from '../../../shared/machines/operation.ts';
import { stateWords } from '../../../shared/till/state-words.ts';
import { typed } from '../../machine/installed.ts';
import type { Office, OfficeAnswer, OfficeInput } from '../../office/office.ts';
import type { FlagSpec } from '../flags.ts';
import { businessDateOf } from './moment-flag.ts';
import { WrongUseError } from './wrong-use.ts';

/** `queued (Waiting to send), sending (Sending)` and so on: what is typed, and what the lists show. */
const stateNames = operationStates.map((state) => `${state} (${stateWords.en[state]})`).join(', ');

/** Flags of commands that go through the operations. */
export const filterFlags: readonly FlagSpec[] = [
  { name: 'state', value: 'STATES', help: `one or more of ${stateNames}; or found, alone` },
  { name: 'day', value: 'YYYY-MM-DD', help: 'the business day' },
  { name: 'text', value: 'TEXT', help: 'part of a reference, a name or an identifier' },
];

export type Filter = Pick<OfficeInput<'queue.list'>, 'states' | 'found' | 'business_date' | 'text' | 'with_origins'>;

/** @throws WrongUseError */
export function filterOf(values: ReadonlyMap<string, string>): Filter {
  const state = values.get('state');
  const businessDate = businessDateOf(values);
  const text = values.get('text');
  return {
    ...(state === 'found' ? { found: true } : {}),
    ...(state === undefined || state === 'found'
      ? {}
      : { states: state.split(',').map((name) => stateOf(name.trim())) }),
    ...(businessDate === null ? {} : { business_date: businessDate }),
    ...(text === undefined ? {} : { text }),
  };
}

function stateOf(name: string): OperationState {
  const state = operationStates.find((known) => known === name);
  if (state === undefined) throw new WrongUseError(`--state: ${name} is none of ${operationStates.join(', ')}`);
  return state;
}

/** Goes through everything that the filter lets pass, newest first, a part at a time. */
export async function* partsOf(
  office: Office,
  filter: Filter,
  partSize = 500,
): AsyncGenerator<OfficeAnswer<'queue.list'>> {
  let beforeRow: number | null = null;
  do {
    const part: OfficeAnswer<'queue.list'> = await office.call('queue.list', {
      ...filter,
      limit: partSize,
      ...(beforeRow === null ? {} : { before_row: beforeRow }),
    });
    if (part.operations.length > 0) yield part;
    beforeRow = part.before_row;
  } while (beforeRow !== null);
}

/** For a reference that no operation has. */
export function noSuchReference(reference: string): string {
  return `There is no ${reference}. Prefixes are part of a reference: \`${typed(`queue list --text ${reference}`)}\` finds it under any.`;
}
