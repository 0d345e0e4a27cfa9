import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillAnswer, TillApi, TillError } from '../../shared/till/api.ts';
import type { ConnectionLine } from '../../shared/till/connection-check.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { ShownSetting, ShownSettings, WaitingByMode } from '../../shared/till/settings-views.ts';
import {
  changesLeft,
  currencyShown,
  type Draft,
  type Form,
  factOf,
  isChange,
  modeShown,
  type Problems,
  patchOf,
  refusalOf,
} from './draft.ts';
import { type SectionName, textOf } from './fields.ts';
import { createSession, type ManagerSession } from './session.ts';

/** How the last press of Save ended. */
type SaveNews =
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused' }
  /** Problems that belong to no field of this screen, in the agent's own words. */
  | { readonly kind: 'refused_whole'; readonly lines: readonly string[] }
  | { readonly kind: 'failed'; readonly error: TillError };

interface ConnectionTest {
  readonly busy: boolean;
  /** Null while the test runs for the first time, or when it could not run. */
  readonly lines: readonly ConnectionLine[] | null;
  readonly isRefused: boolean;
  readonly failure: TillError | null;
}

export interface SettingsScreenState {
  readonly session: ManagerSession;
  /** Null until the settings were read. */
  readonly view: ReadonlySignal<ShownSettings | null>;
  /** Why the settings could not be read. */
  readonly failure: ReadonlySignal<TillError | null>;
  readonly section: ReadonlySignal<SectionName>;
  readonly draft: ReadonlySignal<Draft>;
  readonly problems: ReadonlySignal<Problems>;
  /** Whether the field for a new key is open. */
  readonly enteringKey: ReadonlySignal<boolean>;
  readonly news: ReadonlySignal<SaveNews | null>;
  readonly saving: ReadonlySignal<boolean>;
  /** What waits to be sent, while a manager has to confirm that they know it. */
  readonly confirming: ReadonlySignal<WaitingByMode | null>;
  readonly test: ReadonlySignal<ConnectionTest | null>;
  /** The mode as the screen shows it, saved or not. */
  readonly mode: ReadonlySignal<Mode>;
  /** The currency as the screen shows it, saved or not. */
  readonly currency: ReadonlySignal<string>;
  readonly fact: (name: string) => ShownSetting | null;
  /** The settings of a part of the screen, in their order. */
  readonly fieldsOf: (section: SectionName) => readonly ShownSetting[];
  /** The text of a field. */
  readonly text: (field: ShownSetting) => string;
  readonly type: (name: string, text: string) => void;
  /** Sets a field back to its saved value. */
  readonly putBack: (name: string) => void;
  readonly enterKey: () => void;
  readonly discard: () => void;
  readonly go: (section: SectionName) => void;
  readonly read: () => Promise<TillError | null>;
  readonly save: (confirmation?: 'confirmed') => Promise<void>;
  readonly cancelConfirming: () => void;
  readonly testConnection: () => Promise<void>;
}

/** How long "Saved" is shown: long enough to be read, and gone before the next change. */
const savedShownMs = 6_000;

export function createSettings(parts: { readonly api: TillApi; readonly clock: Clock }): SettingsScreenState {
  const view: Signal<ShownSettings | null> = signal(null);
  const failure: Signal<TillError | null> = signal(null);
  const section: Signal<SectionName> = signal('service');
  const draft: Signal<Draft> = signal({});
  const problems: Signal<Problems> = signal({});
  const enteringKey = signal(false);
  const news: Signal<SaveNews | null> = signal(null);
  const saving = signal(false);
  const confirming: Signal<WaitingByMode | null> = signal(null);
  const test: Signal<ConnectionTest | null> = signal(null);
  /** How often the PIN was forgotten. What was asked before is no question to whoever types it next. */
  let closings = 0;

  const read = async (): Promise<TillError | null> => {
    const reply = await session.ask('settings.read', {});
    batch(() => {
      if (reply.ok) view.value = reply.value;
      failure.value = reply.ok || session.gate.value !== null ? null : reply.error;
    });
    return reply.ok ? null : reply.error;
  };
  const session = createSession(parts, {
    opened: read,
    closed() {
      closings += 1;
      batch(() => {
        view.value = null;
        confirming.value = null;
        test.value = null;
        news.value = null;
        // A typed key is forgotten when the PIN is asked for.
        draft.value = without(draft.value, 'api_key');
        enteringKey.value = false;
      });
    },
  });

  const fields = (): readonly ShownSetting[] => view.value?.settings ?? [];
  const form = (): Form => ({ fields: fields(), draft: draft.value });
  const mode = computed(() => modeShown(form()));
  const currency = computed(() => currencyShown(form()));

  const show = (found: Problems): void => {
    const first = fields().find(({ name }) => found[name] !== undefined);
    batch(() => {
      problems.value = found;
      news.value = { kind: 'refused' };
      if (first !== undefined) section.value = first.section;
    });
  };

  const takeRefusal = (refused: readonly { readonly field: string; readonly problem: string }[]): void => {
    const { problems: found, others } = refusalOf(form(), refused);
    if (Object.keys(found).length > 0) show(found);
    else news.value = { kind: 'refused_whole', lines: others };
  };

  /** @param saved texts that have just been saved */
  const keepChanges = (saved: Draft): void => {
    draft.value = changesLeft(form(), saved);
  };

  const takeSaved = async (sent: Draft): Promise<void> => {
    // The new values are read first, so that no field shows its old value for a moment.
    await read();
    batch(() => {
      // What was typed since is not saved.
      keepChanges(sent);
      if (draft.value.api_key === undefined) enteringKey.value = false;
      problems.value = {};
      news.value = Object.keys(draft.value).length === 0 ? { kind: 'saved' } : null;
    });
    parts.clock.setTimer(() => {
      if (news.value?.kind === 'saved') news.value = null;
    }, savedShownMs);
  };

  const takeChange = async (
    changed: TillAnswer<'settings.change'>,
    { sent, isStillThere }: { readonly sent: Draft; readonly isStillThere: boolean },
  ): Promise<void> => {
    switch (changed.kind) {
      case 'saved':
        return takeSaved(sent);
      case 'refused': {
        // A field may have been locked a moment ago.
        await read();
        return takeRefusal(changed.problems);
      }
      case 'needs_confirmation':
        if (isStillThere) confirming.value = changed.waiting;
        return;
      default:
        return assertNever(changed);
    }
  };

  return {
    session,
    view,
    failure,
    section,
    draft,
    problems,
    enteringKey,
    news,
    saving,
    confirming,
    test,
    mode,
    currency,
    fact: (name) => factOf(fields(), name),
    fieldsOf: (name) => fields().filter((field) => field.section === name),
    text: ({ name, kind, value }) => draft.value[name] ?? (kind === 'key' ? '' : textOf(kind, value, currency.value)),
    type(name, text) {
      batch(() => {
        // While a field is being saved, its value from before may become a change.
        const isKept = saving.value || isChange(form(), name, text);
        draft.value = isKept ? { ...draft.value, [name]: text } : without(draft.value, name);
        problems.value = without(problems.value, name);
        news.value = null;
      });
    },
    putBack(name) {
      batch(() => {
        draft.value = without(draft.value, name);
        problems.value = without(problems.value, name);
        if (name === 'api_key') enteringKey.value = false;
      });
    },
    enterKey() {
      enteringKey.value = true;
    },
    discard() {
      batch(() => {
        draft.value = {};
        enteringKey.value = false;
        problems.value = {};
        news.value = null;
      });
    },
    go(next) {
      batch(() => {
        section.value = next;
        if (news.value?.kind === 'saved') news.value = null;
      });
    },
    read,
    async save(confirmation) {
      if (saving.value) return;
      const { patch, problems: found } = patchOf(form());
      if (Object.keys(found).length > 0) return show(found);
      if (Object.keys(patch).length === 0) return;
      const sent = draft.value;
      const closingsBefore = closings;
      batch(() => {
        saving.value = true;
        news.value = null;
        confirming.value = null;
      });
      const reply = await session.ask('settings.change', { patch, confirmed: confirmation === 'confirmed' });
      if (reply.ok) await takeChange(reply.value, { sent, isStillThere: closings === closingsBefore });
      else if (session.gate.value === null) news.value = { kind: 'failed', error: reply.error };
      batch(() => {
        saving.value = false;
        keepChanges({});
      });
    },
    cancelConfirming() {
      confirming.value = null;
    },
    async testConnection() {
      if (test.value?.busy === true) return;
      const { patch, problems: found } = patchOf(form());
      if (Object.keys(found).length > 0) return show(found);
      test.value = { busy: true, lines: test.value?.lines ?? null, isRefused: false, failure: null };
      const reply = await session.ask('settings.test_connection', { patch });
      if (session.gate.value !== null) return;
      const done: ConnectionTest = { busy: false, lines: null, isRefused: false, failure: null };
      if (!reply.ok) {
        test.value = { ...done, failure: reply.error };
      } else if (reply.value.kind === 'refused') {
        test.value = { ...done, isRefused: true };
        takeRefusal(reply.value.problems);
        news.value = null;
      } else {
        test.value = { ...done, lines: reply.value.lines };
      }
    },
  };
}

function without<Value>(
  record: Readonly<Partial<Record<string, Value>>>,
  name: string,
): Readonly<Partial<Record<string, Value>>> {
  const { [name]: _gone, ...rest } = record;
  return rest;
}
