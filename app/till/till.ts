import { z } from 'zod';
import { validate } from '../../shared/contract/problems.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { type TillCommandName, type TillEvent, type TillReply, tillCommands } from '../../shared/till/api.ts';
import type { Locale } from '../../shared/till/views.ts';
import type { AgentCore } from '../agent-core.ts';
import { activityPart, operationDetail } from './activity.ts';
import { attended, cardsFor, correctSale } from './attention.ts';
import { CashierDesk } from './cashier.ts';
import { closeDay, listCloses, readDay } from './day.ts';
import { DiagnosticsDesk, type DiagnosticsRoom } from './diagnostics.ts';
import { createEventStream } from './event-stream.ts';
import { findCustomer } from './find-customer.ts';
import { commit, listHolds, release, reserve, reserveAgain } from './holds.ts';
import { type Lab, labHandlers, labSummary } from './lab.ts';
import { asManager } from './manager.ts';
import { operationView } from './operation-view.ts';
import { cancelOperation, takeEarn } from './operations.ts';
import { failed, type Reply, refusedInput, succeeded } from './replies.ts';
import { type SettingsRoom, SettingsRoomDesk } from './settings.ts';
import { type PracticeCard, tillState } from './state.ts';
import { decide, enroll, readOperation, takeBack, takeRedemption, verify } from './writes.ts';

export interface TillOptions {
  readonly core: AgentCore;
  /** Paces the events; the agent's own clock. */
  readonly clock: Clock;
  readonly version: string;
  /** Keeps the language of the screen for the next start. */
  readonly saveLocale: (locale: Locale) => void;
  /** False while a test clock stands still. */
  readonly clockRuns: () => boolean;
  /** Cards to begin with in the embedded sandbox; none with any other service. */
  readonly practiceCards: () => readonly PracticeCard[];
  /** What the screens beside the sale look at and change: for managers, and for store IT. */
  readonly settings: SettingsRoom & { readonly diagnostics: DiagnosticsRoom };
  /** The embedded sandbox's control API; null with any other service, and in production. */
  readonly lab?: Lab | null;
  /** Told of a fault of our own, which the page sees as `agent_gone`. */
  readonly onFault: (error: unknown) => void;
}

/** The agent as the cashier's screen reaches it, whichever host carries the messages. */
export interface Till {
  /** Answers `{command, input}`, whatever came: nothing that is not in shape reaches the agent. Never rejects. */
  handle(message: unknown): Promise<TillReply<unknown>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: TillEvent) => void): () => void;
  /** The frame's state changed by something that the core does not tell of, such as the test clock. */
  readonly stateChanged: () => void;
  /** The language of the screen was set elsewhere. */
  readonly showLocale: (locale: Locale) => void;
  readonly close: () => void;
}

const messageSchema = z.object({ command: z.string(), input: z.unknown() });

export function createTill(options: TillOptions): Till {
  const { core, clock, version, saveLocale, clockRuns, practiceCards, settings, onFault } = options;
  const lab = core.settings.mode === 'sandbox' ? (options.lab ?? null) : null;
  let locale: Locale = core.settings.locale;
  const desk = new CashierDesk(core, () => events.stateChanged());
  const settingsDesk = new SettingsRoomDesk(core, settings, onFault);
  const diagnosticsDesk = new DiagnosticsDesk(core, settings.diagnostics);
  const readState = () =>
    tillState({
      status: core.status(),
      settings: core.settings,
      locale,
      nowMs: core.clock.now(),
      clockRuns: clockRuns(),
      practiceCards: practiceCards(),
      lab: labSummary(lab),
      cashier: desk.cashier,
      hasCashiers: core.people.hasCashiers,
      hasManagers: core.people.hasManagers,
      version,
    });
  const events = createEventStream(core, clock, readState);

  function showLocale(chosen: Locale): void {
    if (chosen === locale) return;
    locale = chosen;
    events.stateChanged();
  }

  const handlers: Readonly<Record<TillCommandName, (input: unknown) => Promise<TillReply<unknown>>>> = {
    'state.read': command(tillCommands['state.read'], () => succeeded(readState())),
    'customer.find': command(tillCommands['customer.find'], ({ identifier }) => findCustomer(core, identifier)),
    'operation.earn': command(tillCommands['operation.earn'], (input) => takeEarn(core, desk.stamped(input))),
    'operation.cancel': command(tillCommands['operation.cancel'], ({ operation_id }) =>
      cancelOperation(core, operation_id),
    ),
    'operation.redeem': command(tillCommands['operation.redeem'], (input) => takeRedemption(core, desk.stamped(input))),
    'operation.reverse': command(tillCommands['operation.reverse'], (input) => takeBack(core, input)),
    'operation.decide': command(tillCommands['operation.decide'], (input) => decide(core, input)),
    'operation.read': command(tillCommands['operation.read'], ({ operation_id }) => readOperation(core, operation_id)),
    'customer.enroll': command(tillCommands['customer.enroll'], (input) => enroll(core, input)),
    'customer.verify': command(tillCommands['customer.verify'], (input) => verify(core, input)),
    'hold.list': command(tillCommands['hold.list'], () => listHolds(core)),
    'hold.reserve': command(tillCommands['hold.reserve'], (input) => reserve(core, input)),
    'hold.again': command(tillCommands['hold.again'], (input) => reserveAgain(core, input)),
    'hold.commit': command(tillCommands['hold.commit'], (input) => commit(core, input)),
    'hold.release': command(tillCommands['hold.release'], (input) => release(core, input)),
    'attention.list': command(tillCommands['attention.list'], ({ limit, after_row }) =>
      succeeded({
        operations: core.needingAttention({ limit, afterRowId: after_row ?? 0 }).map(operationView),
      }),
    ),
    'attention.resend': command(tillCommands['attention.resend'], ({ operation_id, reason }) =>
      attended(core.resend(operation_id, { reason, person: null })),
    ),
    'attention.correct': command(tillCommands['attention.correct'], (input) => correctSale(core, input)),
    'attention.cards': command(tillCommands['attention.cards'], ({ operation_id }) => cardsFor(core, operation_id)),
    'attention.replace': command(tillCommands['attention.replace'], ({ operation_id, reason }) =>
      attended(core.replace(operation_id, { reason, person: null })),
    ),
    'attention.write_off': command(tillCommands['attention.write_off'], ({ operation_id, reason, pin }) =>
      asManager(core, pin, (person) => attended(core.writeOff(operation_id, { reason, person }))),
    ),
    'operations.recent': command(tillCommands['operations.recent'], ({ limit }) =>
      succeeded({ operations: core.recentOperations({ limit }).map(operationView) }),
    ),
    'cashier.sign_in': command(tillCommands['cashier.sign_in'], ({ badge }) => desk.signIn(badge)),
    'cashier.sign_out': command(tillCommands['cashier.sign_out'], () => desk.signOut()),
    'settings.read': command(tillCommands['settings.read'], (input) => settingsDesk.read(input)),
    'settings.change': command(tillCommands['settings.change'], (input) => settingsDesk.change(input)),
    'settings.test_connection': command(tillCommands['settings.test_connection'], (input) =>
      settingsDesk.testConnection(input),
    ),
    'tokens.list': command(tillCommands['tokens.list'], (input) => settingsDesk.listTokens(input)),
    'tokens.make': command(tillCommands['tokens.make'], (input) => settingsDesk.makeToken(input)),
    'tokens.revoke': command(tillCommands['tokens.revoke'], (input) => settingsDesk.revokeToken(input)),
    'people.list': command(tillCommands['people.list'], (input) => settingsDesk.listPeople(input)),
    'people.add_manager': command(tillCommands['people.add_manager'], (input) => settingsDesk.addManager(input)),
    'people.add_cashier': command(tillCommands['people.add_cashier'], (input) => settingsDesk.addCashier(input)),
    'people.remove': command(tillCommands['people.remove'], (input) => settingsDesk.removePerson(input)),
    'diagnostics.read': command(tillCommands['diagnostics.read'], () => diagnosticsDesk.read()),
    'diagnostics.day': command(tillCommands['diagnostics.day'], () => diagnosticsDesk.day()),
    'diagnostics.check_database': command(tillCommands['diagnostics.check_database'], () =>
      diagnosticsDesk.checkDatabase(),
    ),
    'diagnostics.read_check': command(tillCommands['diagnostics.read_check'], () => diagnosticsDesk.readCheck()),
    'diagnostics.log': command(tillCommands['diagnostics.log'], (input) => diagnosticsDesk.log(input)),
    'diagnostics.preview_bundle': command(tillCommands['diagnostics.preview_bundle'], () =>
      diagnosticsDesk.previewBundle(),
    ),
    'diagnostics.save_bundle': command(tillCommands['diagnostics.save_bundle'], () => diagnosticsDesk.saveBundle()),
    'activity.list': command(tillCommands['activity.list'], (input) => succeeded(activityPart(core, input))),
    'activity.show': command(tillCommands['activity.show'], ({ operation_id }) => {
      const operation = core.operationById(operation_id);
      if (operation === null) return failed('operation_not_found', 'This agent has no such operation.');
      return succeeded(operationDetail(core, operation));
    }),
    'day.read': command(tillCommands['day.read'], async ({ business_date }) =>
      succeeded(await readDay(core, business_date ?? null)),
    ),
    'day.close': command(tillCommands['day.close'], (input) => closeDay(core, input)),
    'day.list': command(tillCommands['day.list'], (input) => succeeded(listCloses(core, input))),
    ...labHandlers(lab),
    'locale.set': command(tillCommands['locale.set'], (input) => {
      saveLocale(input.locale);
      showLocale(input.locale);
      return succeeded({});
    }),
  };

  return {
    async handle(message) {
      const question = validate(messageSchema, message);
      if (question.kind === 'invalid') return refusedInput(question.problems);
      const { command: name, input } = question.value;
      if (!isCommand(name)) return failed('invalid', 'No such command.', { field: 'command' });
      try {
        return await handlers[name](input);
      } catch (error) {
        onFault(error);
        return failed('agent_gone', 'The agent has a fault of its own; its log tells which.');
      }
    },
    onEvent: events.onEvent,
    stateChanged: events.stateChanged,
    showLocale,
    close() {
      events.close();
      diagnosticsDesk.close();
    },
  };
}

/** A command behind its schema: THE place where a page's input is checked. */
function command<Input extends z.ZodType, Answer extends z.ZodType>(
  shape: { readonly input: Input; readonly answer: Answer },
  answer: (input: z.output<Input>) => Reply<z.output<Answer>>,
): (input: unknown) => Promise<TillReply<unknown>> {
  return async (given) => {
    const input = validate(shape.input, given);
    return input.kind === 'valid' ? answer(input.value) : refusedInput(input.problems);
  };
}

function isCommand(name: string): name is TillCommandName {
  return Object.hasOwn(tillCommands, name);
}
