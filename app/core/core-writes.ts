import type { Clock } from '../../shared/lib/clock.ts';
import type { Audit } from '../audit/audit-events.ts';
import { notSaved } from '../operations/requests/not-saved.ts';
import type { Approval } from '../operations/reversals/reversal-row.ts';
import { changeWithConsequences } from '../operations/settlement/consequences.ts';
import { cancellation } from '../operations/settlement/settlement.ts';
import type { Store } from '../store/store.ts';
import type { OperationStores } from '../store/tables/operation-stores.ts';
import type { AgentCore } from './agent-core.ts';
import type { CoreEvents } from './core-events.ts';
import type { Carriers } from './create-carriers.ts';

/** What the doors may ask to be done with operations. */
type Writes = Pick<
  AgentCore,
  | 'saveEarn'
  | 'cancel'
  | 'newReference'
  | 'perform'
  | 'heardTheEnd'
  | 'decide'
  | 'reverse'
  | 'resend'
  | 'correct'
  | 'replace'
  | 'writeOff'
  | 'keep'
  | 'takeBack'
  | 'verify'
>;

export function writesOf(parts: {
  readonly carriers: Carriers;
  readonly store: OperationStores & Pick<Store, 'writer'>;
  readonly events: CoreEvents;
  readonly clock: Clock;
  readonly audit: Audit;
}): Writes {
  const { store, events, clock, audit } = parts;
  const { intake, sender, desk, reversals, attention, verifier } = parts.carriers;

  async function thenSend<Outcome extends { readonly kind: string }>(deciding: Promise<Outcome>): Promise<Outcome> {
    const outcome = await deciding;
    if (outcome.kind === 'done') events.sentAgain();
    return outcome;
  }

  function noteUndo(operationId: string, approval: Approval | undefined): void {
    if (approval === undefined) return;
    audit.note({ event: 'decided', decision: 'undo', operation_id: operationId, by: approval.by });
  }

  return {
    async saveEarn(earn) {
      const saving = intake.saveEarn(earn);
      sender.saleComing();
      const outcome = await saving;
      if (outcome.kind === 'saved' && !outcome.duplicate) events.saved([outcome.operation.rowId]);
      else if (outcome.kind === 'not_saved') events.notSaved('sale', outcome);
      return outcome;
    },
    async cancel(operationId, approval) {
      const { operations, writer } = store;
      const found = operations.operationById(operationId);
      if (found === null) return { kind: 'not_found' };
      let changed: readonly number[];
      try {
        changed = await writer.urgent(() => changeWithConsequences(store, cancellation(found, clock.now())));
      } catch (error) {
        return notSaved(error);
      }
      if (changed.length > 0) {
        events.cancelled(changed);
        noteUndo(operationId, approval);
      }
      const operation = operations.operationById(operationId) ?? found;
      return { kind: operation.state === 'cancelled' ? 'cancelled' : 'too_late', operation };
    },
    newReference: (receiptNumber) => intake.newReference(receiptNumber),
    async perform(write, options) {
      const outcome = await desk.perform(write, options);
      if (outcome.kind === 'not_saved') events.notSaved('write', outcome);
      events.callerLeft();
      return outcome;
    },
    heardTheEnd: (rowId) => desk.heardTheEnd(rowId),
    async decide(operationId, decision) {
      const outcome = await desk.decide(operationId, decision);
      events.callerLeft();
      return outcome;
    },
    async reverse(rowId, request) {
      const outcome = await reversals.reverse(rowId, request);
      if (outcome.kind === 'cancelled' || outcome.kind === 'saved')
        events.saved([outcome.original.rowId, outcome.reversal.rowId]);
      else if (outcome.kind === 'irreversible' && outcome.isClosed === true)
        events.cancelled([outcome.operation.rowId]);
      else if (outcome.kind === 'not_saved') events.notSaved('reversal', outcome);
      const isUnderWay = outcome.kind === 'cancelled' || outcome.kind === 'saved' || outcome.kind === 'immediate';
      if (isUnderWay) noteUndo(outcome.original.operationId, request.approval);
      return outcome;
    },
    resend: (operationId, decider) => thenSend(attention.resend(operationId, decider)),
    correct: (operationId, correction, decider) => thenSend(attention.correct(operationId, correction, decider)),
    replace(operationId, decider, receiptNumber = null) {
      const externalRef = receiptNumber === null ? null : intake.newReference(receiptNumber);
      return thenSend(attention.replace(operationId, decider, externalRef));
    },
    takeBack: (operationId, decider) => thenSend(attention.takeBack(operationId, decider)),
    writeOff: (operationId, decider) => attention.writeOff(operationId, decider),
    keep: (operationId, decider) => attention.keep(operationId, decider),
    verify: (request) => verifier.compare(request),
  };
}
