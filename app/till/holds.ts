import { z } from 'zod';
import { fieldOf, isOther } from '../../shared/contract/differing-fields.ts';
import { endpoints, fillPath } from '../../shared/contract/endpoints.ts';
import { reserveRequestSchema } from '../../shared/contract/reservation.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { TillAnswer, TillReply } from '../../shared/till/api.ts';
import { holdCommands } from '../../shared/till/hold-commands.ts';
import type { HoldView } from '../../shared/till/hold-views.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Hold } from '../operations/days/holds.ts';
import type { ImmediateOutcome } from '../operations/immediate/immediate-outcome.ts';
import { askedReference, referenceOfEach } from '../operations/requests/asked-reference.ts';
import { parsedBody } from '../operations/requests/row-request.ts';
import type { NonEarnWrite } from '../operations/requests/write.ts';
import type { Operation } from '../store/schema/operation.ts';
import { command, type Handlers } from './command.ts';
import { withinLimits } from './limits.ts';
import { identifierHint, operationView } from './operation-view.ts';
import { failed, succeeded } from './replies.ts';
import { notDone, type Presser, tillWait } from './writes.ts';

type Input<C extends keyof typeof holdCommands> = z.output<(typeof holdCommands)[C]['input']>;
type Core = Pick<AgentCore, 'people' | 'holds' | 'perform' | 'newReference' | 'operationById' | 'sentRequest'>;
type HoldsReply = TillReply<{ holds: HoldView[] }>;

/** The commands of holds for an order. @param pressed the current cashier */
export function holdHandlers(core: Core, pressed: () => Presser): Handlers<keyof typeof holdCommands> {
  return {
    'hold.list': command(holdCommands['hold.list'], () => listHolds(core)),
    'hold.reserve': command(holdCommands['hold.reserve'], (input) => reserve(core, input, pressed())),
    'hold.again': command(holdCommands['hold.again'], (input) => reserveAgain(core, input, pressed())),
    'hold.commit': command(holdCommands['hold.commit'], (input) => commit(core, input, pressed())),
    'hold.release': command(holdCommands['hold.release'], (input) => release(core, input, pressed())),
  };
}

function listHolds(core: Core): HoldsReply {
  return succeeded({ holds: core.holds().map(holdView) });
}

/**
 * Holds. A repeated press gets the first one's hold, even when the values differ now. When that hold is over, nothing is
 * held, and the caller needs another id to hold again; when the cart's hold was over before the press, another number.
 */
export async function reserve(
  core: Core,
  input: Input<'hold.reserve'>,
  by: Presser = {},
): Promise<TillReply<TillAnswer<'hold.reserve'>>> {
  const { operation_id, customer_name, cart_number, pin, ...request } = input;
  const hold = (approvedBy?: string) => {
    const earlier = core.operationById(operation_id);
    const cartRef = earlier === null ? core.newReference(cart_number ?? null) : askedReference(earlier);
    const body = reserveRequestSchema.parse({ ...request, external_ref: cartRef });
    const write = { ...reserveWrite(operation_id, body, customer_name), ...by };
    return core.perform(approvedBy === undefined ? write : { ...write, approvedBy }, tillWait);
  };
  return withinLimits(core, pin, hold, (outcome) => {
    const reply = withOperation(core, outcome, 'cart_number');
    if (!reply.ok) return reply;
    if (outcome.kind === 'done' && isOther('reserved', fieldOf(outcome.answer, 'state'))) return numberUsed;
    const duplicate = outcome.kind === 'done' && outcome.duplicate;
    return duplicate && isOver(reply.value, operation_id) ? holdOver : succeeded({ ...reply.value, duplicate });
  });
}

function isOver({ holds }: TillAnswer<'hold.list'>, holdId: string): boolean {
  const hold = holds.find(({ hold_id }) => hold_id === holdId);
  return hold === undefined || hold.state === 'expired';
}

/** The service holds nothing, and tells of the cart's first hold at each press: only another number helps. */
const numberUsed = failed('refused', 'The hold under this cart’s number is over, and nothing is held.', {
  service_code: 'DUPLICATE_TRANSACTION',
  details: ['state'],
});

const holdOver = failed('refused', 'The hold of this operation is over, and nothing is held.', {
  service_code: 'DUPLICATE_TRANSACTION',
  details: ['hold_over'],
});

/** Holds the same value for the same cart again. With the hold's own id it asks what became of that hold. */
async function reserveAgain(
  core: Core,
  { operation_id, hold_id }: Input<'hold.again'>,
  by: Presser,
): Promise<HoldsReply> {
  const before = core.operationById(hold_id);
  const sent = before === null ? null : core.sentRequest(before.rowId);
  const body = reserveRequestSchema.safeParse(parsedBody(sent?.body ?? null));
  if (before === null || !body.success) return noSuchHold;
  const write = { ...reserveWrite(operation_id, body.data, before.customerName), ...by };
  return afterwards(core, await core.perform(write, tillWait));
}

/** Spends a hold, because the order is paid. */
async function commit(
  core: Core,
  { operation_id, hold_id, order_number }: Input<'hold.commit'>,
  by: Presser,
): Promise<TillReply<TillAnswer<'hold.commit'>>> {
  const write = commitWrite(core, operation_id, hold_id, order_number ?? null);
  if (write === null) return noSuchHold;
  return withOperation(core, await core.perform({ ...write, ...by }, tillWait), 'order_number');
}

async function release(core: Core, { operation_id, hold_id }: Input<'hold.release'>, by: Presser): Promise<HoldsReply> {
  const write = releaseWrite(core, operation_id, hold_id);
  return write === null ? noSuchHold : afterwards(core, await core.perform({ ...write, ...by }, tillWait));
}

function reserveWrite(
  operationId: string,
  body: z.output<typeof reserveRequestSchema>,
  customerName: string | null,
): NonEarnWrite {
  return {
    ...ours(operationId),
    intent: 'reserve',
    path: endpoints.reserve.path,
    body,
    externalRef: referenceOfEach(body.external_ref, operationId),
    identifier: body.identifier,
    customerName,
  };
}

const commitBody = z.object({ external_ref: z.string() });

function commitWrite(core: Core, operationId: string, holdId: string, orderNumber: string | null): NonEarnWrite | null {
  const earlier = pressedBefore(core, operationId, 'commit');
  if (earlier !== null) return { ...earlier, body: commitBody.parse({ external_ref: earlier.externalRef }) };
  const hold = heldAs(core, holdId);
  if (hold === null) return null;
  const externalRef = core.newReference(orderNumber);
  return {
    ...ours(operationId),
    intent: 'commit',
    path: fillPath(endpoints.commit.path, { reservation_id: hold.reservationId }),
    body: { external_ref: externalRef },
    externalRef,
    customerName: hold.reserve.customerName,
  };
}

function releaseWrite(core: Core, operationId: string, holdId: string): NonEarnWrite | null {
  const earlier = pressedBefore(core, operationId, 'release');
  if (earlier !== null) return earlier;
  const hold = heldAs(core, holdId);
  if (hold === null) return null;
  return {
    ...ours(operationId),
    intent: 'release',
    path: fillPath(endpoints.release.path, { reservation_id: hold.reservationId }),
    externalRef: referenceOfEach(hold.reservationId, operationId),
    customerName: hold.reserve.customerName,
  };
}

/** The fields that every write of a hold gets here. */
function ours(operationId: string) {
  return {
    origin: 'till',
    operationId,
    body: null,
    identifier: null,
    idempotencyKey: null,
    reversesRowId: null,
  } as const;
}

/** Finds the write of an earlier press, even when the hold is over by now. */
function pressedBefore(core: Core, operationId: string, intent: 'commit' | 'release'): NonEarnWrite | null {
  const row = core.operationById(operationId);
  const sent = row === null ? null : core.sentRequest(row.rowId);
  if (row?.intent !== intent || sent === null) return null;
  const { externalRef, customerName } = row;
  return { ...ours(operationId), intent, path: sent.path, externalRef, customerName };
}

function heldAs(core: Core, holdId: string): { readonly reserve: Operation; readonly reservationId: string } | null {
  const hold = core.holds().find(({ reserve: { operationId } }) => operationId === holdId);
  if (hold?.reservation === undefined || hold.reservation === null) return null;
  return { reserve: hold.reserve, reservationId: hold.reservation.reservation_id };
}

const noSuchHold = failed('operation_not_found', 'There is no hold with this id.');

function withOperation(core: Core, outcome: ImmediateOutcome, numberField: 'cart_number' | 'order_number') {
  return outcome.kind === 'done' || outcome.kind === 'unknown'
    ? succeeded({ holds: core.holds().map(holdView), operation: operationView(outcome.operation) })
    : notDone(outcome, numberField);
}

function afterwards(core: Core, outcome: ImmediateOutcome): HoldsReply {
  return outcome.kind === 'done' || outcome.kind === 'unknown' ? listHolds(core) : notDone(outcome, 'cart_number');
}

function holdView({ reserve, cartRef, state, reservation, closing }: Hold): HoldView {
  const { identifier } = reserve;
  // When the cart had a hold already, the service answers with that hold. Its value counts, not the requested one.
  const { points, amount_minor, discount_value_minor, currency, card_id } = reservation ?? {
    points: reserve.points,
    amount_minor: reserve.amountMinor,
    discount_value_minor: null,
    currency: reserve.currency,
    card_id: reserve.cardId,
  };
  return {
    hold_id: reserve.operationId,
    state,
    customer_name: reserve.customerName,
    identifier_hint: identifier === null ? null : identifierHint(identifier.kind, identifier.value),
    card_id,
    points,
    amount_minor,
    discount_value_minor,
    currency,
    cart_ref: cartRef,
    expires_at: reservation === null ? null : toInstant(Date.parse(reservation.expires_at)),
    closing: closing === null ? null : closing.intent === 'commit' ? 'commit' : 'release',
    closing_id: closing?.operationId ?? null,
  };
}
