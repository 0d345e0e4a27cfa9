import type { z } from 'zod';
import { validate } from '../../shared/contract/problems.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { OfficeAnswerer, OfficeReply } from '../bridge/office.ts';
import type { PosTokens } from '../bridge/pos-tokens.ts';
import type { Settings } from '../config/settings.ts';
import type { SettingsEditor } from '../config/settings-desk.ts';
import { isDiskError } from '../machine/files.ts';
import type { AttentionOutcome, Decider } from '../operations/attention.ts';
import type { DayCommands } from '../operations/day-books.ts';
import type { PersonDesk, PersonReport } from '../operations/person-data.ts';
import type { PersonalOperation } from '../operations/person-search.ts';
import type { VerifyPart, VerifyRequest } from '../operations/verifier.ts';
import type { AddOutcome, People } from '../people/people.ts';
import type { ActivityFilter, ActivityPart, SentRequest } from '../store/activity.ts';
import type { ErasedProfiles } from '../store/kept-profile-store.ts';
import type { Operation, OperationHistoryEntry } from '../store/operation.ts';
import type { Person } from '../store/people-store.ts';
import { activityPart, operationDetail } from '../till/activity.ts';
import { closeDay, listCloses, readDay } from '../till/day.ts';
import { operationView } from '../till/operation-view.ts';
import {
  type Decided,
  type OfficeAnswer,
  type OfficeCallName,
  type OfficeInput,
  officeCalls,
  type ShownPersonalOperation,
} from './calls.ts';
import type { OfficeSessions } from './office-sessions.ts';

/** Who asks with a command of an older version, which does not say which user it is. */
const storeItUnnamed = 'store IT';

/** What the office asks: the running agent, or its database while it is stopped. */
export interface OfficeSource {
  activity(filter: ActivityFilter, page: { readonly limit: number; readonly beforeRowId?: number }): ActivityPart;
  operationsByReference(externalRef: string): readonly Operation[];
  sentRequest(rowId: number): SentRequest | null;
  history(rowId: number): readonly OperationHistoryEntry[];
  counts(): Readonly<Record<OperationState, number>>;
  resend(operationId: string, decider: Decider): Promise<AttentionOutcome>;
  writeOff(operationId: string, decider: Decider): Promise<AttentionOutcome>;
  keep(operationId: string, decider: Decider): Promise<AttentionOutcome>;
  verify(request: VerifyRequest): Promise<VerifyPart>;
  takeBack(operationId: string, decider: Decider): Promise<AttentionOutcome>;
  /** @param by who asks, for the audit log */
  eraseKeptProfiles(by: string | null): Promise<ErasedProfiles>;
  readonly persons: PersonDesk;
  readonly days: DayCommands;
  readonly settings: Pick<Settings, 'day_starts_at' | 'mode'>;
  readonly people: Pick<People, 'list' | 'doubts' | 'addManager' | 'addCashier' | 'remove'>;
}

/** Who may call the bridge and open the screen, as the office keeps it. */
export interface OfficeKeys {
  readonly tokens: Pick<PosTokens, 'list' | 'make' | 'share' | 'revoke'>;
  readonly settings: Pick<SettingsEditor, 'read' | 'change'>;
  readonly sessions: OfficeSessions;
  readonly nowMs: () => number;
}

/** An agent as store IT reaches it, whether it runs or not. */
export interface Office {
  call<Name extends OfficeCallName>(name: Name, input: OfficeInput<Name>): Promise<OfficeAnswer<Name>>;
}

/** Answers the calls of the table, whatever carries them. */
export function createOffice(source: OfficeSource, keys: OfficeKeys): OfficeAnswerer {
  const handlers: Readonly<Record<OfficeCallName, (input: unknown) => Promise<OfficeReply>>> = {
    'queue.list': call(officeCalls['queue.list'], (input) => activityPart(source, input)),
    'queue.show': call(officeCalls['queue.show'], (input) => ({
      operations: named(input).map((operation) => operationDetail(source, operation)),
    })),
    'queue.resend': call(officeCalls['queue.resend'], (input) =>
      decide(input, (operationId, decider) => source.resend(operationId, decider)),
    ),
    'queue.write_off': call(officeCalls['queue.write_off'], (input) =>
      decide(input, (operationId, decider) => source.writeOff(operationId, decider)),
    ),
    'queue.keep': call(officeCalls['queue.keep'], (input) =>
      decide(input, (operationId, decider) => source.keep(operationId, decider)),
    ),
    'queue.take_back': call(officeCalls['queue.take_back'], (input) =>
      decide(input, (operationId, decider) => source.takeBack(operationId, decider)),
    ),
    verify: call(officeCalls.verify, async ({ since, until, after_row, resend }) => {
      const [sinceMs, untilMs] = [Date.parse(since), Date.parse(until)];
      const part = await source.verify({ sinceMs, untilMs, afterRowId: after_row, resend });
      if (part.kind === 'out_of_reach') return part;
      const { kind, checked, erased, afterRowId } = part;
      const differences = part.differences.map((one) => ({ ...one, operation: operationView(one.operation) }));
      return { kind, checked, erased, differences, after_row: afterRowId };
    }),
    'day.read': call(officeCalls['day.read'], ({ business_date }) => readDay(source, business_date ?? null)),
    'day.close': call(officeCalls['day.close'], async (input) => {
      const { by = storeItUnnamed, closed_by: typed } = input;
      const canSignIn = source.people.list().length > 0;
      const who = { by, ...(typed !== by && { person: typed }) };
      const reply = await closeDay(source, { ...input, closed_by: canSignIn ? by : typed }, who);
      return reply.ok ? reply.value : { kind: 'not_saved' as const };
    }),
    'day.list': call(officeCalls['day.list'], (input) => listCloses(source, input)),
    'profiles.erase': call(officeCalls['profiles.erase'], async ({ by = null }) => {
      const { erased, notReached } = await source.eraseKeptProfiles(by);
      return { erased, not_reached: [...notReached] };
    }),
    'customer.show': call(officeCalls['customer.show'], async (name) => reportView(await source.persons.show(name))),
    'customer.erase': call(officeCalls['customer.erase'], async ({ kind, value, by = null, elsewhere }) => {
      const erasure = await source.persons.erase({ kind, value }, { by, elsewhere });
      const stays = erasure.stays.map(personalOperationView);
      return { ...reportView(erasure), stays, log_left: erasure.isLogLeft, gap_left: erasure.isGapLeft };
    }),
    'tokens.list': call(officeCalls['tokens.list'], () => ({ tokens: [...keys.tokens.list()] })),
    'tokens.make': call(officeCalls['tokens.make'], (input) => makeToken(input)),
    'tokens.share': call(officeCalls['tokens.share'], async ({ name, shared, by }) => ({
      found: await keys.tokens.share(name, shared, by),
    })),
    'tokens.revoke': call(officeCalls['tokens.revoke'], async ({ name, by }) => ({
      revoked: await keys.tokens.revoke(name, by),
    })),
    'sessions.list': call(officeCalls['sessions.list'], () => ({ sessions: keys.sessions.list() })),
    'sessions.end': call(officeCalls['sessions.end'], ({ session, by = null }) => ({
      ended: keys.sessions.end(session, by),
    })),
    'sessions.open': call(officeCalls['sessions.open'], ({ kiosk }) => ({ url: keys.sessions.open(kiosk) })),
    'people.list': call(officeCalls['people.list'], () => peopleView(source.people)),
    'people.add_manager': call(officeCalls['people.add_manager'], async ({ name, pin, by }) =>
      addedView(await source.people.addManager(name, pin, by)),
    ),
    'people.add_cashier': call(officeCalls['people.add_cashier'], async ({ name, employee_ref, badge, by }) =>
      addedView(await source.people.addCashier(name, employee_ref, badge, by)),
    ),
    'people.remove': call(officeCalls['people.remove'], async ({ name, by }) => ({
      removed: await source.people.remove(name, by),
    })),
    'settings.list': call(officeCalls['settings.list'], () => keys.settings.read()),
    'settings.change': call(officeCalls['settings.change'], ({ patch, confirmed, by = null }) =>
      keys.settings.change(patch, { isConfirmed: confirmed, by }),
    ),
    counts: call(officeCalls.counts, () => ({ states: { ...source.counts() } })),
  };

  function reportView({ names, operations, profiles, unreadable }: PersonReport): OfficeAnswer<'customer.show'> {
    return {
      mode: source.settings.mode,
      database: `${source.settings.mode}.sqlite`,
      names: [...names],
      operations: operations.map(personalOperationView),
      profiles: profiles.length,
      unreadable: [...unreadable],
    };
  }

  async function makeToken(given: {
    name: string;
    prefix: string;
    shared: boolean;
    by?: string | undefined;
  }): Promise<OfficeAnswer<'tokens.make'>> {
    const { name, prefix, shared: isShared, by = null } = given;
    const outcome = await keys.tokens.make(name, prefix, { nowMs: keys.nowMs(), isShared, by });
    return outcome.kind === 'made' ? { token: outcome.token, ...outcome.facts } : outcome;
  }

  function named({ external_ref, intent }: { external_ref: string; intent?: string | undefined }) {
    const found = source.operationsByReference(external_ref);
    return intent === undefined ? found : found.filter((operation) => operation.intent === intent);
  }

  async function decide(
    input: Omit<OfficeInput<'queue.resend'>, 'intent'> & { intent?: string | undefined },
    carryOut: (operationId: string, decider: Decider) => Promise<AttentionOutcome>,
  ): Promise<Decided> {
    const { external_ref, reason, person, by = storeItUnnamed } = input;
    // One reference may name a sale and what was done with it: what waits for a person is meant.
    const rows = named(input);
    const waits = ({ state, found }: Operation) => state === 'refused' || state === 'failed' || found !== null;
    const operation = rows.find(waits) ?? rows[0];
    if (operation === undefined) return { external_ref, outcome: 'not_found', operation: null };
    const outcome = await carryOut(operation.operationId, { reason, person, by });
    const shown = 'operation' in outcome ? outcome.operation : operation;
    return { external_ref, outcome: outcome.kind, operation: operationView(shown) };
  }

  return async (name, input) => (isOfficeCall(name) ? handlers[name](input) : { kind: 'unknown_call' });
}

export function personalOperationView(operation: PersonalOperation): ShownPersonalOperation {
  const { externalRef: external_ref, intent, state, savedAtMs, holds, foundBy } = operation;
  return { external_ref, intent, state, saved_at: toInstant(savedAtMs), holds: [...holds], found_by: { ...foundBy } };
}

const diskWords = 'The disk did not take it';

/** A call behind its schema. */
function call<Input extends z.ZodType, Answer extends z.ZodType>(
  shape: { readonly input: Input; readonly answer: Answer },
  answer: (input: z.output<Input>) => z.output<Answer> | Promise<z.output<Answer>>,
): (input: unknown) => Promise<OfficeReply> {
  return async (given) => {
    const input = validate(shape.input, given);
    if (input.kind === 'invalid') return { kind: 'invalid', problems: input.problems };
    try {
      return { kind: 'answered', answer: await answer(input.value) };
    } catch (error) {
      if (!(error instanceof Error) || !isDiskError(error)) throw error;
      return {
        kind: 'not_written',
        message: `${diskWords}: ${error.message}. Free space on the disk, or stop what holds its files, and try again`,
      };
    }
  };
}

function personView({ name, role, employeeRef }: Person) {
  return { name, role, employee_ref: employeeRef };
}

function peopleView(people: OfficeSource['people']): OfficeAnswer<'people.list'> {
  const { changed, missing, isRollWhole } = people.doubts();
  return {
    people: people.list().map(personView),
    doubts: { changed: [...changed], missing: [...missing], is_list_whole: isRollWhole },
  };
}

function addedView(outcome: AddOutcome): OfficeAnswer<'people.add_manager'> {
  if (outcome.kind === 'added') return { person: personView(outcome.person) };
  return { field: outcome.field, problem: outcome.problem };
}

function isOfficeCall(name: string): name is OfficeCallName {
  return Object.hasOwn(officeCalls, name);
}
