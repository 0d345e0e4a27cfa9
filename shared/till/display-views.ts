import { z } from 'zod';
import { currency, phoneText, text } from '../contract/primitives.ts';
import type { locales } from './locales.ts';

const dimension = z.enum(['cashback', 'points', 'stamps', 'visits', 'rewards']);
/** Cashback is in minor units of `currency`. */
const balanceSchema = z.object({ dimension, value: z.number(), currency: z.string().nullable() });
const moneySchema = z.object({ amount_minor: z.int(), currency });
/** Of a card or a reward, in the service's own words. */
const shownName = z.string().max(255);

/** What came of a sale, for whom it was. */
const happenedSchema = z.discriminatedUnion('kind', [
  /** `+12 points`. */
  z.object({ kind: z.literal('gained'), gain: balanceSchema }),
  /** Added, and nobody knows how much that brought. */
  z.object({ kind: z.literal('added'), money: moneySchema.nullable() }),
  /** It is saved at the till; the service has not had it yet. */
  z.object({ kind: z.literal('follows'), money: moneySchema.nullable() }),
  z.object({ kind: z.literal('given'), name: shownName.nullable() }),
  z.object({ kind: z.literal('spent'), spent: balanceSchema }),
]);

/** What the customer's own screen shows: never a phone, never a history. */
const displayViewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nobody') }),
  z.object({
    kind: z.literal('customer'),
    /**
     * False: they were brought by a phone that was typed at the customers' screen, by whomever, and nobody at the till
     * has taken them up yet. The agent shows their initial then, and nothing that they have.
     */
    is_confirmed: z.boolean(),
    /** As the cashier sees it; the agent lets the first name through. */
    name: z.string().nullable(),
    balance: balanceSchema.nullable(),
    /** How far the next reward is, where the card tells. */
    progress: z
      .object({
        unit: z.enum(['points', 'stamps']),
        left: z.number().positive(),
        share: z.number().min(0).max(1),
        reward: shownName.nullable(),
      })
      .nullable(),
    rewards: z.array(shownName).max(20),
    /** What is being entered now. */
    sale: moneySchema.nullable(),
    happened: happenedSchema.nullable(),
    /** The balance is of earlier: there is no connection. */
    is_kept: z.boolean(),
  }),
]);
export type DisplayView = z.output<typeof displayViewSchema>;
export type Happened = z.output<typeof happenedSchema>;

export interface DisplayState {
  readonly view: DisplayView;
  /** Of the till's screen; the customer may read another one. */
  readonly locale: (typeof locales)[number];
  readonly shop: string;
  readonly currency: string;
  readonly is_online: boolean;
}

/** What the customer's page may ask; the agent answers it nothing else. */
export const displayCommands = {
  'display.read': z.object({}),
  /** Somebody who has an account wants to be found. */
  'display.check_in': z.object({ phone: phoneText }),
  /** Somebody new wants one: a code is sent. The same `attempt` again is the same enrollment. */
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

/** What the cashier's page says to the customer's screen, and hears from it. */
export const displayTillCommands = {
  'display.show': { input: z.object({ view: displayViewSchema }), answer: z.object({}) },
  /** The desktop app opens the customers' window: its address works once. `window`: whose window it is. */
  'display.open': {
    input: z.object({ window: z.string().regex(/^[\w-]{1,24}$/) }),
    answer: z.object({ url: z.string() }),
  },
  /** The cashier has seen who checked in. */
  'display.taken': { input: z.object({ id: text }), answer: z.object({}) },
} as const;
