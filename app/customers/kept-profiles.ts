import { type Identifier, identifierEntry } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { Writer } from '../store/database/writer.ts';
import type { ErasedProfiles, KeptProfileStore, SealedProfile } from '../store/tables/kept-profile-store.ts';
import type { LastTransactions } from './last-transactions.ts';
import type { ProfileSeal } from './profile-seal.ts';

/** At most so many customers are kept; those seen longest ago go first. */
const mostProfiles = 5_000;
const maxAgeMs = 7 * 86_400_000;
/** Seen later than this from now, it was the clock that was wrong; it must not keep a profile for ever. */
const futureMs = 86_400_000;
/** What is too old or too much is removed once for so many that are kept. */
const trimEvery = 64;
/** And so often, though nobody is seen: what is too old has to leave the disk. */
const trimEveryMs = 3_600_000;

/** Ways of naming a customer that work offline: never a phone or an e-mail, which would make the till a directory. */
const offlineKinds: ReadonlySet<string> = new Set(['loyalty_id', 'customer_id', 'external_id']);

/** What time it is, milliseconds since 1970, where the wall clock may be wrong. */
interface DoubtedTime {
  /** At the earliest, as far as the service has told it. */
  toldNowMs(): number;
  /** At the earliest, for what is removed; minus infinity while nobody knows. */
  provenNowMs(): number;
}

interface KeptProfilesOptions {
  readonly store: KeptProfileStore;
  readonly writer: Writer;
  readonly seal: ProfileSeal;
  readonly clock: Clock;
  /** How old a customer is, is told by it; not before the first write, for what knows it is made later. */
  readonly time: () => DoubtedTime;
  /** Told of the first failure to keep one: no sale depends on it. */
  readonly onFailed: (error: unknown) => void;
}

/** Profiles of customers seen, for the time without a line: encrypted, bounded, forgotten after a week. */
export class KeptProfiles {
  readonly #options: KeptProfilesOptions;
  #keptCount = 0;
  #hasFailed = false;
  #isLogFull = false;
  /** The clock of a till that has just started may be far behind, and is set right soon: nobody is too new yet. */
  #isFirstHour = true;
  #cancel: CancelTimer = () => undefined;

  constructor(options: KeptProfilesOptions) {
    this.#options = options;
    this.#write(() => this.#removeUnreadable());
    this.#tidy();
  }

  close(): void {
    this.#cancel();
  }

  /** Written with the next commit; it delays nothing. */
  keep(identifier: Identifier, profile: CustomerProfile): void {
    const { store, seal, time } = this.#options;
    const { kind, value } = identifierEntry(identifier);
    const sealed = seal.seal(profile, time().toldNowMs());
    const names = [sealed.customer, ...(offlineKinds.has(kind) ? [seal.hashOf(kind, value)] : [])];
    this.#keptCount += 1;
    const isTrimmed = this.#keptCount % trimEvery === 0;
    this.#write(() => {
      store.put(sealed, names);
      if (isTrimmed) this.#trim();
    });
  }

  find(identifier: Identifier): CustomerProfile | null {
    const { store, seal } = this.#options;
    const kept = this.#kept(identifier);
    if (kept === null) return null;
    const profile = seal.open(kept);
    // Sealed with another key, or damaged: it is of no use to anybody.
    if (profile === null) this.#write(() => store.remove(kept.customer));
    return profile;
  }

  /**
   * Forgets a name that the service has said twice to be nobody's. A card's number goes alone, because its customer can have
   * been given another card. Where the id of a customer is nobody's the customer is gone, and all names with them. Written
   * with the next commit.
   */
  forget(identifier: Identifier): void {
    const { store, seal } = this.#options;
    const { kind, value } = identifierEntry(identifier);
    const name = seal.hashOf(kind, value);
    this.#write(() => (kind === 'customer_id' ? store.remove(name) : store.removeName(name)));
  }

  /** Written with the next commit, beside the customer's profile; of somebody who is not kept it is not kept either. */
  keepHistory(customerId: string, history: LastTransactions): void {
    const { store, seal } = this.#options;
    const customer = seal.hashOf('customer_id', customerId);
    this.#write(() => store.putHistory(customer, seal.sealHistory(customer, history)));
  }

  history(customerId: string): LastTransactions | null {
    const kept = this.#kept({ customer_id: customerId });
    return kept === null ? null : this.#options.seal.openHistory(kept);
  }

  #kept(identifier: Identifier): SealedProfile | null {
    const { store, seal, clock, time } = this.#options;
    const { kind, value } = identifierEntry(identifier);
    if (!offlineKinds.has(kind)) return null;
    const kept = this.#read(() => store.find(seal.hashOf(kind, value)));
    if (kept === null) return null;
    const isTooOld = time().provenNowMs() - kept.seenAtMs > maxAgeMs;
    return isTooOld || kept.seenAtMs > clock.now() + futureMs ? null : kept;
  }

  /** Forgets all of them, on the disk too. @throws what the database says */
  async erase(): Promise<ErasedProfiles> {
    const { store, writer } = this.#options;
    const erased = await writer.urgent(() => store.eraseAll());
    this.#isLogFull = !store.wipe();
    return { erased, notReached: this.#isLogFull ? [store.logName] : [] };
  }

  #tidy(): void {
    const { store, clock } = this.#options;
    this.#write(() => this.#trim());
    if (this.#isLogFull) this.#isLogFull = this.#read(() => !store.wipe()) ?? true;
    this.#cancel = clock.setTimer(() => {
      this.#isFirstHour = false;
      this.#tidy();
    }, trimEveryMs);
  }

  /** What was sealed with another key is found by no name: it would lie there for a week. */
  #removeUnreadable(): void {
    const { store, seal } = this.#options;
    for (let kept = store.newest(); kept !== null && seal.open(kept) === null; kept = store.newest()) {
      store.remove(kept.customer);
    }
  }

  #trim(): void {
    const { store, clock, time } = this.#options;
    const toMs = this.#isFirstHour ? Number.MAX_SAFE_INTEGER : clock.now() + futureMs;
    store.trim({ fromMs: time().provenNowMs() - maxAgeMs, toMs }, mostProfiles);
  }

  #write(run: () => void): void {
    this.#options.writer.lazy(run).catch((error: unknown) => this.#failed(error));
  }

  /** A page that cannot be read is a customer who was not seen. */
  #read<Value>(run: () => Value): Value | null {
    try {
      return run();
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  #failed(error: unknown): void {
    if (!this.#hasFailed) this.#options.onFailed(error);
    this.#hasFailed = true;
  }
}
