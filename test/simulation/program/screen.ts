import type { AgentCore } from '../../../app/core/agent-core.ts';
import type { Operation } from '../../../app/store/schema/operation.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import type { Asked } from '../facts.ts';
import type { Run } from '../world/till.ts';
import { beginAsking, noteAsking, noteTold, type Place, tagOf } from './asking.ts';
import { toldOfCancelling, toldOfReversal, toldOfSale, toldOfWaiting } from './read-told.ts';
import { keptValues, type StepKind } from './steps.ts';

type StepOf<Kind extends StepKind['kind']> = Extract<StepKind, { readonly kind: Kind }>;

/** How long a cashier waits for an undo. */
const undoPatienceMs = 30_000;

/** The id of a press, as the screen makes it when its dialog opens. */
function pressId(group: number, { till, step }: Place): string {
  return `00000000-0000-4000-8${group}00-${till.name.charCodeAt(0)}${String(step).padStart(10, '0')}`;
}

/** A sale at the screen; it may be taken back before it was sent. */
export async function earnAtScreen(place: Place, step: StepOf<'screen_earn'>): Promise<void> {
  const { world, till } = place;
  const { run } = till;
  if (run === null || till.isPractising) return;
  const { ref, loyaltyId, values } = step;
  const asked = beginAsking(place, { kind: 'earn', by: 'screen', ref, loyaltyId, values: keptValues(values) });
  noteAsking(place, asked);
  const outcome = await run.core.saveEarn({
    origin: 'till',
    operationId: pressId(1, place),
    request: { identifier: { loyalty_id: loyaltyId }, external_ref: ref, ...values, employee_ref: tagOf(place) },
    customerName: null,
    receiptNumber: null,
    idempotencyKey: null,
  });
  if (run.life.isOver) return;
  noteTold(place, asked, toldOfSale(outcome, world.scheduler.nowMs));
  if (outcome.kind !== 'saved' || outcome.duplicate || step.cancelAfterMs === null) return;
  await world.scheduler.sleep(step.cancelAfterMs);
  if (run.life.isOver) return;
  const undo = beginAsking(place, { kind: 'reverse', by: 'screen', ref, originalIntent: 'earn' });
  noteAsking(place, undo);
  const cancelled = await run.core.cancel(outcome.operation.operationId);
  if (run.life.isOver) return;
  // Too late: nobody was told that it was taken back.
  noteTold(place, undo, toldOfCancelling(cancelled, world.scheduler.nowMs));
}

/** A redemption at the screen; while its outcome is not known, the cashier may decide. */
export async function redeemAtScreen(place: Place, step: StepOf<'screen_redeem'>): Promise<void> {
  const { world, till } = place;
  const { run } = till;
  if (run === null || till.isPractising) return;
  const { ref, loyaltyId, values } = step;
  const identifier = { loyalty_id: loyaltyId };
  const asked = beginAsking(place, { kind: 'redeem', by: 'screen', ref, loyaltyId, values: keptValues(values) });
  noteAsking(place, asked);
  const operationId = pressId(2, place);
  const doing = run.core.perform(
    {
      origin: 'till',
      operationId,
      intent: 'redeem',
      path: endpoints.redeem.path,
      body: { identifier, external_ref: ref, ...values, employee_ref: tagOf(place) },
      externalRef: ref,
      identifier,
      customerName: null,
      idempotencyKey: null,
      reversesRowId: null,
    },
    { waitMs: step.waitMs },
  );
  const told = doing.then((outcome) => {
    if (!run.life.isOver) noteTold(place, asked, toldOfWaiting(outcome, world.scheduler.nowMs));
  });
  await Promise.all([told, decide(place, step, { run, asked, operationId })]);
}

async function decide(
  { world, till, step }: Place,
  { decision, decideAfterMs }: StepOf<'screen_redeem'>,
  { run, asked, operationId }: { readonly run: Run; readonly asked: Asked; readonly operationId: string },
): Promise<void> {
  if (decision === null) return;
  await world.scheduler.sleep(decideAfterMs);
  if (run.life.isOver || till.run !== run) return;
  const state = run.core.operationById(operationId)?.state;
  if (state !== 'sending' && state !== 'unknown') return;
  if (decision === 'take_full_payment') asked.wasFullPaymentAsked = true;
  const outcome = await run.core.decide(operationId, decision);
  if (run.life.isOver) return;
  world.scheduler.trace(`told ${till.name} #${step} ${decision} ${asked.ref}: ${outcome.kind}`);
  world.marks.sometimes(`decision: ${decision} ${outcome.kind}`);
  if (outcome.kind === 'decided') asked.decision = decision;
}

export async function reverseAtScreen(place: Place, step: StepOf<'reverse'>): Promise<void> {
  const { world, till } = place;
  const { run } = till;
  if (run === null || till.isPractising) return;
  const { ref, intent } = step;
  const original = run.core
    .operationsByReference(ref)
    .find((found) =>
      intent === 'earn' ? found.intent === 'earn' : found.intent === 'redeem' || found.intent === 'commit',
    );
  if (original === undefined) return;
  const asked = beginAsking(place, { kind: 'reverse', by: 'screen', ref, originalIntent: intent });
  noteAsking(place, asked);
  const outcome = await run.core.reverse(original.rowId, {
    origin: 'till',
    operationId: pressId(3, place),
    reversalRef: null,
    reason: tagOf(place),
    idempotencyKey: null,
  });
  if (run.life.isOver) return;
  if (outcome.kind !== 'immediate') {
    noteTold(place, asked, toldOfReversal(outcome, world.scheduler.nowMs));
    return;
  }
  const done = await run.core.perform(outcome.write, { waitMs: undoPatienceMs });
  if (!run.life.isOver) noteTold(place, asked, toldOfWaiting(done, world.scheduler.nowMs));
}

/** A card that takes every sale: what a manager types in place of one that was refused. */
const correctedLoyaltyId = 'LC-1001';

/** A manager decides over an operation that needs attention. */
export async function decideAttention({ world, till }: Place, step: StepOf<'decide_attention'>): Promise<void> {
  const { run } = till;
  if (run === null || till.isPractising) return;
  const waiting = run.core.needingAttention({ limit: 100 });
  const operation = waiting[Math.floor(step.which * waiting.length)];
  if (operation === undefined) return;
  till.seenByManager.add(operation.externalRef);
  const original = operation.reversesRowId === null ? null : run.core.operation(operation.reversesRowId);
  if (original !== null) till.seenByManager.add(original.externalRef);
  const outcome = await decided(run.core, operation, step.decision);
  if (run.life.isOver) return;
  world.scheduler.trace(`told ${till.name} manager ${step.decision} ${operation.externalRef}: ${outcome}`);
  world.marks.sometimes(`manager: ${step.decision} of ${operation.state} ${outcome}`);
}

async function decided(
  core: AgentCore,
  { operationId, state }: Operation,
  decision: StepOf<'decide_attention'>['decision'],
): Promise<string> {
  const who = { person: 'manager', reason: 'as seen' };
  if (decision === 'write_off') return (await core.writeOff(operationId, who)).kind;
  if (state === 'failed') return (await core.replace(operationId, who)).kind;
  if (decision === 'resend') return (await core.resend(operationId, who)).kind;
  const identifier = { loyalty_id: correctedLoyaltyId };
  return (await core.correct(operationId, { identifier }, who)).kind;
}
