import { effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { Clock } from '../../shared/lib/clock.ts';
import { foldDigits } from '../../shared/lib/digits.ts';
import type { TillApi, TillError, TillInput } from '../../shared/till/api.ts';
import { pinShape } from '../../shared/till/limits.ts';
import type { TillState } from '../../shared/till/views.ts';
import type { Scans } from '../scanner/scans.ts';
import type { Sounds } from '../shell/sound.ts';

/** The screen asks who sells: for a badge, or for a name and its PIN. */
export interface Asking {
  /** Whose PIN is typed; null: the names and the badge are shown. */
  readonly name: string | null;
  /** What was typed of the badge or the PIN. It is kept nowhere else. */
  readonly text: string;
  readonly busy: boolean;
  readonly failure: TillError | null;
  /** A badge was not taken, because it may as well be a PIN that was being typed when the screen locked. */
  readonly isTooSoon: boolean;
}

/** The cashier who sells. Their operations carry their reference. */
export interface Cashier {
  readonly asking: ReadonlySignal<Asking | null>;
  /** The cashier who has just signed in by a badge on the sale screen; null after this was shown. */
  readonly switchedTo: ReadonlySignal<string | null>;
  readonly ask: () => void;
  readonly type: (text: string) => void;
  /** Takes a name, and asks for its PIN. */
  readonly pick: (name: string) => void;
  /** Goes back to the names. */
  readonly back: () => void;
  readonly confirm: () => Promise<void>;
  readonly cancel: () => void;
  readonly signOut: () => Promise<void>;
  /**
   * Whether a code is the badge that has just signed somebody in, scanned once more. Then it is not a customer's card.
   */
  readonly isRepeat: (code: string) => boolean;
  /** Whether a code of no known kind is a badge. Then its cashier is signed in, and nothing else changes. */
  readonly takeBadge: (code: string) => Promise<boolean>;
  /** Locks the screen now. */
  readonly lock: () => Promise<void>;
}

interface CashierParts {
  readonly api: TillApi;
  readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  readonly scans: Scans;
  readonly sounds: Sounds;
  readonly till: ReadonlySignal<TillState | null>;
}

/** A badge that is held before the scanner for a moment is often scanned twice within this time. */
const repeatMs = 2_000;
/** How long the new cashier's name is shown. */
const saidMs = 5_000;

const nobodyYet: Asking = { name: null, text: '', busy: false, failure: null, isTooSoon: false };

export function createCashier({ api, clock, scans, sounds, till }: CashierParts): Cashier {
  const asking: Signal<Asking | null> = signal(null);
  const switchedTo: Signal<string | null> = signal(null);
  let lastBadge: { readonly code: string; readonly atMs: number } | null = null;
  let wasShut: TillState['sign_in'] = null;
  let shutAtMs = Number.NEGATIVE_INFINITY;
  let giveScansBack = (): void => undefined;
  let cancelSaid = (): void => undefined;

  const cancel = (): void => {
    giveScansBack();
    asking.value = null;
  };
  const tellTooSoon = (): void => {
    sounds.failure();
    if (asking.value?.busy === false) asking.value = { ...asking.value, failure: null, isTooSoon: true };
  };
  const ask = (): void => {
    if (asking.value !== null) return;
    asking.value = nobodyYet;
    giveScansBack = scans.ask((badge) => {
      // A PIN that was typed quickly just when the screen locked is no badge, so it is not sent.
      const isJustShut = wasShut === 'locked' && clock.monotonicMs() - shutAtMs < repeatMs;
      if (isJustShut && pinShape.test(badge)) tellTooSoon();
      else void signIn(badge, { badge });
    });
  };
  /** Begins again when the screen is shut, so that nothing that was typed before can be seen. */
  const beginWhenShut = (): void => {
    cancel();
    ask();
  };
  effect(() => {
    const shut = till.value?.sign_in ?? null;
    if (shut === wasShut) return;
    wasShut = shut;
    shutAtMs = clock.monotonicMs();
    untracked(shut === null ? cancel : beginWhenShut);
  });
  const signIn = async (text: string, input: TillInput<'cashier.sign_in'>): Promise<void> => {
    const before = asking.value;
    if (before === null || before.busy || text === '') return;
    const isBadge = 'badge' in input;
    const asked: Asking = { ...nobodyYet, name: isBadge ? null : input.name, text, busy: true };
    asking.value = asked;
    const reply = await api.call('cashier.sign_in', input);
    if (reply.ok && isBadge) lastBadge = { code: text, atMs: clock.monotonicMs() };
    if (reply.ok) sounds.success();
    else sounds.failure();
    // The dialog may have been left meanwhile, and opened again.
    if (asking.value !== asked) return;
    if (reply.ok && wasShut === null) cancel();
    else if (reply.ok) asking.value = { ...nobodyYet, busy: true };
    // A wrong PIN has to be typed again. Of a badge, perhaps only one digit is wrong.
    else asking.value = { ...asked, text: isBadge ? text : '', busy: false, failure: reply.error };
  };
  const say = (name: string): void => {
    cancelSaid();
    switchedTo.value = name;
    cancelSaid = clock.setTimer(() => {
      switchedTo.value = null;
    }, saidMs);
  };
  return {
    asking,
    switchedTo,
    ask,
    type(text) {
      if (asking.value?.busy === false) asking.value = { ...asking.value, text, failure: null, isTooSoon: false };
    },
    pick(name) {
      if (asking.value?.busy === false) asking.value = { ...nobodyYet, name };
    },
    back() {
      if (asking.value?.busy === false) asking.value = nobodyYet;
    },
    async confirm() {
      const now = asking.value;
      if (now === null) return;
      const text = now.text.trim();
      await signIn(text, now.name === null ? { badge: text } : { name: now.name, pin: foldDigits(text) });
    },
    cancel() {
      if (wasShut === null) cancel();
    },
    isRepeat: (code) => lastBadge?.code === code && clock.monotonicMs() - lastBadge.atMs < repeatMs,
    async takeBadge(code) {
      const reply = await api.call('cashier.switch', { code });
      if (!reply.ok || reply.value.cashier === null) return false;
      lastBadge = { code, atMs: clock.monotonicMs() };
      sounds.success();
      say(reply.value.cashier.name);
      return true;
    },
    async lock() {
      const reply = await api.call('cashier.lock', {});
      if (!reply.ok) sounds.failure();
    },
    async signOut() {
      const reply = await api.call('cashier.sign_out', {});
      // The name in the top bar stays, and the sound says that nothing has changed.
      if (!reply.ok) sounds.failure();
    },
  };
}
