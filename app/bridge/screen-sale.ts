import { z } from 'zod';
import type { Endpoint } from '../../shared/contract/endpoints.ts';
import { currency, positiveMinor, text } from '../../shared/contract/primitives.ts';
import type { Route } from '../../shared/contract/router.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { HandedSale, TakenSale } from '../core/screen-sale.ts';
import { isReferenceFree } from '../operations/settlement/freed-reference.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Failure, Reply } from './answers.ts';
import { invalidInput, jsonAnswer } from './answers.ts';
import { type BridgeHandler, endpointRoute } from './endpoint-route.ts';
import { isOfThisDay } from './of-this-day.ts';
import { referenceOfAnother } from './reach.ts';
import { prefixesOf, unprefixedReference, withoutPrefix } from './reference-prefix.ts';
import type { Caller } from './tokens.ts';
import { statusOf } from './transaction-view.ts';

const path = '/agent/screen/sale';
const nothing = z.object({});

/**
 * The specification's own fields. An unknown field is refused, because otherwise its meaning would be lost silently.
 */
const handOverSchema = z.lazy(() =>
  z.strictObject({
    amount_minor: positiveMinor,
    currency: currency.optional(),
    external_ref: text.optional(),
  }),
);

const handOverCall = {
  method: 'POST',
  path,
  summary: "Hand an amount and its receipt over to the cashier's screen",
  kind: 'write',
  idempotencyKey: false,
  bodyRule: 'required',
  params: nothing,
  query: nothing,
  body: handOverSchema,
  answers: { 200: z.object({}) },
  errors: { 409: ['DUPLICATE_TRANSACTION'] },
} as const satisfies Endpoint;

/** `/v1/agent/screen/sale`: hands over an amount. It is filled in when the cashier has chosen the customer. */
export function screenSaleRoutes(core: AgentCore): readonly Route<BridgeHandler>[] {
  return [
    endpointRoute(core, handOverCall, ({ caller, body }) => handOver(core, caller, body), { isTimed: true }),
    {
      method: 'GET',
      path: `/v1${path}`,
      target: (_request, { caller }) => {
        const sale = core.screenSale.current;
        const own = sale !== null && sale.posName === caller.name ? saleBody(sale) : null;
        const taken = core.screenSale.takenOf(caller.name);
        return jsonAnswerFor(caller, { sale: own, taken: taken === null ? null : takenBody(core, taken) });
      },
    },
    {
      method: 'DELETE',
      path: `/v1${path}`,
      async target(_request, { caller }) {
        await core.screenSale.withdraw(caller.name);
        return { status: 204, headers: {}, body: null };
      },
    },
  ];
}

function handOver(core: AgentCore, caller: Caller, body: z.output<typeof handOverSchema>): Reply {
  const till = core.settings.currency;
  if (body.currency !== undefined && body.currency !== till) {
    return invalidInput([{ field: 'currency', problem: `must be ${till}, the currency of this till` }]);
  }
  const refused = body.external_ref === undefined ? null : takenBefore(core, caller, body.external_ref);
  if (refused !== null) return refused;
  const sale = core.screenSale.handOver({
    amountMinor: body.amount_minor,
    currency: till,
    externalRef: body.external_ref ?? null,
    receiptNumber: body.external_ref === undefined ? null : unprefixedReference(prefixesOf(caller), body.external_ref),
    posName: caller.name,
  });
  return jsonAnswer(200, { sale: saleBody(sale) });
}

/**
 * The failure of a receipt number that is used already. The program learns it at once, because the cashier could not
 * change the number.
 */
function takenBefore(core: AgentCore, caller: Caller, reference: string): Failure | null {
  const another = referenceOfAnother(core, caller, reference);
  if (another !== null) return another;
  // At the screen a number that was left free is taken on its own day alone.
  const isFree = (operation: Operation) => isReferenceFree(core, operation) && isOfThisDay(core, operation);
  const standing = core
    .operationsByReference(reference)
    .find((operation) => operation.intent === 'earn' && !isFree(operation));
  if (standing === undefined) return null;
  const day = isOfThisDay(core, standing) ? null : core.calendar.dateOf(standing.occurredAtMs);
  return {
    status: 409,
    code: 'DUPLICATE_TRANSACTION',
    message: `external_ref ${reference} already stands for a sale of this till${day === null ? '' : ` of ${day}`}; nothing was handed over. Put the date and the till into each reference.`,
    details: ['external_ref', ...(day === null ? [] : [{ first_business_date: day }])],
  };
}

function saleBody(sale: HandedSale): object {
  return {
    amount_minor: sale.amountMinor,
    currency: sale.currency,
    external_ref: sale.externalRef,
    expires_at: toInstant(sale.expiresAtMs),
  };
}

/** What was saved and what was handed over, so that the program can correct its own receipt. */
function takenBody(core: AgentCore, { handed, operationId, amountMinor, externalRef }: TakenSale): object {
  const operation = core.operationById(operationId);
  return {
    status: operation === null ? 'pending' : statusOf(core.standingFor(operation)),
    amount_minor: amountMinor,
    currency: handed.currency,
    external_ref: externalRef,
    handed_over: { amount_minor: handed.amountMinor, external_ref: handed.externalRef },
  };
}

function jsonAnswerFor(caller: Caller, value: object): Reply {
  const answer = jsonAnswer(200, value);
  return answer.body === null ? answer : { ...answer, body: withoutPrefix(prefixesOf(caller), answer.body) };
}
