import type { ReceivedError } from '../../shared/contract/errors.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { Line } from '../line/line.ts';
import { LineHistory, type LineState } from '../line/line-history.ts';
import { lineChangedMessage } from '../line/line-messages.ts';
import type { Log } from '../machine/log.ts';
import type { Poller } from '../operations/delivery/poller.ts';
import type { Sender } from '../operations/delivery/sender.ts';
import type { Desk } from '../operations/immediate/desk.ts';
import type { Resolver } from '../operations/immediate/resolver.ts';
import type { NotSaved } from '../operations/requests/not-saved.ts';
import type { Watcher } from '../operations/watch/watcher.ts';
import type { SendableOperation } from '../store/rows/delivery.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Health } from './health.ts';

/** A shorter wait is over before anybody reads of it. */
const shortWaitMs = 30_000;

/** Who goes to work when something has happened. */
interface Workers {
  readonly sender: Sender;
  readonly poller: Poller;
  readonly desk: Desk;
  readonly resolver: Resolver;
  readonly watcher: Watcher;
}

interface CoreEventsOptions {
  readonly line: Line;
  readonly feed: ChangeFeed;
  readonly health: Health;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What follows when something has happened: who is told, who goes to work, what is logged. The one place that says it.
 * Its members are handed over as they are, so that none of them asks for `this`.
 */
export class CoreEvents {
  readonly #options: CoreEventsOptions;
  readonly #lineHistory = new LineHistory();
  #workers: Workers | null = null;

  constructor(options: CoreEventsOptions) {
    this.#options = options;
    this.#lineHistory.note(options.line.connection, options.clock.now());
  }

  /** From here on the workers hear of what happens. They are made with these events, and so come later. */
  connect(workers: Workers): void {
    this.#workers = workers;
    let lastState = this.#options.line.connection.state;
    let lastUntil: string | null = null;
    let lastLookUpsUntil: string | null = null;
    this.#options.line.connectivity.onChange(() => {
      const { line, clock, log, feed } = this.#options;
      const { state, cause } = line.connection;
      this.#lineHistory.note(line.connection, clock.now());
      if (state !== lastState) log.info({ state, cause }, lineChangedMessage);
      lastState = state;
      const { waits_until: until = null, look_ups_wait_until: lookUpsUntil = null } = line.connection;
      if (lookUpsUntil !== null && lastLookUpsUntil === null && Date.parse(lookUpsUntil) - clock.now() > shortWaitMs) {
        log.warn(
          { until: lookUpsUntil },
          'The service takes no look-ups now: what became of sent operations is asked then',
        );
      }
      lastLookUpsUntil = lookUpsUntil;
      if (until !== null && until !== lastUntil && Date.parse(until) - clock.now() > shortWaitMs) {
        log.warn({ until, cause }, 'Nothing is sent until then: "tillbridge line try" asks the service now');
      }
      lastUntil = until;
      this.#wakeAll();
      feed.changed();
    });
  }

  /** The machine has slept. */
  readonly woken = (): void => {
    const { line, log } = this.#options;
    log.info({}, 'The machine is awake again; the connection is looked at');
    line.connectivity.lookNow();
    this.#wakeAll();
  };

  #wakeAll(): void {
    const workers = this.#workers;
    workers?.sender.wake();
    workers?.poller.wake();
    workers?.desk.wake();
    workers?.resolver.wake();
    workers?.watcher.wake();
  }

  /** How the line was since the agent began, oldest first. */
  get lineHistory(): readonly LineState[] {
    return this.#lineHistory.all;
  }

  /** Something is saved that is sent when it can be. */
  readonly saved = (rowIds: readonly number[]): void => {
    this.#options.feed.changed(rowIds);
    this.#workers?.sender.wake();
  };

  readonly notSaved = (what: 'sale' | 'reversal' | 'write', { message: reason, isFault = false }: NotSaved): void => {
    if (!isFault) this.#options.health.saving.refused(reason);
    this.#options.log.error({ reason }, `A ${what} could not be saved and was refused`);
  };

  readonly cancelled = (rowIds: readonly number[]): void => this.#options.feed.changed(rowIds);

  readonly marked = (rowIds: readonly number[]): void => this.#options.feed.changed(rowIds);

  /** What became of rows is written down. */
  readonly settled = (rowIds: readonly number[]): void => {
    this.#options.feed.changed(rowIds);
    this.#workers?.poller.watch(rowIds);
    this.#workers?.sender.wake();
    this.#workers?.resolver.plan();
    this.#workers?.watcher.plan();
  };

  /** The same of what somebody waited for, or what somebody has decided. */
  readonly served = (rowIds: readonly number[]): void => {
    this.settled(rowIds);
    this.#workers?.resolver.wake();
  };

  /** Nobody waits any longer for what the desk has served: what it left open is found out. */
  readonly callerLeft = (): void => this.#workers?.resolver.wake();

  /** A person has decided that something goes out: what was refused before says nothing about it. */
  readonly sentAgain = (): void => {
    this.#workers?.sender.forgetRefusals();
    this.#options.line.connectivity.resume();
    this.#workers?.sender.wake();
  };

  /** What a crash had left marked is found: it may be sent again. */
  readonly recovered = (): void => {
    this.#options.feed.changed();
    this.#workers?.sender.wake();
    this.#workers?.resolver.wake();
  };

  readonly refused = ({ externalRef }: SendableOperation, { code, message }: ReceivedError): void =>
    this.#options.log.warn(
      { external_ref: externalRef, code, reason: message },
      'The service refused a sale; it needs attention',
    );

  readonly ownTime = ({ externalRef }: SendableOperation): void =>
    this.#options.log.warn(
      { external_ref: externalRef },
      'The service refused the time by its own Date header; the sale is sent once more with the time of this till',
    );

  readonly found = ({ externalRef, state, found }: Operation): void =>
    this.#options.log.warn(
      { external_ref: externalRef, state, found },
      'The service holds what was thought not to be there',
    );

  readonly erased = (count: number): void =>
    this.#options.log.info({ count }, 'Customers were erased from operations after the retention time');

  readonly eraseFailed = (error: unknown): void =>
    this.#options.log.warn({ error }, 'Customers could not be erased from old operations; it is tried again');

  readonly writeFailed = (error: unknown): void => {
    this.#options.health.observe(error);
    this.#options.log.error({ error }, 'The database did not take a change; it is tried again');
  };
}
