import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { Caller } from './calls/authentication.ts';
import type { MakeId } from './ids.ts';
import type { SettingsHolder } from './settings.ts';
import type { Store } from './store/store.ts';
import type { Agenda } from './time/agenda.ts';

/** What the rules of every call work with. */
export interface ServiceContext {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly random: RandomSource;
  readonly store: Store;
  readonly settings: SettingsHolder;
  readonly agenda: Agenda;
}

/** A call that has passed the door and the contract. */
export interface Call<Body = unknown, Params = unknown, Query = unknown> {
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly body: Body;
  readonly params: Params;
  readonly query: Query;
}
