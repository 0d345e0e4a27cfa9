import { z } from 'zod';
import { currency, phoneText, text } from '../contract/primitives.ts';
import type { locales } from './locales.ts';

const dimension = z.enum(['cashback', 'points', 'stamps', 'visits', 'rewards']);
/** Cashback is in minor units of `currency`. */
const balanceSchema = z.object({ dimension, value: z.number(), currency: z.string().nullable() });
const moneySchema = z.object({ amount_minor: z.int(), currency });
/** The name of a card or a reward, in the service's own words. */
const shownName = z.string().max(255);

/** The outcome of a sale, as its customer reads it. */
const happenedSchema = z.discriminatedUnion('kind', [
  /** `+12 points`. */
  z.object({ kind: z.literal('gained'), gain: balanceSchema }),
  /** The sale was added, but the added value is unknown. */
  z.object({ kind: z.literal('added'), money: moneySchema.nullable() }),
  /** The sale is saved at the till and has not reached the service yet. */
  z.object({ kind: z.literal('follows'), money: moneySchema.nullable() }),
  z.object({ kind: z.literal('given'), name: shownName.nullable() }),
  z.object({ kind: z.literal('spent'), spent: balanceSchema }),
]);

/** What the customers' screen shows: never a phone number, never a history. */
const displayViewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nobody') }),
  z.object({
    kind: z.literal('customer'),
    /**
     * False: somebody typed this customer's phone at the customers' screen, and no cashier has confirmed them yet. The
     * agent then shows only an initial, and no balance.
     */
    is_confirmed: z.boolean(),
    /** The name as the cashier sees it. The agent shows only the first name. */
    name: z.string().nullable(),
    balance: balanceSchema.nullable(),
    /** How far the next reward is, when the card shows it. */
    progress: z
      .object({
        unit: z.enum(['points', 'stamps']),
        left: z.number().positive(),
        share: z.number().min(0).max(1),
        reward: shownName.nullable(),
      })
      .nullable(),
    rewards: z.array(shownName).max(20),
    /** The amount that is being entered now. */
    sale: moneySchema.nullable(),
    happened: happenedSchema.nullable(),
    /** The balance is an older one, because there is no connection. */
    is_kept: z.boolean(),
  }),
]);
export type DisplayView = z.output<typeof displayViewSchema>;
export type Happened = z.output<typeof happenedSchema>;

export interface DisplayState {
  readonly view: DisplayView;
  /** The language of the till's screen. The customer may choose another one. */
  readonly locale: (typeof locales)[number];
  readonly shop: string;
  readonly currency: string;
  readonly is_online: boolean;
}

/** The commands of the customers' page. The agent answers it nothing else. */
export const displayCommands = {
  'display.read': z.object({}),
  /** A customer with an account checks in. */
  'display.check_in': z.object({ phone: phoneText }),
  /** A new customer wants an account: a code is sent. The same `attempt` again is the same enrollment. */
  'display.join': z.object({ attempt: z.uuid(), phone: phoneText }),
  'display.code': z.object({ attempt: z.uuid(), code: z.string().regex(/^\d{4,10}$/, 'must be 4 to 10 digits') }),
} as const;
export type DisplayCommand = keyof typeof displayCommands;

export interface DisplayAnswers {
  readonly 'display.read': DisplayState;
  readonly 'display.check_in': { readonly outcome: 'found' | 'unknown' };
  readonly 'display.join':
    | { readonly outcome: 'code_sent' | 'known' }
    | { readonly outcome: 'joined'; readonly wallet_url: string };
  readonly 'display.code': { readonly outcome: 'joined'; readonly wallet_url: string };
}

/** The commands of the cashier's page for the customers' screen. */
export const displayTillCommands = {
  'display.show': { input: z.object({ view: displayViewSchema }), answer: z.object({}) },
  /** An address for the desktop app's customers' window. It works once. `window`: the name of the cashier's window. */
  'display.open': {
    input: z.object({ window: z.string().regex(/^[\w-]{1,24}$/) }),
    answer: z.object({ url: z.string() }),
  },
  /** The cashier's page takes over this check-in. `is_taken`: it was the first, and brings the customer. */
  'display.taken': { input: z.object({ id: text }), answer: z.object({ is_taken: z.boolean() }) },
} as const;
