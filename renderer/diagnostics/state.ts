import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillAnswer, TillApi, TillError } from '../../shared/till/api.ts';
import type { DatabaseCheck, Diagnosis, LogLine } from '../../shared/till/diagnostics-commands.ts';

export const sections = ['line', 'queue', 'machine', 'scanner', 'log', 'bundle'] as const;
export type Section = (typeof sections)[number];

/** How often the shown panel is read again. */
const lookEveryMs = 5_000;
/** How often the state is read while the database is checked. */
const checkEveryMs = 300;

interface Bundle {
  readonly busy: 'preview' | 'save' | null;
  readonly preview: TillAnswer<'diagnostics.preview_bundle'> | null;
  readonly saved: TillAnswer<'diagnostics.save_bundle'> | null;
  readonly failure: TillError | null;
}

export interface DiagnosticsState {
  readonly section: ReadonlySignal<Section>;
  /** Null until the diagnosis was read. */
  readonly diagnosis: ReadonlySignal<Diagnosis | null>;
  readonly day: ReadonlySignal<TillAnswer<'diagnostics.day'> | null>;
  readonly check: ReadonlySignal<DatabaseCheck | null>;
  /** Newest first. */
  readonly log: ReadonlySignal<readonly LogLine[] | null>;
  readonly bundle: ReadonlySignal<Bundle>;
  readonly failure: ReadonlySignal<TillError | null>;
  readonly go: (section: Section) => void;
  readonly look: () => Promise<void>;
  readonly checkDatabase: () => Promise<void>;
  readonly previewBundle: () => Promise<void>;
  readonly saveBundle: () => Promise<void>;
  /** Reads again and again. @returns a function that ends this */
  readonly begin: () => () => void;
}

export function createDiagnostics({ api, clock }: { readonly api: TillApi; readonly clock: Clock }): DiagnosticsState {
  const section: Signal<Section> = signal('line');
  const diagnosis: Signal<Diagnosis | null> = signal(null);
  const day: Signal<TillAnswer<'diagnostics.day'> | null> = signal(null);
  const check: Signal<DatabaseCheck | null> = signal(null);
  const log: Signal<readonly LogLine[] | null> = signal(null);
  const failure: Signal<TillError | null> = signal(null);
  const bundle: Signal<Bundle> = signal({ busy: null, preview: null, saved: null, failure: null });
  let cancelLook: CancelTimer = () => undefined;
  let cancelCheck: CancelTimer = () => undefined;
  let isGone = false;
  let round = 0;

  /** Reads only what is shown. */
  const look = async (): Promise<void> => {
    round += 1;
    const ours = round;
    const [seen, hours, lines] = await Promise.all([
      api.call('diagnostics.read', {}),
      section.value === 'queue' || day.value === null ? api.call('diagnostics.day', {}) : null,
      section.value === 'log' || log.value === null ? api.call('diagnostics.log', {}) : null,
    ]);
    // A later reading has newer facts.
    if (ours !== round) return;
    batch(() => {
      if (seen.ok) {
        diagnosis.value = seen.value;
        takeCheck(seen.value.database.check);
      }
      if (hours?.ok === true) day.value = hours.value;
      if (lines?.ok === true) log.value = lines.value.lines;
      failure.value = [seen, hours, lines].find((reply) => reply?.ok === false)?.error ?? null;
    });
  };

  const takeCheck = (next: DatabaseCheck): void => {
    check.value = next;
    cancelCheck();
    if (next.state === 'running' && !isGone) cancelCheck = clock.setTimer(() => void readCheck(), checkEveryMs);
  };
  const readCheck = async (): Promise<void> => {
    const reply = await api.call('diagnostics.read_check', {});
    if (reply.ok) takeCheck(reply.value);
  };

  const lookAgain = (): void => {
    cancelLook = clock.setTimer(() => {
      void look().then(() => {
        if (!isGone) lookAgain();
      });
    }, lookEveryMs);
  };

  return {
    section,
    diagnosis,
    day,
    check,
    log,
    bundle,
    failure,
    look,
    go(next) {
      section.value = next;
      void look();
    },
    async checkDatabase() {
      const reply = await api.call('diagnostics.check_database', {});
      if (reply.ok) takeCheck(reply.value);
      else failure.value = reply.error;
    },
    async previewBundle() {
      if (bundle.value.busy !== null) return;
      bundle.value = { busy: 'preview', preview: bundle.value.preview, saved: null, failure: null };
      const reply = await api.call('diagnostics.preview_bundle', {});
      bundle.value = reply.ok
        ? { busy: null, preview: reply.value, saved: null, failure: null }
        : { ...bundle.value, busy: null, failure: reply.error };
    },
    async saveBundle() {
      if (bundle.value.busy !== null) return;
      bundle.value = { ...bundle.value, busy: 'save', saved: null, failure: null };
      const reply = await api.call('diagnostics.save_bundle', {});
      bundle.value = { ...bundle.value, busy: null, ...(reply.ok ? { saved: reply.value } : { failure: reply.error }) };
    },
    begin() {
      isGone = false;
      void look();
      lookAgain();
      return () => {
        isGone = true;
        cancelLook();
        cancelCheck();
      };
    },
  };
}
