import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import type { Done, Unknown } from '../../client/outcome.ts';
import type { WriteAnswer } from '../../line/call-of-path.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';

/** Whose what the service tells of is. */
export type Verdict =
  | { readonly kind: 'ours' }
  /** Somebody else's, who has used the same reference; it differs in these fields. */
  | {
      readonly kind: 'anothers';
      readonly fields: readonly string[];
      /** Also of a first answer: nothing of this row can stand at the service. */
      readonly isProven?: true;
    }
  /** The service does not tell it yet: of what it still works on, or of a commit that it shows under another id only. */
  | { readonly kind: 'undecided' }
  /** A reversal has succeeded, and its original still stands: the service shows that later, or it is another's. */
  | { readonly kind: 'standing' }
  /** The customer could not be asked for; doubtful: what could be asked speaks against even a first answer. */
  | (Unknown & { readonly isDoubtful?: true });

/** What of a row tells whose a record is. */
export type OwnedRow = Pick<SendableOperation, 'rowId' | 'intent' | 'externalRef' | 'path' | 'body' | 'maybeSent'> & {
  /** Whom the service found behind the identifier, where that is known. */
  readonly serviceCustomerId?: string | null;
};

export const ours: Verdict = { kind: 'ours' };

/** @param differing the fields in which it is not a row's own */
export function verdictOf(differing: readonly string[]): Verdict {
  return differing.length === 0 ? ours : { kind: 'anothers', fields: differing };
}

/** What says so itself, or 200 where a first answer would be 201 or 202. */
export function isReplay({ intent }: OwnedRow, { answer, facts }: Done<WriteAnswer>): boolean {
  if (fieldOf(answer, 'duplicate') === true) return true;
  const isFirstOtherwise = intent === 'reserve' || intent === 'enroll' || intent === 'verify';
  return isFirstOtherwise && facts.httpStatus === 200;
}
