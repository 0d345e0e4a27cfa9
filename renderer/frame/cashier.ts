import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TillApi, TillError } from '../../shared/till/api.ts';
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
}

interface CashierParts {
  readonly api: TillApi;
  readonly scans: Scans;
  readonly sounds: Sounds;
}

export function createCashier({ api, scans, sounds }: CashierParts): Cashier {
  const asking: Signal<Asking | null> = signal(null);
  let giveScansBack = (): void => undefined;

  const cancel = (): void => {
    giveScansBack();
    asking.value = null;
  };
  const signIn = async (badge: string): Promise<void> => {
    if (asking.value === null || asking.value.busy || badge === '') return;
    const asked: Asking = { text: badge, busy: true, failure: null };
    asking.value = asked;
    const reply = await api.call('cashier.sign_in', { badge });
    if (reply.ok) sounds.success();
    else sounds.failure();
    // The dialog may have been left meanwhile, and opened again.
    if (asking.value !== asked) return;
    if (reply.ok) cancel();
    else asking.value = { text: badge, busy: false, failure: reply.error };
  };
  return {
    asking,
    ask() {
      if (asking.value !== null) return;
      asking.value = { text: '', busy: false, failure: null };
      giveScansBack = scans.ask((badge) => void signIn(badge));
    },
    type(text) {
      if (asking.value?.busy === false) asking.value = { text, busy: false, failure: null };
    },
    confirm: () => signIn(asking.value?.text.trim() ?? ''),
    cancel,
    async signOut() {
      const reply = await api.call('cashier.sign_out', {});
      // The name stays in the top bar: the ear hears that nothing has changed.
      if (!reply.ok) sounds.failure();
    },
  };
}
