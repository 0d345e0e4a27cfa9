import { type GivenBalances, givenBalances } from './rules/mechanics.ts';
import { findTemplate } from './rules/templates.ts';
import type { Store } from './store/store.ts';

/** The key that the demo tenant always has, and the partner it belongs to. Well known: it opens nothing but a sandbox. */
export const demoApiKey = 'loyalty_pk_test_demo_4kq7m2xw9c3t';
export const demoSource = 'demo-partner';

interface DemoCard {
  readonly template: string;
  readonly loyaltyId: string;
  readonly suspended?: boolean;
  readonly balances?: GivenBalances;
}

interface DemoCustomer {
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly externalId: string | null;
  readonly verified: boolean;
  readonly cards: readonly DemoCard[];
}

/** Every template once and more: two cards that earn on one purchase, unknown mechanics, names that are hard to show. */
const demoCustomers: readonly DemoCustomer[] = [
  {
    name: 'Fatima Al-Sabah',
    phone: '+96599887766',
    email: 'fatima.alsabah@example.com',
    externalId: 'crm-1001',
    verified: true,
    cards: [{ template: 'tpl_reward', loyaltyId: 'LC-1001', balances: { points: 245.5 } }],
  },
  {
    name: 'Yousef Al-Mutairi',
    phone: '+96566123450',
    email: 'yousef.mutairi@example.com',
    externalId: 'crm-1002',
    verified: true,
    cards: [{ template: 'tpl_cashback', loyaltyId: 'LC-1002', balances: { cashback_minor: 1250 } }],
  },
  {
    name: 'Sarah Mitchell',
    phone: '+12025550143',
    email: 'sarah.mitchell@example.com',
    externalId: 'crm-1003',
    verified: true,
    cards: [{ template: 'tpl_stamp', loyaltyId: 'LC-1003', balances: { stamps: 7, rewards_available: 1 } }],
  },
  {
    name: 'عبدالله ناصر الخالد',
    phone: '+96550012345',
    email: 'abdullah.alkhaled@example.com',
    externalId: 'crm-1004',
    verified: true,
    cards: [{ template: 'tpl_membership', loyaltyId: 'LC-1004', balances: { visits: 12 } }],
  },
  {
    name: 'Ananya Krishnamurthy',
    phone: '+919845012345',
    email: 'ananya.k@example.com',
    externalId: 'crm-1005',
    verified: true,
    cards: [{ template: 'tpl_subscription', loyaltyId: 'LC-1005', balances: { visits: 20 } }],
  },
  {
    name: 'Lucía Fernández Ortega',
    phone: '+34612345678',
    email: 'lucia.fernandez@example.com',
    externalId: 'crm-1006',
    verified: false,
    cards: [{ template: 'tpl_coupon', loyaltyId: 'LC-1006' }],
  },
  {
    name: 'Mariam Al-Rashidi',
    phone: '+96597456123',
    email: 'mariam.rashidi@example.com',
    externalId: 'crm-1007',
    verified: true,
    cards: [{ template: 'tpl_discount', loyaltyId: 'LC-1007', balances: { visits: 3 } }],
  },
  {
    name: 'Oliver Brandt',
    phone: '+4915123456789',
    email: 'oliver.brandt@example.com',
    externalId: 'crm-1008',
    verified: true,
    cards: [{ template: 'tpl_certificate', loyaltyId: 'LC-1008', balances: { cashback_minor: 25000 } }],
  },
  {
    name: 'Hessa Al-Ajmi',
    phone: '+96594321098',
    email: 'hessa.ajmi@example.com',
    externalId: 'crm-1009',
    verified: true,
    cards: [
      { template: 'tpl_reward', loyaltyId: 'LC-1009', balances: { points: 80 } },
      { template: 'tpl_cashback', loyaltyId: 'LC-1010', balances: { cashback_minor: 600 } },
    ],
  },
  {
    name: 'Daniel Okafor',
    phone: '+2348031234567',
    email: 'daniel.okafor@example.com',
    externalId: 'crm-1010',
    verified: false,
    cards: [{ template: 'tpl_unknown', loyaltyId: 'LC-1011' }],
  },
  {
    name: 'Maximiliana Alexandrina Featherstonehaugh-Cholmondeley von Hohenberg-Wittelsbach',
    phone: '+447700900123',
    email: 'maximiliana.alexandrina.featherstonehaugh-cholmondeley@example.com',
    externalId: 'crm-1011',
    verified: true,
    cards: [
      { template: 'tpl_stamp', loyaltyId: 'LC-1012', balances: { stamps: 9 } },
      { template: 'tpl_coupon', loyaltyId: 'LC-1013', balances: { rewards_available: 0 } },
    ],
  },
  {
    name: 'Noura Al-Enezi',
    phone: '+96555667788',
    email: null,
    externalId: 'crm-1012',
    verified: true,
    cards: [{ template: 'tpl_reward', loyaltyId: 'LC-1014' }],
  },
  {
    name: 'Khaled Mansour',
    phone: null,
    email: 'khaled.mansour@example.com',
    externalId: null,
    verified: false,
    cards: [{ template: 'tpl_cashback', loyaltyId: 'LC-1015', suspended: true, balances: { cashback_minor: 4200 } }],
  },
  {
    name: null,
    phone: '+96560606060',
    email: null,
    externalId: null,
    verified: true,
    cards: [],
  },
];

/** Demo ids are the same everywhere, so that a test case can name them. */
function demoId(prefix: 'cus' | 'card', ordinal: number): string {
  return `${prefix}_01JDEM${'0'.repeat(16)}${String(ordinal).padStart(4, '0')}`;
}

/** Makes the demo customers in an empty store. @param made when, and in which currency their money is */
export function addDemoCustomers(
  store: Store,
  { nowMs, currency }: { readonly nowMs: number; readonly currency: string },
): void {
  let cardOrdinal = 0;
  for (const [index, { name, phone, email, externalId, verified, cards }] of demoCustomers.entries()) {
    const customerId = demoId('cus', index + 1);
    store.customers.insert({ customerId, name, phone, email, verified, createdAtMs: nowMs });
    if (externalId !== null) store.customers.setExternalId(demoSource, externalId, customerId);
    for (const card of cards) {
      cardOrdinal += 1;
      const mechanics = findTemplate(card.template)?.mechanics ?? null;
      store.cards.insert({
        cardId: demoId('card', cardOrdinal),
        customerId,
        templateId: card.template,
        loyaltyId: card.loyaltyId,
        suspended: card.suspended ?? false,
        balances: givenBalances(mechanics, card.balances ?? {}),
        currency: mechanics?.dimensions.includes('cashback_minor') ? currency : null,
      });
    }
  }
}
