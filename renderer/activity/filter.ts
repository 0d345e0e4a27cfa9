import { plainText } from '../../shared/lib/digits.ts';
import { attentionStates, type OperationState, waitingStates } from '../../shared/machines/operation.ts';
import type { ActivityKind } from '../../shared/till/activity-kinds.ts';
import type { TillInput } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** A state, or one of the groups: those that wait, and those that need attention. */
export type StateFilter = OperationState | 'waiting' | 'attention';

export interface ActivityFilter {
  readonly state: StateFilter | null;
  /** `2026-11-20`, or empty. */
  readonly day: string;
  readonly text: string;
  readonly kind: ActivityKind | null;
  /** The reference of a cashier; empty: operations while nobody was signed in; null: everybody. */
  readonly cashier: string | null;
}

export const everything: ActivityFilter = { state: null, day: '', text: '', kind: null, cashier: null };

export function isNarrowed({ state, day, text, kind, cashier }: ActivityFilter): boolean {
  return state !== null || day !== '' || plainText(text) !== '' || kind !== null || cashier !== null;
}

/** The question for the newest rows that pass. @param before the row before which to go on; null for the first ones */
export function questionOf(
  { state, day, text, kind, cashier }: ActivityFilter,
  limit: number,
  before: number | null,
): TillInput<'activity.list'> {
  return {
    limit,
    ...(state === null ? {} : { states: [...statesOf(state)] }),
    ...(day === '' ? {} : { business_date: day }),
    ...(kind === null ? {} : { kind }),
    ...(cashier === null ? {} : { employee_ref: cashier }),
    ...(plainText(text) === '' ? {} : { text: plainText(text) }),
    ...(before === null ? {} : { before_row: before }),
  };
}

/** Whether a new operation would pass the filter, as far as the page knows. It does not know every identifier. */
export function couldMatch(
  operation: OperationView,
  { state, day, text, kind, cashier }: ActivityFilter,
  today: string | null,
): boolean {
  if (day !== '' && day !== today) return false;
  if (state !== null && !statesOf(state).includes(operation.state)) return false;
  if (kind !== null && !intentsOf[kind].includes(operation.intent)) return false;
  const { external_ref, customer_name, employee_ref } = operation;
  if (cashier !== null && cashier !== (employee_ref ?? '')) return false;
  const holds = (value: string | null): boolean =>
    value?.toLowerCase().includes(plainText(text).toLowerCase()) === true;
  return plainText(text) === '' || holds(external_ref) || holds(customer_name);
}

function statesOf(state: StateFilter): readonly OperationState[] {
  if (state === 'waiting') return waitingStates;
  return state === 'attention' ? attentionStates : [state];
}

const intentsOf: Readonly<Record<ActivityKind, readonly OperationView['intent'][]>> = {
  earn: ['earn'],
  spend: ['redeem', 'commit'],
  give: ['redeem'],
  undo: ['reverse'],
  hold: ['reserve', 'release'],
  customer: ['enroll', 'verify'],
};
