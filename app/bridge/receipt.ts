import { z } from 'zod';
import type { Endpoint } from '../../shared/contract/endpoints.ts';
import { text } from '../../shared/contract/primitives.ts';
import type { Route } from '../../shared/contract/router.ts';
import { intentInBooks } from '../../shared/machines/operation-intents.ts';
import { locales } from '../../shared/till/locales.ts';
import { paperColumns } from '../config/printer-address.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { receiptOf } from '../receipts/receipt.ts';
import { receiptFacts } from '../receipts/receipt-facts.ts';
import { receiptLines } from '../receipts/receipt-lines.ts';
import { type Failure, jsonAnswer, type Reply } from './answers.ts';
import { type BridgeHandler, type EndpointCall, endpointRoute } from './endpoint-route.ts';
import { sees } from './reach.ts';
import { prefixesOf, unprefixedReference } from './reference-prefix.ts';

const nothing = z.object({});

const receiptCall = {
  method: 'GET',
  path: '/agent/receipt',
  summary: "What a sale brought, for the customer's receipt",
  kind: 'read',
  idempotencyKey: false,
  bodyRule: 'none',
  params: nothing,
  query: z.lazy(() =>
    z.strictObject({
      external_ref: text,
      locale: z.enum([...locales, 'both']).optional(),
      format: z.enum(['json', 'escpos']).default('json'),
      columns: z
        .enum(['32', '42', '48'])
        .transform((columns) => paperColumns.find((one) => String(one) === columns))
        .optional(),
    }),
  ),
  body: nothing,
  answers: { 200: z.object({}) },
  errors: { 404: ['VALIDATION_ERROR'], 409: ['VALIDATION_ERROR'] },
} as const satisfies Endpoint;

/** `GET /v1/agent/receipt?external_ref=`: a POS program prints it on its own receipt. */
export function receiptRoute(core: AgentCore): Route<BridgeHandler> {
  return endpointRoute(core, receiptCall, (call) => answerReceipt(core, call));
}

async function answerReceipt(core: AgentCore, { query, caller }: EndpointCall<typeof receiptCall>): Promise<Reply> {
  // A purchase and a redemption may share a number (spec "GET /transactions").
  const operations = core
    .operationsByReference(query.external_ref)
    .filter((one) => sees(core, caller, one) && ['earn', 'redeem'].includes(intentInBooks[one.intent] ?? ''));
  const [first] = operations;
  if (first === undefined) return unknownReference;
  const { locale = core.settings.locale } = query;
  const reference = unprefixedReference(prefixesOf(caller), first.externalRef);
  const receipts = operations.flatMap((operation) => {
    const facts = receiptFacts(core, core.standingFor(operation), reference);
    return (locale === 'both' ? locales : [locale]).flatMap((one) => receiptOf(facts, one) ?? []);
  });
  if (receipts.length === 0) return notDone;
  if (query.format === 'escpos') {
    const { escposOf } = await import('../receipts/escpos.ts');
    const bytes = await escposOf(receipts, query.columns ?? core.settings.printer.columns);
    const headers = { 'content-type': 'application/vnd.escpos', 'cache-control': 'no-store' };
    return { status: 200, headers, body: null, bytes };
  }
  const lines = receipts.flatMap((receipt, index) => [...(index === 0 ? [] : ['']), ...receiptLines(receipt)]);
  return jsonAnswer(200, { receipt: { locale, lines } });
}

const unknownReference: Failure = {
  status: 404,
  code: 'VALIDATION_ERROR',
  message: 'This agent has no sale of that external_ref.',
  details: ['transaction_not_found'],
};

const notDone: Failure = {
  status: 409,
  code: 'VALIDATION_ERROR',
  message: 'The sale of that external_ref was not done: it has no receipt.',
  details: ['not_done'],
};
