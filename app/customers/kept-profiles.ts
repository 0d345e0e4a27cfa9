import { type Identifier, identifierEntry } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';

const maxProfiles = 2_000;
const maxAgeMs = 7 * 24 * 3_600_000;

/** Ways of naming a customer that work offline: never a phone or an e-mail, which would make the till a directory. */
const offlineKinds: ReadonlySet<string> = new Set(['loyalty_id', 'customer_id', 'external_id']);

interface Kept {
  readonly profile: CustomerProfile;
  readonly keptAtMs: number;
}

/** Profiles seen since the agent started, in memory only: nothing about a customer is left when it ends. */
export class KeptProfiles {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keep(identifier: Identifier, profile: CustomerProfile): void {
    const { kind, value } = identifierEntry(identifier);
    this.#put(`customer_id:${profile.customer_id}`, profile);
    if (offlineKinds.has(kind)) this.#put(`${kind}:${value}`, profile);
  }

  find(identifier: Identifier): CustomerProfile | null {
    const { kind, value } = identifierEntry(identifier);
    if (!offlineKinds.has(kind)) return null;
    const kept = this.#kept.get(`${kind}:${value}`);
    return kept === undefined || this.#clock.now() - kept.keptAtMs > maxAgeMs ? null : kept.profile;
  }

  #put(key: string, profile: CustomerProfile): void {
    this.#kept.delete(key);
    this.#kept.set(key, { profile, keptAtMs: this.#clock.now() });
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > maxProfiles && !oldest.done) this.#kept.delete(oldest.value);
  }
}
