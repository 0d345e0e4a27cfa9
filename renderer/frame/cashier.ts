import { effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import type { TillState } from '../../shared/till/views.ts';
import type { Scans } from '../scanner/scans.ts';
import type { Sounds } from '../shell/sound.ts';

/** A badge is being asked for. */
export interface Asking {
  readonly text: string;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

/** Who sells: what they take carries their reference. */
export interface Cashier {
  readonly asking: ReadonlySignal<Asking | null>;
  readonly ask: () => void;
  readonly type: (text: string) => void;
  readonly confirm: () => Promise<void>;
  readonly cancel: () => void;
  readonly signOut: () => Promise<void>;
  /** A badge that has just signed somebody in, scanned once more: no customer's card. */
  readonly isRepeat: (code: string) => boolean;
  /** Locks the screen now. */
  readonly lock: () => Promise<void>;
}

interface CashierParts {
  readonly api: TillApi;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly scans: Scans;
  readonly sounds: Sounds;
  readonly till: ReadonlySignal<TillState | null>;
}

/** A hand that holds a badge before the scanner scans it twice. */
const repeatMs = 2_000;

export function createCashier({ api, clock, scans, sounds, till }: CashierParts): Cashier {
  const asking: Signal<Asking | null> = signal(null);
  let lastBadge: { readonly code: string; readonly atMs: number } | null = null;
  let giveScansBack = (): void => undefined;

  const cancel = (): void => {
    giveScansBack();
    asking.value = null;
  };
  const ask = (): void => {
    if (asking.value !== null) return;
    asking.value = { text: '', busy: false, failure: null };
    giveScansBack = scans.ask((badge) => void signIn(badge));
  };
  /** Whoever asked before the screen was shut begins again: what was typed by then is for nobody's eyes. */
  const beginWhenShut = (): void => {
    cancel();
    ask();
  };
  let wasShut: TillState['sign_in'] = null;
  effect(() => {
    const shut = till.value?.sign_in ?? null;
    if (shut === wasShut) return;
    wasShut = shut;
    untracked(shut === null ? cancel : beginWhenShut);
  });
  const signIn = async (badge: string): Promise<void> => {
    if (asking.value === null || asking.value.busy || badge === '') return;
    const asked: Asking = { text: badge, busy: true, failure: null };
    asking.value = asked;
    const reply = await api.call('cashier.sign_in', { badge });
    if (reply.ok) lastBadge = { code: badge, atMs: clock.monotonicMs() };
    if (reply.ok) sounds.success();
    else sounds.failure();
    // The dialog may have been left meanwhile, and opened again.
    if (asking.value !== asked) return;
    if (reply.ok && wasShut === null) cancel();
    else if (reply.ok) asking.value = { text: '', busy: true, failure: null };
    else asking.value = { text: badge, busy: false, failure: reply.error };
  };
  return {
    asking,
    ask,
    type(text) {
      if (asking.value?.busy === false) asking.value = { text, busy: false, failure: null };
    },
    confirm: () => signIn(asking.value?.text.trim() ?? ''),
    cancel() {
      if (wasShut === null) cancel();
    },
    isRepeat: (code) => lastBadge?.code === code && clock.monotonicMs() - lastBadge.atMs < repeatMs,
    async lock() {
      const reply = await api.call('cashier.lock', {});
      if (!reply.ok) sounds.failure();
    },
    async signOut() {
      const reply = await api.call('cashier.sign_out', {});
      // The name stays in the top bar: the ear hears that nothing has changed.
      if (!reply.ok) sounds.failure();
    },
  };
}
