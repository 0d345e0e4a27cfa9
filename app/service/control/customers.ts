import { z } from 'zod';
import { currency, emailText, pointsFromZero, text } from '../../../shared/contract/primitives.ts';
import type { Problem } from '../../../shared/contract/problems.ts';
import { done, type Result, refuseFields } from '../answer.ts';
import { refuseUnknownCustomer } from '../rules/find-customer.ts';
import { holdsMoney, issueCard } from '../rules/issue-card.ts';
import { givenBalances, givenDimensions } from '../rules/mechanics.ts';
import { normalizePhone } from '../rules/phones.ts';
import { cardEntry, customerProfile } from '../rules/profile.ts';
import { dimensions, findTemplate } from '../rules/templates.ts';
import type { Customer } from '../store/customer-store.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

const wholeBalance = z.int().min(0).nullish();
const newCardSchema = z.lazy(() =>
  z.strictObject({
    template_id: z.string().refine((id) => findTemplate(id) !== null, 'is not a template of this tenant'),
    balances: z
      .strictObject({
        points: pointsFromZero.nullish(),
        cashback_minor: wholeBalance,
        stamps: wholeBalance,
        visits: wholeBalance,
        rewards_available: wholeBalance,
        currency: currency.nullish(),
      })
      .nullish(),
    loyalty_id: text.nullish(),
    suspended: z.boolean().nullish(),
  }),
);
type NewCardRequest = z.output<typeof newCardSchema>;

const newCustomerSchema = z.lazy(() =>
  z.strictObject({
    name: text.nullish(),
    phone: text.nullish(),
    email: emailText.nullish(),
    external_id: text.nullish(),
    verified: z.boolean().nullish(),
    cards: z.array(newCardSchema).max(50).nullish(),
  }),
);
type NewCustomerRequest = z.output<typeof newCustomerSchema>;

/** Makes a customer with cards at once. */
export function addCustomer(context: ControlContext, call: ControlCall): Result {
  const valid = validate(newCustomerSchema, call.body);
  if (valid.kind === 'refused') return valid;
  const request = valid.value;
  const phone = request.phone == null ? null : normalizePhone(request.phone, context.settings.current.default_region);
  const email = request.email?.toLowerCase() ?? null;
  const problems = [
    ...takenFields(context, { source: call.source, phone, email, request }),
    ...(request.cards ?? []).flatMap((card, index) => cardProblems(card, `cards.${index}`)),
  ];
  if (request.phone != null && phone === null) problems.push({ field: 'phone', problem: 'is not a phone number' });
  if (problems.length > 0) return refuseFields(problems);

  const customer: Customer = {
    customerId: context.makeId('cus'),
    name: request.name ?? null,
    phone,
    email,
    verified: request.verified ?? false,
  };
  context.store.write(() => {
    context.store.customers.insert({ ...customer, createdAtMs: context.clock.now() });
    if (request.external_id != null) {
      context.store.customers.setExternalId(call.source, request.external_id, customer.customerId);
    }
    for (const card of request.cards ?? []) {
      issueCard(context, {
        customerId: customer.customerId,
        templateId: card.template_id,
        loyaltyId: card.loyalty_id ?? undefined,
        suspended: card.suspended ?? false,
        balances: card.balances ?? {},
        currency: card.balances?.currency ?? undefined,
      });
    }
  });
  return done(201, customerForTesters(context, customer, call.source));
}

const changeSchema = z.strictObject({ external_id: text });

/** Gives a customer another external_id at the partner whose key was used. */
export function changeCustomer(context: ControlContext, call: ControlCall): Result {
  const valid = validate(changeSchema, call.body);
  if (valid.kind === 'refused') return valid;
  const { customers } = context.store;
  const customer = customers.byId(call.param);
  if (customer === null) return refuseUnknownCustomer();
  const { external_id: externalId } = valid.value;
  const owner = customers.byExternalId(call.source, externalId);
  if (owner !== null && owner.customerId !== customer.customerId) {
    return refuseFields([{ field: 'external_id', problem: 'already belongs to a customer' }]);
  }
  context.store.write(() => customers.setExternalId(call.source, externalId, customer.customerId));
  return done(200, customerForTesters(context, customer, call.source));
}

/** A profile with what a tester needs besides: how to name the customer and each card. */
export function customerForTesters(context: ControlContext, customer: Customer, source: string): object {
  const { customers, cards } = context.store;
  return {
    ...customerProfile(context, customer),
    external_id: customers.externalId(source, customer.customerId),
    cards: cards.ofCustomer(customer.customerId).map((card) => ({
      ...cardEntry(context, card),
      template_id: card.templateId,
      loyalty_id: card.loyaltyId,
      suspended: card.suspended,
    })),
  };
}

interface Claim {
  readonly source: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly request: NewCustomerRequest;
}

/** What already belongs to another customer. */
function takenFields({ store }: ControlContext, { source, phone, email, request }: Claim): Problem[] {
  const { customers, cards } = store;
  const problem = 'already belongs to a customer';
  const taken: Problem[] = [];
  if (phone !== null && customers.byPhone(phone) !== null) taken.push({ field: 'phone', problem });
  if (email !== null && customers.byEmail(email) !== null) taken.push({ field: 'email', problem });
  const { external_id: externalId } = request;
  if (externalId != null && customers.byExternalId(source, externalId) !== null) {
    taken.push({ field: 'external_id', problem });
  }
  const seen = new Set<string>();
  for (const [index, { loyalty_id: loyaltyId }] of (request.cards ?? []).entries()) {
    if (loyaltyId == null) continue;
    const field = `cards.${index}.loyalty_id`;
    if (cards.byLoyaltyId(loyaltyId) !== null) taken.push({ field, problem: 'already belongs to a card' });
    if (seen.has(loyaltyId)) taken.push({ field, problem: 'stands twice' });
    seen.add(loyaltyId);
  }
  return taken;
}

/** Balances in dimensions that cards of the template do not have. */
function cardProblems(card: NewCardRequest, at: string): Problem[] {
  const mechanics = findTemplate(card.template_id)?.mechanics ?? null;
  const price = mechanics?.rewardPrice ?? null;
  const given = mechanics === null ? [] : givenDimensions(mechanics);
  const problems: Problem[] = [];
  for (const dimension of dimensions) {
    const value = card.balances?.[dimension];
    if (value == null) continue;
    const field = `${at}.balances.${dimension}`;
    if (dimension === 'rewards_available' && price?.shows === 'whole') {
      problems.push({ field, problem: `is counted from the ${price.from}: send ${price.from} instead` });
    } else if (!given.includes(dimension)) {
      problems.push({ field, problem: `is nothing that cards of ${card.template_id} have` });
    } else if (mechanics?.redeems.some((rule) => rule.operation === 'redeem_coupon') && value > 1) {
      problems.push({ field, problem: 'must be 1, or 0 for a coupon that was redeemed' });
    } else if (price?.shows === 'rest' && price.from === dimension && value >= price.each) {
      problems.push({
        field,
        problem: `must be below ${price.each}: each ${price.each} of them are one of rewards_available, send that instead`,
      });
    }
  }
  const stored = givenBalances(mechanics, card.balances ?? {});
  if (!dimensions.every((dimension) => Number.isSafeInteger(stored[dimension] ?? 0))) {
    problems.push({ field: `${at}.balances`, problem: 'is too large to count' });
  }
  if (card.balances?.currency != null && !holdsMoney(mechanics)) {
    problems.push({ field: `${at}.balances.currency`, problem: `is nothing that cards of ${card.template_id} have` });
  }
  return problems;
}
