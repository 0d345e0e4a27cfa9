import type { CallOutcome } from '../../app/client/outcome.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import type { AgentChange, AgentCore, AgentStatus } from '../../app/core/agent-core.ts';
import { ScreenSale } from '../../app/core/screen-sale.ts';
import type { AttentionOutcome } from '../../app/operations/attention-outcome.ts';
import type { DayCommands } from '../../app/operations/days/day-books.ts';
import type { Hold } from '../../app/operations/days/holds.ts';
import type { DecideOutcome, ImmediateOutcome } from '../../app/operations/immediate/immediate-outcome.ts';
import type { CancelOutcome, NewEarn, SaveOutcome } from '../../app/operations/intake/save-outcome.ts';
import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { ReverseOutcome } from '../../app/operations/reversals/reversals.ts';
import type { VerifyPart } from '../../app/operations/watch/verifier.ts';
import type { PeopleCommands } from '../../app/people/people.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { ActivityPart } from '../../app/store/tables/activity.ts';
import type { HourlyCounts } from '../../app/store/tables/hour-counts.ts';
import type { ErasedProfiles } from '../../app/store/tables/kept-profile-store.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import { identifierEntry } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Transaction, TransactionList, TransactionPage } from '../../shared/contract/transaction.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { type OperationState, operationStates } from '../../shared/machines/operation.ts';
import type { Connection } from '../../shared/till/views.ts';
import { noDays, noPeople, noPersons } from './fake-nothing.ts';
import { fakeNowMs, fakeOperation, noOperations, offlineOutcome } from './fake-records.ts';
import type { SettingsInput } from './fake-settings.ts';

const clock: Clock = { now: () => fakeNowMs, monotonicMs: () => 0, setTimer: () => () => undefined };

/** A core that holds its operations in memory; what the service would say is set by the test. */
export class FakeCore implements AgentCore {
  servedAtMs = (): number | null => null;

  readonly clock = clock;
  readonly machineClock = clock;
  readonly referencePrefixes = { current: '', older: [] };
  readonly calendar = { dateOf: () => '2026-11-20' };
  readonly firstUses = [];
  readonly cards: AgentCore['cards'] = { gainOf: () => null, goals: () => [] };
  readonly screenSale = new ScreenSale({ clock, newId: () => crypto.randomUUID(), onChanged: () => undefined });
  readonly settings;
  readonly people: PeopleCommands = noPeople;
  readonly days: DayCommands = noDays;
  readonly operations: Operation[] = [];
  readonly saved: NewEarn[] = [];
  readonly kept = new Map<string, CustomerProfile>();
  readonly #listeners = new Set<(change: AgentChange) => void>();
  readonly #emitted = new Map<number, Operation>();
  closed = false;
  repeat: Operation | null = null;
  /** Answers the next saves instead of saving. */
  saveOutcome: SaveOutcome | null = null;
  cancelOutcome: CancelOutcome | null = null;
  identifyOutcome: CallOutcome<CustomerProfile> = offlineOutcome;
  transactionOutcome: CallOutcome<Transaction> = offlineOutcome;
  listOutcome: CallOutcome<TransactionList> = offlineOutcome;
  historyOutcome: CallOutcome<TransactionPage> = offlineOutcome;
  fault: Error | null = null;

  constructor(settings: SettingsInput = {}) {
    this.settings = settingsSchema.parse(settings);
  }

  async saveEarn(earn: NewEarn): Promise<SaveOutcome> {
    if (this.fault !== null) throw this.fault;
    if (this.saveOutcome !== null) return this.saveOutcome;
    this.saved.push(earn);
    const same = this.operationById(earn.operationId);
    if (same !== null) return { kind: 'saved', operation: same, duplicate: true };
    const externalRef = earn.request.external_ref ?? `main-till1-${earn.receiptNumber ?? this.operations.length + 1}`;
    const first = this.operations.find((row) => row.externalRef === externalRef);
    if (first !== undefined) {
      if (first.amountMinor === (earn.request.amount_minor ?? null)) {
        return { kind: 'saved', operation: first, duplicate: true };
      }
      return { kind: 'reference_taken', operation: first, differingFields: ['amount_minor'], firstBusinessDate: null };
    }
    const operation = fakeOperation({
      rowId: this.operations.length + 1,
      operationId: earn.operationId,
      transactionId: `txn_local_${this.operations.length + 1}`,
      origin: earn.origin,
      posName: earn.posName ?? null,
      externalRef,
      identifier: identifierEntry(earn.request.identifier),
      customerName: earn.customerName,
      cardId: earn.request.card_id ?? null,
      amountMinor: earn.request.amount_minor ?? null,
      points: earn.request.points ?? null,
      stamps: earn.request.stamps ?? null,
      visits: earn.request.visits ?? null,
    });
    this.operations.push(operation);
    return { kind: 'saved', operation, duplicate: false };
  }

  async cancel(operationId: string): Promise<CancelOutcome> {
    if (this.cancelOutcome !== null) return this.cancelOutcome;
    const operation = this.operationById(operationId);
    if (operation === null) return { kind: 'not_found' };
    if (operation.state !== 'queued') return { kind: 'too_late', operation };
    return { kind: 'cancelled', operation: this.change(operation.rowId, { state: 'cancelled' }) };
  }

  newReference(receiptNumber: string | null): string {
    return `main-till1-${receiptNumber ?? 'next'}`;
  }

  immediateOutcome: ImmediateOutcome = { kind: 'not_sent', cause: 'offline', retryAfterMs: null, message: 'no line' };
  readonly performed: NonEarnWrite[] = [];
  async perform(write: NonEarnWrite): Promise<ImmediateOutcome> {
    this.performed.push(write);
    return this.immediateOutcome;
  }

  heardTheEnd(): void {}

  decideOutcome: DecideOutcome = { kind: 'not_found' };
  async decide(): Promise<DecideOutcome> {
    return this.decideOutcome;
  }

  readonly openHolds: Hold[] = [];
  holds(): readonly Hold[] {
    return this.openHolds;
  }

  reverseOutcome: ReverseOutcome = { kind: 'not_saved', message: 'not set by the test' };
  async reverse(): Promise<ReverseOutcome> {
    return this.reverseOutcome;
  }

  attentionOutcome: AttentionOutcome = { kind: 'not_found' };
  needingAttention(): readonly Operation[] {
    return this.operations.filter(({ state }) => state === 'refused' || state === 'failed');
  }

  async resend(): Promise<AttentionOutcome> {
    return this.attentionOutcome;
  }

  async correct(): Promise<AttentionOutcome> {
    return this.attentionOutcome;
  }

  async replace(): Promise<AttentionOutcome> {
    return this.attentionOutcome;
  }

  async writeOff(): Promise<AttentionOutcome> {
    return this.attentionOutcome;
  }

  async tryLine(): Promise<Connection> {
    return this.status().connection;
  }

  async verify(): Promise<VerifyPart> {
    return { kind: 'out_of_reach' };
  }

  async keep(): Promise<AttentionOutcome> {
    return this.attentionOutcome;
  }

  async takeBack(): Promise<AttentionOutcome> {
    return this.attentionOutcome;
  }

  originalOf(externalRef: string, intent: 'earn' | 'redeem') {
    const operation = this.operations.find((row) => row.externalRef === externalRef && row.intent === intent);
    return operation === undefined ? null : { operation, named: operation, stands: true, gaveWay: false };
  }
  passedOnReversals(): readonly Operation[] {
    return [];
  }
  standingFor(operation: Operation): Operation {
    return operation;
  }
  reversalOf(rowId: number): Operation | null {
    return this.operations.find(({ reversesRowId }) => reversesRowId === rowId) ?? null;
  }

  operation(rowId: number): Operation | null {
    return this.#emitted.get(rowId) ?? this.operations.find((row) => row.rowId === rowId) ?? null;
  }

  /** Replaces part of a row, as the engine would. */
  change(rowId: number, part: Partial<Operation>): Operation {
    const index = this.operations.findIndex((row) => row.rowId === rowId);
    const changed = fakeOperation({ ...this.operations[index], ...part });
    this.operations[index] = changed;
    return changed;
  }

  findRepeat(): Operation | null {
    return this.repeat;
  }

  operationById(operationId: string): Operation | null {
    return this.operations.find((row) => row.operationId === operationId) ?? null;
  }

  operationByTransactionId(id: string): Operation | null {
    return this.operations.find((row) => row.transactionId === id || row.serviceTransactionId === id) ?? null;
  }

  operationsByServiceTransactionId(id: string): readonly Operation[] {
    return this.operations.filter((row) => row.serviceTransactionId === id);
  }

  operationsByReference(externalRef: string): readonly Operation[] {
    return this.operations.filter((row) => row.externalRef === externalRef);
  }

  enrollmentsUnder(): readonly Operation[] {
    return [];
  }

  recentOperations({ limit }: { readonly limit: number }): readonly Operation[] {
    return this.operations.toReversed().slice(0, limit);
  }

  redemptionsToMind(): readonly Operation[] {
    return this.operations.filter(({ intent }) => intent === 'redeem');
  }

  activity(): ActivityPart {
    return { operations: this.operations.toReversed(), beforeRowId: null };
  }

  triesBefore(): number {
    return 0;
  }
  sentRequest(): null {
    return null;
  }

  counts(): Readonly<Record<OperationState, number>> {
    const counts = Object.fromEntries(operationStates.map((state) => [state, 0])) as Record<OperationState, number>;
    for (const { state } of this.operations) counts[state] += 1;
    return counts;
  }

  history(): [] {
    return [];
  }

  async identify(): Promise<CallOutcome<CustomerProfile>> {
    return this.identifyOutcome;
  }

  readonly persons = noPersons;

  async eraseKeptProfiles(): Promise<ErasedProfiles> {
    const { size } = this.kept;
    this.kept.clear();
    return { erased: size, notReached: [] };
  }

  keptProfile(identifier: Identifier): CustomerProfile | null {
    return this.kept.get(identifierEntry(identifier).value) ?? null;
  }

  async lastTransactions(): Promise<null> {
    return null;
  }

  operationsOfCustomer(): readonly Operation[] {
    return [];
  }

  async readTransaction(): Promise<CallOutcome<Transaction>> {
    return this.transactionOutcome;
  }

  async readTransactionsByReference(): Promise<CallOutcome<TransactionList>> {
    return this.listOutcome;
  }

  async whoseRecord(): Promise<'ours'> {
    return 'ours';
  }

  async agreesWith(): Promise<boolean> {
    return true;
  }

  async readHistory(): Promise<CallOutcome<TransactionPage>> {
    return this.historyOutcome;
  }

  hourlyCounts(): HourlyCounts {
    return { hours: [], isPartial: false };
  }

  lineHistory(): [] {
    return [];
  }

  status(): AgentStatus {
    return {
      mode: 'sandbox',
      connection: { state: 'online', cause: null, since: '2026-11-20T18:00:00.000Z' },
      operations: { ...noOperations, queued: this.operations.length },
      oldestWaitingAtMs: this.operations[0]?.savedAtMs ?? null,
      windowHours: 72,
      windowEndsAtMs: this.operations.length > 0 ? fakeNowMs + 259_000_000 : null,
      windowSecondsLeft: this.operations.length > 0 ? 259_000 : null,
      clockSkewMs: 12,
      deviceId: 'dev_1',
      serviceBaseUrl: 'http://sandbox.local/v1',
      lastAnswerAtMs: fakeNowMs,
      notices: [],
    };
  }

  onChange(listener: (change: AgentChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Tells of an operation that need not be in the list of all. */
  emitOperation(operation: Operation): void {
    this.#emitted.set(operation.rowId, operation);
    this.emit({ type: 'operation', rowId: operation.rowId });
  }

  emit(change: AgentChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  wake(): void {}

  async close(): Promise<void> {
    this.closed = true;
  }
}
