import { z } from 'zod';
import { differingFields } from '../../shared/contract/differing-fields.ts';
import { type Identifier, identifierSchema } from '../../shared/contract/identifier.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { SentVersion } from '../store/watch-store.ts';
import { intentInBooks } from './immediate-settlement.ts';
import { originalOf } from './immediate-write.ts';
import type { Operation } from './operation.ts';

/** A transaction of the service's books that has the values of a request of ours. */
export interface HeldVersion {
  readonly held: Transaction;
  readonly version: SentVersion;
  /** It was changed since: this is not what the operation is now. */
  readonly isEarlier: boolean;
  /** Whose it must be; null when nothing more can be compared. */
  readonly identifier: Identifier | null;
}

const customerSchema = z.object({ identifier: identifierSchema });
const occurredAtSchema = z.object({ occurred_at: z.iso.datetime({ offset: true }) });
/** Further apart, they are two sales under one number (design "References"). */
const sameMomentMs = 5 * 60_000;

/**
 * What of the service's list may be an operation of ours, as it is now or as it was sent before. Who the customer was is
 * still to be compared.
 *
 * @param versions the newest first
 * @param reserveOf the request that made the reservation which a path commits; null when it is not ours
 */
export function heldVersions(
  operation: Pick<Operation, 'intent' | 'externalRef' | 'error'>,
  versions: readonly SentVersion[],
  list: readonly Transaction[],
  reserveOf: (path: string) => string | null,
): readonly HeldVersion[] {
  const candidates = list.filter(({ intent }) => intent === intentInBooks[operation.intent]);
  return versions.flatMap((version, age): readonly HeldVersion[] => {
    const found = (held: Transaction | undefined, identifier: Identifier | null): readonly HeldVersion[] =>
      held === undefined ? [] : [{ held, version, isEarlier: age > 0, identifier }];
    switch (operation.intent) {
      case 'earn':
      case 'redeem':
        return found(
          candidates.find((entry) => isSameSale(version.body, entry)),
          customerOf(version.body),
        );
      case 'commit': {
        // It has no values of its own: those of what was held.
        const reserve = reserveOf(version.path);
        if (reserve === null)
          return operation.error?.code === 'DUPLICATE_TRANSACTION' ? [] : found(candidates[0], null);
        return found(
          candidates.find((entry) => isSameSale(reserve, entry)),
          customerOf(reserve),
        );
      }
      case 'reverse':
        return found(reversalIn(list, operation.externalRef, version.body), null);
      case 'enroll':
      case 'verify':
      case 'reserve':
      case 'release':
        return [];
      default:
        return assertNever(operation.intent);
    }
  });
}

function isSameSale(body: string, held: Transaction): boolean {
  return differingFields(JSON.parse(body), held).length === 0 && isSameMoment(body, held);
}

/** Only an earn says when it was. */
function isSameMoment(body: string, held: Transaction): boolean {
  const sent = occurredAtSchema.safeParse(JSON.parse(body));
  if (!sent.success) return true;
  return Math.abs(Date.parse(sent.data.occurred_at) - Date.parse(held.occurred_at)) <= sameMomentMs;
}

function customerOf(body: string): Identifier | null {
  const named = customerSchema.safeParse(JSON.parse(body));
  return named.success ? named.data.identifier : null;
}

/** Under its own reference, or under its original's where that one shows as reversed. */
function reversalIn(list: readonly Transaction[], externalRef: string, body: string): Transaction | undefined {
  const reversals = list.filter(({ intent }) => intent === 'reverse');
  const own = reversals.find(({ external_ref }) => external_ref === externalRef);
  if (own !== undefined) return own;
  const original = originalOf(body);
  if (original === null) return undefined;
  const isReversed = list.some(
    ({ intent, external_ref, status }) =>
      intent === original.intent && external_ref === original.external_ref && status === 'reversed',
  );
  return isReversed ? reversals.find(({ external_ref }) => external_ref === original.external_ref) : undefined;
}
