import type { Counted } from './plural.ts';

/** The units that a customer collects. */
type CountedUnit = 'points' | 'stamps' | 'visits' | 'rewards';

/**
 * The words that the cashier's screen, the customers' screen and a receipt share. Each language has its own file, so
 * that a page loads only one.
 */
export interface DeedWords {
  /** `12 points`. */
  readonly counts: Readonly<Record<CountedUnit, Counted>>;
  /** The name of a unit beside its number, in the form for the number: `points`. */
  readonly units: Readonly<Record<CountedUnit | 'cashback', (value: number) => string>>;
  /** What an operation did, with its value or the name of what was given. */
  readonly did: {
    readonly earned: (value: string) => string;
    readonly added: (value: string) => string;
    readonly spent: (value: string) => string;
    readonly used: (value: string) => string;
    readonly gave: (name: string) => string;
    readonly gaveReward: string;
    readonly usedCoupon: string;
    readonly held: (value: string) => string;
    readonly tookBack: (value: string) => string;
    readonly gaveBack: (value: string) => string;
    readonly notAdded: (value: string) => string;
    readonly notSpent: (value: string) => string;
    readonly notUsed: (name: string) => string;
    readonly notGiven: (name: string) => string;
    readonly notHeld: (value: string) => string;
  };
  /** `+12 points`. */
  readonly plus: (value: string) => string;
  /** `257.5 points now`. */
  readonly now: (balance: string) => string;
  /** How far the next reward is, when its name is unknown. */
  readonly toNext: Readonly<Record<'points' | 'stamps', Counted>>;
  /** How far the next reward is, with its name. */
  readonly toNamed: Readonly<Record<'points' | 'stamps', (value: number, written: string, reward: string) => string>>;
}

/** The part of an operation on which its words depend. */
export type Deed =
  | {
      readonly kind: 'earn' | 'spend';
      readonly unit: 'money' | 'points' | 'stamps' | 'visits';
      readonly written: string;
    }
  /** A reward or coupon; null: its name is unknown here. */
  | { readonly kind: 'give'; readonly name: string | null; readonly isCoupon: boolean };

/**
 * `Earned KWD 12.500`, `Spent 40 points`, `Gave Free cake`: the same words in a list, in a customer's history and on a
 * receipt.
 */
export function deedInWords(deed: Deed, did: DeedWords['did']): string {
  switch (deed.kind) {
    case 'earn':
      return deed.unit === 'money' ? did.earned(deed.written) : did.added(deed.written);
    case 'spend':
      return deed.unit === 'stamps' || deed.unit === 'visits' ? did.used(deed.written) : did.spent(deed.written);
    case 'give':
      if (deed.name !== null) return deed.isCoupon ? did.used(deed.name) : did.gave(deed.name);
      return deed.isCoupon ? did.usedCoupon : did.gaveReward;
  }
}
