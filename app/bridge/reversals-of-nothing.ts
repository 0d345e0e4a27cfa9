import { intentInBooks } from '../../shared/machines/operation-intents.ts';
import type { Unknown } from '../client/outcome.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Reply } from './answers.ts';
import { outcomeUnknown } from './immediate-answers.ts';
import { passOnByReference, type ReversalByReference, standingUnder, unread } from './passed-on-reversals.ts';
import { referenceOfAnother } from './reach.ts';

type Core = Parameters<typeof passOnByReference>[0] & Pick<AgentCore, 'agreesWith'>;

/**
 * Reverses what came to nothing at this till, as far as it knows: the service may hold it all the same. The books are read
 * first, because another till may have used the number for a quite different sale, which its caller does not mean.
 *
 * @param whenNotThere answers that it never succeeded
 */
export async function passOnOfNothing(
  core: Core,
  call: ReversalByReference,
  facts: {
    readonly reversalRef: string;
    readonly operationId: string;
    readonly whenNotThere: () => Promise<Reply>;
  },
): Promise<Reply> {
  const { reversalRef, operationId, whenNotThere } = facts;
  const another = referenceOfAnother(core, call.caller, reversalRef);
  if (another !== null) return another;
  const passOn = () => passOnByReference(core, call, { reversalRef, operationId, whenUnknown: whenNotThere });
  const [earlier = null] = standingUnder(core, reversalRef);
  if (earlier !== null && isDone(earlier)) return passOn();
  const there = await heldThere(core, call.body);
  if (typeof there === 'object') return unread(there, earlier);
  if (there === 'none_or_agreeing') return passOn();
  // Sent once more, the earlier one would take back the other till's.
  return earlier === null ? whenNotThere() : outcomeUnknown(earlier);
}

function isDone({ state }: Operation): boolean {
  return state === 'accepted' || state === 'applied';
}

/** What the service holds under a reference, beside what came to nothing here. */
async function heldThere(
  core: Core,
  { external_ref: externalRef, intent }: ReversalByReference['body'],
): Promise<'none_or_agreeing' | 'anothers' | Unknown> {
  // What it does not list is taken for nothing: the reversal would take back whatever stands there.
  const books = await core.readTransactionsByReference(externalRef, { countedOn: intent });
  if (books.kind === 'unknown') return books;
  const held = books.kind === 'done' ? books.answer.data.filter((record) => record.intent === intent) : [];
  if (held.length === 0) return 'none_or_agreeing';
  const ours = core
    .operationsByReference(externalRef)
    .filter((operation) => intentInBooks[operation.intent] === intent);
  for (const record of held) {
    for (const operation of ours) {
      const agrees = await core.agreesWith(operation, record);
      if (agrees !== false) return agrees === true ? 'none_or_agreeing' : agrees;
    }
  }
  return 'anothers';
}
