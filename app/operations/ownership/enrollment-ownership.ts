import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import type { Identifier } from '../../../shared/contract/identifier.ts';
import { otherPerson } from '../../../shared/contract/other-customer.ts';
import type { Done, Refused } from '../../client/outcome.ts';
import type { WriteAnswer } from '../../line/call-of-path.ts';
import { requestOf } from '../requests/row-request.ts';
import { asDialled, isSamePhone } from '../requests/same-phone.ts';
import type { KnownOriginals } from './known-originals.ts';
import { isReplay, type OwnedRow, ours, type Verdict, verdictOf } from './verdict.ts';
import type { WhoseCustomer } from './whose-customer.ts';

/** Whose the answer to an enrollment, or to its code, is. */
export async function ofEnrollment(
  row: OwnedRow,
  done: Done<WriteAnswer>,
  { knownOriginals, whose }: { readonly knownOriginals: KnownOriginals; readonly whose: WhoseCustomer },
): Promise<Verdict> {
  const { answer } = done;
  const request = requestOf(row);
  const enrollmentId = fieldOf(answer, 'enrollment_id');
  if (typeof enrollmentId === 'string') {
    // It names nobody; but one that an earlier request of ours has started is that request's.
    const earlier = knownOriginals.enrollmentOf(enrollmentId);
    if (earlier === null) return ours;
    if (earlier.externalRef !== fieldOf(request, 'external_ref')) {
      // A service may answer with the enrollment of that person that is under way: the code goes to them either way.
      return isSamePerson(earlier.request, request) ? ours : verdictOf(['external_ref']);
    }
    return verdictOf(isOtherPhone(fieldOf(earlier.request, 'phone'), fieldOf(request, 'phone')) ? ['phone'] : []);
  }
  if (!('wallet_install_url' in answer)) return ours;
  const identifier = personOf(row.intent === 'enroll' ? request : requestOfEnrollment(row, knownOriginals));
  if (identifier === null) return ours;
  const { customer_id: customerId } = answer;
  return whose.judge(identifier, {
    field: identifier.phone === undefined ? 'email' : 'phone',
    isTheirs: (profile) => profile.customer_id === customerId,
    isSurelyNew: isReplay(row, done) && !row.maybeSent,
    isWaitedFor: true,
    hasOtherName: async () => {
      const told = await whose.whoIs({ customer_id: customerId }, { isWaitedFor: true });
      if (told.kind === 'unknown') return told;
      return told.kind === 'done' && isOtherPhone(identifier.phone, told.answer.phone);
    },
  });
}

/**
 * In which fields the refusal of a code is about another customer than the one who enrolls. The code's own request does not
 * name them, so that the client could not compare it.
 */
export function otherInRefusedCode(
  row: OwnedRow,
  { body }: Refused,
  knownOriginals: KnownOriginals,
): readonly string[] {
  return otherPerson(requestOfEnrollment(row, knownOriginals), fieldOf(body, 'customer'));
}

/** The request that started the enrollment whose code a row sends; null when it is not known here. */
function requestOfEnrollment(row: OwnedRow, knownOriginals: KnownOriginals): unknown {
  const enrollmentId = fieldOf(requestOf(row), 'enrollment_id');
  return typeof enrollmentId === 'string' ? (knownOriginals.enrollmentOf(enrollmentId)?.request ?? null) : null;
}

function isOtherPhone(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && !isSamePhone(one, other);
}

/** Surely: two customers must not become one. */
function isSamePerson(one: unknown, other: unknown): boolean {
  const [left, right] = [personOf(one), personOf(other)];
  if (left?.phone !== undefined && right?.phone !== undefined) return asDialled(left.phone) === asDialled(right.phone);
  return left?.email !== undefined && left.email.toLowerCase() === right?.email?.toLowerCase();
}

function personOf(request: unknown): Identifier | null {
  const [phone, email] = [fieldOf(request, 'phone'), fieldOf(request, 'email')];
  if (typeof phone === 'string') return { phone };
  return typeof email === 'string' ? { email } : null;
}
