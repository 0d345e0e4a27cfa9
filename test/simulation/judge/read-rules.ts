import { z } from 'zod';
import { demoSource } from '../../../app/service/fixtures.ts';
import { type HeldTransaction, isSameValue, stands } from './books.ts';
import { type Evidence, heldUnder, isKeyStuck, isLost } from './evidence.ts';
import type { RuleName, Verdict } from './rules.ts';

const listSchema = z.object({
  data: z.array(
    z.object({
      intent: z.string(),
      status: z.string(),
      transaction_id: z.string(),
      amount_minor: z.number().nullable(),
      currency: z.string().nullable(),
      points: z.number().nullable(),
      stamps: z.number().nullable(),
      visits: z.number().nullable(),
      customer_id: z.string().nullable(),
      card_id: z.string().nullable(),
    }),
  ),
});
type Read = z.output<typeof listSchema>['data'][number];

/** What each bridge tells of each reference, now that the line is good. */
export function judgeReads(evidence: Evidence): readonly Verdict[] {
  return evidence.shown.flatMap((shown) => {
    // Under another partner's key it sees other books.
    if (shown.till.hadForeignKey || isKeyStuck(evidence.world, shown.till)) return [];
    return [...shown.reads].flatMap(([ref, reply]) => {
      const name = `${shown.till.name} ${ref}`;
      if (reply.status !== 200) return failed(name, reply.status);
      return judgeList(evidence, { name, ref, read: listSchema.parse(reply.body).data });
    });
  });
}

function failed(name: string, status: number): readonly Verdict[] {
  return [{ rule: 'read-failed', text: `${name} ${status}` }];
}

function judgeList(
  evidence: Evidence,
  { name, ref, read }: { readonly name: string; readonly ref: string; readonly read: readonly Read[] },
): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  for (const intent of ['earn', 'redeem', 'reverse']) {
    const held = heldUnder(evidence, intent, ref).filter(({ source }) => source === demoSource);
    if (isLost(evidence, intent, ref)) continue;
    const told = read.filter((one) => one.intent === intent);
    const standing = told.filter(({ status }) => status === 'success');
    const heldStanding = held.filter(stands);
    const text = `${name} ${intent}: told ${told.map(({ status }) => status).join()}; service: ${held.map(({ status }) => status).join()}`;
    const say = (rule: RuleName, more = ''): unknown => verdicts.push({ rule, text: `${text} ${more}` });
    if (standing.length > heldStanding.length) say('read-shows-more');
    else if (standing.length < heldStanding.length) say('read-shows-less');
    else
      for (const one of standing) {
        if (!heldStanding.some((other) => isAlike(one, other))) say('read-other-values', JSON.stringify(one));
      }
  }
  return verdicts;
}

function isAlike(read: Read, held: HeldTransaction): boolean {
  const { amount_minor: amountMinor, currency, points, stamps, visits } = read;
  const isSameCustomer = read.customer_id === null || read.customer_id === held.customerId;
  const isSameCard = read.card_id === null || read.card_id === held.cardId;
  return isSameCustomer && isSameCard && isSameValue({ amountMinor, currency, points, stamps, visits }, held.values);
}
