import { modeOfKey } from '../../shared/till/key-prefix.ts';
import { type Mode, modes } from '../../shared/till/modes.ts';
import type { ShownSetting } from '../../shared/till/settings-views.ts';
import { textOf, valueTyped } from './fields.ts';

/** Why a field's value is not accepted; the screen has words for each. */
type FieldProblem = 'wrong' | 'needed' | 'locked' | 'wrong_kind' | 'no_key' | 'for_another_address';

/** What was typed and not saved yet, by field. */
export type Draft = Readonly<Partial<Record<string, string>>>;
export type Problems = Readonly<Partial<Record<string, FieldProblem>>>;

/** The saved settings and what is typed over them. */
export interface Form {
  readonly fields: readonly ShownSetting[];
  readonly draft: Draft;
}

export function factOf(fields: readonly ShownSetting[], name: string): ShownSetting | null {
  return fields.find((field) => field.name === name) ?? null;
}

/** The mode as the screen shows it, saved or not. */
export function modeShown(form: Form): Mode {
  return modes.find((known) => known === valueShown(form, 'mode')) ?? 'sandbox';
}

/** The currency as the screen shows it, saved or not. */
export function currencyShown(form: Form): string {
  const shown = valueShown(form, 'currency');
  return typeof shown === 'string' && shown.trim() !== ''
    ? shown.trim()
    : String(factOf(form.fields, 'currency')?.default_value);
}

function valueShown({ fields, draft }: Form, name: string): unknown {
  return draft[name] ?? factOf(fields, name)?.value;
}

/** What is typed as values to save, and the fields whose text is none. */
export function patchOf(form: Form): { readonly patch: Record<string, unknown>; readonly problems: Problems } {
  const patch: Record<string, unknown> = {};
  const problems: Record<string, FieldProblem> = {};
  const currency = currencyShown(form);
  for (const { name, kind } of form.fields) {
    const typed = form.draft[name];
    if (typed === undefined) continue;
    const entered = valueTyped(kind, typed, currency);
    if (entered.ok) patch[name] = entered.value;
    else problems[name] = 'wrong';
  }
  const key = patch.api_key;
  if (typeof key === 'string') {
    const keyMode = modeOfKey(key);
    if (keyMode === null) problems.api_key = 'no_key';
    else if (keyMode !== modeShown(form)) problems.api_key = 'wrong_kind';
  }
  return { patch, problems };
}

/** What the agent refused, by field, and the problems that belong to no field of this screen, in its own words. */
export function refusalOf(
  form: Form,
  refused: readonly { readonly field: string; readonly problem: string }[],
): { readonly problems: Problems; readonly others: readonly string[] } {
  const problems: Record<string, FieldProblem> = {};
  const others: string[] = [];
  for (const { field, problem } of refused) {
    const known = form.fields.find(({ name }) => field === name || field.startsWith(`${name}.`));
    if (known === undefined) others.push(field === '' ? problem : `${field}: ${problem}`);
    else problems[known.name] = problemOf(known, form.draft[known.name]);
  }
  return { problems, others };
}

function problemOf({ name, value, locked }: ShownSetting, typed: string | undefined): FieldProblem {
  if (locked) return 'locked';
  // The saved key is for the old address. It must not be sent to another address without a decision.
  if (name === 'api_key' && typed === undefined && value !== null) return 'for_another_address';
  return (typed ?? textOf('text', value, '')) === '' ? 'needed' : 'wrong';
}

/** Whether a field's text is another value than the saved one. */
export function isChange(form: Form, name: string, text: string): boolean {
  const field = factOf(form.fields, name);
  // A key's field is empty at first. An empty text in it removes the key.
  return field === null || name === 'api_key' || text !== textOf(field.kind, field.value, currencyShown(form));
}

/** What of the draft is a change still. @param saved texts that have just been saved */
export function changesLeft(form: Form, saved: Draft): Draft {
  return Object.fromEntries(
    Object.entries(form.draft).filter(
      ([name, text]) => text !== undefined && text !== saved[name] && isChange(form, name, text),
    ),
  );
}
