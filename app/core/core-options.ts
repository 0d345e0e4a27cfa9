import type { Dispatcher } from 'undici';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import type { Notice } from '../../shared/till/views.ts';
import { type Audit, noAudit } from '../audit/audit-events.ts';
import type { Settings } from '../config/settings.ts';
import type { Pacing } from '../line/pacing.ts';
import { freeBytesAt } from '../machine/disk-watch.ts';
import type { Log } from '../machine/log.ts';
import { systemSchedule, type WriterSchedule } from '../store/database/writer.ts';
import type { PeopleSealing, SealOptions } from './begin-seals.ts';

export interface CoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /**
   * This machine's own, which no tester moves: PINs and badges are locked by it, and whoever waits for an answer waits by
   * it. `clock` when absent.
   */
  readonly machineClock?: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  readonly random: RandomSource;
  readonly log: Log;
  readonly settings: Settings;
  readonly service: {
    readonly baseUrl: string;
    /** Null: see ServiceClient. */
    readonly apiKey: string | null;
    readonly dispatcher: Dispatcher | Promise<Dispatcher>;
  };
  readonly pacing: Pacing;
  /** What profiles of customers are kept under (`keptProfileKey`): the same at each start. */
  readonly profileKey: Uint8Array;
  /** Who did what is told here. */
  readonly audit?: Audit;
  /** What the requests of operations are sealed with; null: nothing is sealed, which no till does. */
  readonly seal: SealOptions | null;
  /** How managers and cashiers are proven; without it everybody on the list is believed. */
  readonly peopleSealing?: PeopleSealing;
  /** Tells this machine from any other (machine-identity.ts); null: it cannot be told. */
  readonly machine: string | null;
  /** Whether `clock` is one that a tester moves and holds. */
  readonly isTestClock?: boolean;
  /** What else a person should know, beside what this core sees itself. */
  readonly moreNotices?: () => readonly Notice[];
  /** What rewards cost at the service, where that is known without asking. */
  readonly knownGoals?: () => readonly RewardGoal[];
  /** How soon what is written and told goes on; this machine's own when absent. */
  readonly schedule?: WriterSchedule;
  /** How much room a folder's disk has, in bytes; null when that is not known. This machine's own when absent. */
  readonly freeBytesAt?: (path: string) => number | null;
  /** How often the database's files are looked at while nothing is saved. */
  readonly checkFilesEveryMs?: number;
}

/** The same, with what stands for each that is absent. Without a proof of people there is none. */
export type CompleteCoreOptions = Required<Omit<CoreOptions, 'peopleSealing'>> & Pick<CoreOptions, 'peopleSealing'>;

export function completed(options: CoreOptions): CompleteCoreOptions {
  return {
    machineClock: options.clock,
    audit: noAudit,
    isTestClock: false,
    moreNotices: () => [],
    knownGoals: () => [],
    schedule: systemSchedule,
    freeBytesAt,
    checkFilesEveryMs: 10_000,
    ...options,
  };
}
