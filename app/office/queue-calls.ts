import { z } from 'zod';
import { freeText, text } from '../../shared/contract/primitives.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { activityInputSchema, activityPartSchema, operationDetailSchema } from '../../shared/till/activity-views.ts';
import { differences } from '../../shared/till/verify-names.ts';
import { connectionSchema, operationViewSchema } from '../../shared/till/views.ts';
import type { AttentionOutcome, Decider } from '../operations/attention-outcome.ts';
import type { Operation } from '../store/schema/operation.ts';
import { activityPart, operationDetail } from '../till/activity.ts';
import { operationView } from '../till/operation-view.ts';
import { asker, type OfficeSource, officeCall, storeItUnnamed } from './office-call.ts';

const named = { external_ref: text, intent: z.string().optional() };

/** `person`: as typed; nobody has asked for a PIN. */
const decision = z.object({ ...asker, ...named, reason: freeText, person: freeText.nullable() });
/** `occurred_at`: when a sale took place that was refused for its time. */
const resending = decision.extend({ occurred_at: z.iso.datetime().optional() });

const decided = z.object({
  external_ref: z.string(),
  /** `done`, or why nothing was changed. */
  outcome: z.enum(['done', 'not_now', 'books_unread', 'not_found', 'not_saved', 'invalid']),
  operation: operationViewSchema.nullable(),
});
export type Decided = z.output<typeof decided>;

/** What store IT asks of the operations, and decides about those that wait for a person. */
export const queueCalls = {
  'queue.list': officeCall({
    input: activityInputSchema,
    answer: activityPartSchema,
    reply: (input, { source }) => activityPart(source, input),
  }),
  'queue.show': officeCall({
    input: z.object(named),
    answer: z.object({ operations: z.array(operationDetailSchema) }),
    reply: (input, { source }) => ({
      operations: operationsNamed(input, source).map((operation) => operationDetail(source, operation)),
    }),
  }),
  'queue.resend': decisionCall(resending, (source, operationId, decider, { occurred_at }) =>
    source.resend(operationId, {
      ...decider,
      ...(occurred_at !== undefined && { occurredAtMs: Date.parse(occurred_at) }),
    }),
  ),
  'queue.write_off': decisionCall(decision, (source, operationId, decider) => source.writeOff(operationId, decider)),
  'queue.keep': decisionCall(decision, (source, operationId, decider) => source.keep(operationId, decider)),
  'queue.take_back': decisionCall(decision, (source, operationId, decider) => source.takeBack(operationId, decider)),
  'line.try': officeCall({
    input: z.object({}),
    answer: z.object({ connection: connectionSchema.nullable() }),
    reply: async (_, { source }) => ({ connection: await source.tryLine() }),
  }),
  /** A part of the operations that were applied or taken back, compared with the service's books. */
  verify: officeCall({
    input: z.object({
      since: z.iso.datetime(),
      until: z.iso.datetime(),
      after_row: z.int().min(0).default(0),
      resend: z.boolean().default(false),
    }),
    answer: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('part'),
        checked: z.int(),
        erased: z.int(),
        of_another_key: z.int(),
        differences: z.array(
          z.object({ operation: operationViewSchema, difference: z.enum(differences), resent: z.boolean() }),
        ),
        after_row: z.int().nullable(),
      }),
      z.object({ kind: z.literal('out_of_reach') }),
    ]),
    async reply({ since, until, after_row, resend }, { source }) {
      const [sinceMs, untilMs] = [Date.parse(since), Date.parse(until)];
      const part = await source.verify({ sinceMs, untilMs, afterRowId: after_row, resend });
      if (part.kind === 'out_of_reach') return part;
      const { kind, checked, erased, ofAnotherKey, afterRowId } = part;
      const differences = part.differences.map((one) => ({ ...one, operation: operationView(one.operation) }));
      return { kind, checked, erased, of_another_key: ofAnotherKey, differences, after_row: afterRowId };
    },
  }),
  counts: officeCall({
    input: z.object({}),
    answer: z.object({ states: z.record(z.enum(operationStates), z.int()) }),
    reply: (_, { source }) => ({ states: { ...source.counts() } }),
  }),
};

/** What a person decides about an operation that waits for one. */
function decisionCall<Asked extends z.output<typeof decision>>(
  input: z.ZodType<Asked>,
  carryOut: (source: OfficeSource, operationId: string, decider: Decider, asked: Asked) => Promise<AttentionOutcome>,
) {
  return officeCall({
    input,
    answer: decided,
    async reply(asked, { source }): Promise<Decided> {
      const { external_ref, reason, person, by = storeItUnnamed } = asked;
      // One reference may name a sale and what was done with it: what waits for a person is meant.
      const rows = operationsNamed(asked, source);
      const waits = ({ state, found }: Operation) => state === 'refused' || state === 'failed' || found !== null;
      const operation = rows.find(waits) ?? rows[0];
      if (operation === undefined) return { external_ref, outcome: 'not_found', operation: null };
      const outcome = await carryOut(source, operation.operationId, { reason, person, by }, asked);
      const shown = 'operation' in outcome ? outcome.operation : operation;
      return { external_ref, outcome: outcome.kind, operation: operationView(shown) };
    },
  });
}

function operationsNamed(
  { external_ref, intent }: { readonly external_ref: string; readonly intent?: string | undefined },
  source: Pick<OfficeSource, 'operationsByReference'>,
): readonly Operation[] {
  const found = source.operationsByReference(external_ref);
  return intent === undefined ? found : found.filter((operation) => operation.intent === intent);
}
