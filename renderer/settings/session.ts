import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillAnswer, TillApi, TillCommandName, TillError, TillInput, TillReply } from '../../shared/till/api.ts';

/** The PIN is forgotten after this time without a touch, and when somebody else comes before that. */
const quietMs = 5 * 60_000;
/** How long no PIN is accepted, when the agent does not say. */
const usualLockMs = 60_000;

/** Commands that take a manager's PIN. */
type ManagerCommand = Extract<TillCommandName, `settings.${string}` | `tokens.${string}` | `people.${string}`>;

interface Gate {
  readonly busy: boolean;
  readonly failure: TillError | null;
  /** On the page's monotonic clock; null while it is not locked. */
  readonly lockedUntilMs: number | null;
}

/** A manager at the screen. The PIN is held only here and sent with each command. */
export interface ManagerSession {
  /** Null while no PIN is asked for. */
  readonly gate: ReadonlySignal<Gate | null>;
  readonly ask: <C extends ManagerCommand>(command: C, input: TillInput<C>) => Promise<TillReply<TillAnswer<C>>>;
  /** Tries a PIN. When it is right, what is behind it is read. */
  readonly open: (pin: string) => Promise<void>;
  /** Takes the PIN of the first manager, who has just been added and has just typed it. */
  readonly takePin: (pin: string) => void;
  /** The manager has used the screen: the time until the PIN is forgotten begins again. */
  readonly touch: () => void;
  /** Somebody else may stand there now: forgets the PIN, and asks for it again. Nothing where none was given. */
  readonly leftAlone: () => void;
  /** Forgets the PIN. */
  readonly end: () => void;
}

/** @param on.opened reads what is behind the PIN, and returns why it could not */
export function createSession(
  { api, clock }: { readonly api: TillApi; readonly clock: Clock },
  on: { readonly opened: () => Promise<TillError | null>; readonly closed: () => void },
): ManagerSession {
  const gate: Signal<Gate | null> = signal(null);
  let pin: string | null = null;
  let cancelQuiet = (): void => undefined;

  const close = (failure: TillError | null): void => {
    pin = null;
    cancelQuiet();
    on.closed();
    const leftMs = failure?.code === 'pin_locked' ? Number(failure.details?.[0] ?? usualLockMs) : null;
    gate.value = {
      busy: false,
      failure: failure?.code === 'pin_needed' ? null : failure,
      lockedUntilMs: leftMs === null ? null : clock.monotonicMs() + leftMs,
    };
  };

  const touch = (): void => {
    if (pin === null) return;
    cancelQuiet();
    cancelQuiet = clock.setTimer(() => close(null), quietMs);
  };

  const ask: ManagerSession['ask'] = async (command, input) => {
    const reply = await api.call(command, pin === null ? input : { ...input, pin });
    if (!reply.ok && isAboutPin(reply.error)) close(reply.error);
    return reply;
  };

  return {
    gate,
    ask,
    async open(typed) {
      if (gate.value === null || gate.value.busy) return;
      gate.value = { busy: true, failure: null, lockedUntilMs: null };
      pin = typed;
      const error = await on.opened();
      // A wrong PIN is forgotten already, and the screen says so; so is one whose manager has gone meanwhile.
      if (pin !== typed) return;
      if (error === null) {
        gate.value = null;
        touch();
      } else {
        pin = null;
        gate.value = { busy: false, failure: error, lockedUntilMs: null };
      }
    },
    takePin(given) {
      if (pin !== null) return;
      pin = given;
      touch();
    },
    touch,
    leftAlone() {
      if (pin !== null) close(null);
    },
    end() {
      pin = null;
      cancelQuiet();
      gate.value = null;
    },
  };
}

function isAboutPin({ code }: TillError): boolean {
  return code === 'pin_needed' || code === 'pin_wrong' || code === 'pin_locked';
}
