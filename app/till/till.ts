import { z } from 'zod';
import { validate } from '../../shared/contract/problems.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { type TillCommandName, type TillEvent, type TillReply, tillCommands } from '../../shared/till/api.ts';
import type { Locale, TillState } from '../../shared/till/views.ts';
import type { Settings } from '../config/settings.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { PinNotCountedError } from '../people/counted.ts';
import type { PeopleCommands } from '../people/people.ts';
import { ManagersUnreadError } from '../people/till-managers.ts';
import { activityHandlers } from './activity.ts';
import { attentionHandlers } from './attention.ts';
import { cashierHandlers, SignedInCashier } from './cashier.ts';
import { command, type Handlers } from './command.ts';
import type { CustomerDisplay } from './customer-display.ts';
import { customerHandlers } from './customer-history.ts';
import { dayHandlers } from './day.ts';
import { DiagnosticsCommands, type DiagnosticsRoom, diagnosticsHandlers } from './diagnostics.ts';
import { displayHandlers, ShownView } from './display-handlers.ts';
import { createEventStream } from './event-stream.ts';
import { findCustomer } from './find-customer.ts';
import { holdHandlers } from './holds.ts';
import { type Lab, labHandlers, labSummary } from './lab.ts';
import { operationHandlers } from './operation-handlers.ts';
import { type Certificate, practiceHandlers } from './practice.ts';
import { lazyPrinter, receiptHandlers } from './receipts.ts';
import { failed, refusedInput, succeeded } from './replies.ts';
import { ScreenLock } from './screen-lock.ts';
import { SettingsCommands, type SettingsRoom, settingsHandlers } from './settings.ts';
import { desktopOf, type PracticeCard, tillState } from './state.ts';

export interface TillOptions {
  readonly core: AgentCore;
  /** The agent's own clock, which spaces the events. */
  readonly clock: Clock;
  readonly version: string;
  /** Saves the language of the screen for the next start. */
  readonly saveLocale: (locale: Locale) => void;
  /** False while a test clock stands still. */
  readonly clockRuns: () => boolean;
  /** Cards of the embedded sandbox for a beginner; none with any other service. */
  readonly practiceCards: () => readonly PracticeCard[];
  /** What the other screens read and change, for managers and store IT. */
  readonly settings: SettingsRoom & { readonly diagnostics: DiagnosticsRoom };
  /** The embedded sandbox's control API; null with any other service, and in production. */
  readonly lab?: Lab | null;
  /** Writes into the log that a trainee has completed a practice shift. */
  readonly certify: (certificate: Certificate) => void;
  /** The customers' screen; null when there is none. */
  readonly display?: () => CustomerDisplay | null;
  /** An address of the customers' screen, for a window of the desktop app. It works once. */
  readonly displayUrl?: (window: string) => string | null;
  /** Whether the mode of this till is not chosen yet. */
  readonly asksMode?: () => boolean;
  /** Called for a fault of the agent itself, which the page sees as `agent_gone`. */
  readonly onFault: (error: unknown) => void;
}

/** The settings that the screen and its window use as soon as they are saved, or deployed. */
export interface SavedSettings extends Pick<Settings, 'window' | 'cashiers'> {
  /** Null: each window keeps its own. */
  readonly locale: Locale | null;
}

/** The agent's interface for the cashier's screen, over any transport. */
export interface Till {
  /**
   * Answers any message. Only a checked `{command, input}` reaches the agent. Never rejects.
   *
   * @param page the connection of a page that comes over one; without it, the page of this process's own window asks
   */
  handle(message: unknown, page?: object): Promise<TillReply<unknown>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: TillEvent) => void): () => void;
  /** Call it when the till's state has changed and the core does not report it, such as for the test clock. */
  readonly stateChanged: () => void;
  /** Applies the saved settings that hold at once: the language, and how the window behaves. */
  readonly showSaved: (settings: SavedSettings) => void;
  /** The connection of this page is closed, so its customer is no longer known. */
  readonly pageGone: (page: object) => void;
  readonly close: () => void;
}

const messageSchema = z.object({ command: z.string(), input: z.unknown() });

export function createTill(options: TillOptions): Till {
  const { core, clock, version, saveLocale, clockRuns, practiceCards, settings, onFault } = options;
  const lab = core.settings.mode === 'sandbox' ? (options.lab ?? null) : null;
  let locale: Locale = core.settings.locale;
  const signedIn = new SignedInCashier(core, () => events.stateChanged());
  const display = () => options.display?.() ?? null;
  const shown = new ShownView(display);
  const lock = new ScreenLock({
    clock,
    rules: core.settings.cashiers,
    isSignedIn: () => signedIn.cashier !== null,
    isLeftOpen: () => signedIn.isIn,
    hasCashiers: () => core.people.hasCashiers,
    onChanged() {
      hideWhenShut();
      events.stateChanged();
    },
  });
  /** A shut screen serves nobody. */
  const hideWhenShut = (): void => {
    if (lock.shut !== null) shown.hideCustomer();
  };
  let desktop = desktopOf(core.settings);
  let { distance } = core.settings.window;
  const diagnostics = new DiagnosticsCommands(core, settings.diagnostics);
  /** A shut screen does not get the phone of a customer who checked in. */
  const shownDisplay = () => {
    const screen = display();
    return screen !== null && lock.shut !== null ? { checkIn: null } : screen;
  };
  const readState = () =>
    tillState({
      status: core.status(),
      settings: core.settings,
      locale,
      nowMs: core.clock.now(),
      clockRuns: clockRuns(),
      practiceCards: practiceCards(),
      rewardGoals: core.cards.goals(),
      lab: labSummary(lab),
      cashier: signedIn.cashier,
      hasCashiers: core.people.hasCashiers,
      cashiers: cashiersOf(core.people),
      signIn: lock.shut,
      locks: lock.locks,
      hasManagers: core.people.hasManagers,
      handedSale: lock.shut === null ? core.screenSale.current : null,
      display: shownDisplay(),
      desktop,
      distance,
      asksMode: options.asksMode?.() ?? false,
      version,
    });
  const events = createEventStream(core, clock, { readState, isShut: () => lock.shut !== null });

  function showLocale(chosen: Locale): void {
    if (chosen === locale) return;
    locale = chosen;
    events.stateChanged();
  }

  const handlers: Handlers<TillCommandName> = {
    'state.read': command(tillCommands['state.read'], () => succeeded(readState())),
    'customer.find': command(tillCommands['customer.find'], ({ identifier }) => findCustomer(core, identifier)),
    ...operationHandlers(core, signedIn),
    ...cashierHandlers({ signedIn, lock, screenSale: core.screenSale, onSignedOut: hideWhenShut }),
    ...customerHandlers(core),
    ...holdHandlers(core, () => signedIn.presser),
    ...attentionHandlers(core, signedIn),
    ...activityHandlers(core),
    ...dayHandlers(core, () => signedIn.cashier),
    ...settingsHandlers(new SettingsCommands(core, settings, onFault)),
    ...diagnosticsHandlers(diagnostics),
    ...labHandlers(lab),
    ...practiceHandlers({
      isSandbox: core.settings.mode === 'sandbox',
      clock: core.clock,
      cashier: () => signedIn.cashier,
      certify: options.certify,
    }),
    ...receiptHandlers(core, lazyPrinter(core, clock, onFault), onFault),
    ...displayHandlers(shown, { display, displayUrl: (window) => options.displayUrl?.(window) ?? null }),
    'locale.set': command(tillCommands['locale.set'], (input) => {
      saveLocale(input.locale);
      showLocale(input.locale);
      return succeeded({});
    }),
  };

  return {
    async handle(message, page) {
      const question = validate(messageSchema, message);
      if (question.kind === 'invalid') return refusedInput(question.problems);
      const { command: name, input } = question.value;
      if (!isCommand(name)) return failed('invalid', 'No such command.', { field: 'command' });
      const shut = lock.refuses(name);
      if (shut === 'locked') return failed('locked', 'The screen is locked.');
      if (shut === 'needed') return failed('sign_in_needed', 'A cashier signs in first.');
      try {
        return await handlers[name](input, page);
      } catch (error) {
        onFault(error);
        return faultReply(error);
      }
    },
    onEvent: events.onEvent,
    stateChanged: events.stateChanged,
    showSaved(saved) {
      locale = saved.locale ?? locale;
      desktop = desktopOf(saved);
      ({ distance } = saved.window);
      lock.setRules(saved.cashiers);
      events.stateChanged();
    },
    pageGone: (page) => shown.pageGone(page),
    close() {
      shown.hideCustomer();
      lock.close();
      events.close();
      diagnostics.close();
    },
  };
}

function faultReply(error: unknown): TillReply<never> {
  if (error instanceof PinNotCountedError) {
    return failed('not_saved', 'The PIN was not looked at: wrong ones cannot be counted. The log has the reason.');
  }
  if (error instanceof ManagersUnreadError) return failed('people_unread', error.message);
  return failed('agent_gone', 'The agent has a fault. Its log has the details.');
}

function cashiersOf(people: Pick<PeopleCommands, 'list' | 'hasPin'>): TillState['cashiers'] {
  return people
    .list()
    .flatMap(({ name, employeeRef }) =>
      employeeRef === null ? [] : [{ name, employee_ref: employeeRef, has_pin: people.hasPin(name) }],
    );
}

function isCommand(name: string): name is TillCommandName {
  return Object.hasOwn(tillCommands, name);
}
