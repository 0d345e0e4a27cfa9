import type { Dispatcher } from 'undici';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import type { BoundedListener } from '../http/web-request.ts';
import type { Lab } from '../till/lab.ts';
import type { PracticeCard } from '../till/state.ts';

/** The service that an agent speaks to, and what belongs to it. */
export interface OpenedService {
  readonly baseUrl: string;
  /** Null while the one that is kept cannot be read: sales are saved, and the line says that the key is refused. */
  readonly apiKey: string | null;
  readonly dispatcher: Dispatcher | Promise<Dispatcher>;
  /** The agent's clock: the sandbox's test clock where there is one. */
  readonly clock: Clock;
  readonly control: BoundedListener | null;
  readonly controlKey: string | null;
  readonly clockRuns: () => boolean;
  readonly practiceCards: () => readonly PracticeCard[];
  readonly rewardGoals: () => readonly RewardGoal[];
  /** The embedded sandbox as the screen's lab turns it; null without one. */
  readonly lab: Lab | null;
  /** What the embedded sandbox's own books were called when they could not be read, and new ones were begun; else null. */
  readonly aside: string | null;
  /** Told when somebody has moved the sandbox's clock or turned anything else there. */
  readonly onTurned: (listener: () => void) => () => void;
  readonly close: () => Promise<void> | void;
}
