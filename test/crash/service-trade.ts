import { Agent } from 'undici';
import { z } from 'zod';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { SandboxReady } from '../support/program.ts';

const answerSchema = z.looseObject({
  transaction_id: z.string().optional(),
  reservation_id: z.string().optional(),
  enrollment_id: z.string().optional(),
  customer_id: z.string().nullish(),
  card_id: z.string().nullish(),
  duplicate: z.boolean().optional(),
});

export interface Answer {
  readonly status: number;
  readonly body: z.infer<typeof answerSchema>;
}

/** What a write is to leave in the books. */
export type Trace =
  | { readonly kind: 'transaction'; readonly intent: 'earn' | 'redeem' | 'reverse'; readonly externalRef: string }
  /** A redemption, and the reservation that it was the end of. */
  | { readonly kind: 'commit'; readonly reservationId: string; readonly externalRef: string }
  | { readonly kind: 'reservation'; readonly externalRef: string }
  | { readonly kind: 'release'; readonly reservationId: string }
  | { readonly kind: 'enrollment'; readonly externalRef: string }
  | { readonly kind: 'enrolled'; readonly enrollmentId: string };

export interface Sent {
  readonly path: string;
  readonly body: object | null;
  readonly trace: Trace;
  /** Null when none came. */
  readonly answer: Answer | null;
}

const traderCards = ['SHOP-REWARD', 'SHOP-CASHBACK', 'SHOP-STAMP', 'SHOP-VISIT', 'SHOP-REWARD-2'] as const;
/** A claimed reward has no reversal. */
const reversibleCards = traderCards.filter((card) => card !== 'SHOP-STAMP');
type TraderCard = (typeof traderCards)[number];

/** What is sold and spent on each card; a little of it each time, so that nothing is ever refused. */
const values: Readonly<Record<TraderCard, { readonly earn: object; readonly spend: object }>> = {
  'SHOP-REWARD': { earn: { points: 2.5 }, spend: { points: 1.5 } },
  'SHOP-CASHBACK': { earn: { amount_minor: 1990 }, spend: { amount_minor: 35 } },
  // Stamps become rewards: they are all it spends.
  'SHOP-STAMP': { earn: { stamps: 3 }, spend: { reward: true } },
  'SHOP-VISIT': { earn: { visits: 1 }, spend: { visits: 1 } },
  'SHOP-REWARD-2': { earn: { amount_minor: 3200 }, spend: { points: 1 } },
};

/** The customers of the trade, with enough on their cards for any length of it. */
export const traderCustomers: readonly object[] = [
  {
    name: 'Shop 1',
    cards: [
      { template_id: 'tpl_reward', loyalty_id: 'SHOP-REWARD', balances: { points: 100_000 } },
      { template_id: 'tpl_cashback', loyalty_id: 'SHOP-CASHBACK', balances: { cashback_minor: 10_000_000 } },
    ],
  },
  {
    name: 'Shop 2',
    cards: [{ template_id: 'tpl_stamp', loyalty_id: 'SHOP-STAMP', balances: { rewards_available: 100_000 } }],
  },
  {
    name: 'Shop 3',
    cards: [
      { template_id: 'tpl_membership', loyalty_id: 'SHOP-VISIT', balances: { visits: 100_000 } },
      { template_id: 'tpl_reward', loyalty_id: 'SHOP-REWARD-2', balances: { points: 100_000 } },
    ],
  },
];

/** One connection to one run of the service. */
export class ServiceLine {
  readonly #agent = new Agent({ connections: 1 });
  readonly #service: SandboxReady;

  constructor(service: SandboxReady) {
    this.#service = service;
  }

  write(path: string, body: object | null): Promise<Answer> {
    return this.#call(this.#service.base_url, { method: 'POST', path, body }, answerSchema);
  }

  control<S extends z.ZodType>(method: 'GET' | 'POST' | 'PATCH', path: string, body: object | null, schema: S) {
    return this.#call(this.#service.control_url, { method, path, body }, schema);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #call<S extends z.ZodType>(
    base: string,
    { method, path, body }: { readonly method: string; readonly path: string; readonly body: object | null },
    schema: S,
  ): Promise<{ status: number; body: z.output<S> }> {
    const { origin, pathname } = new URL(base);
    const answer = await this.#agent.request({
      origin,
      method,
      path: pathname + path,
      headers: { authorization: `Bearer ${this.#service.api_key}`, 'content-type': 'application/json' },
      body: body === null ? null : JSON.stringify(body),
    });
    return { status: answer.statusCode, body: schema.parse(await answer.body.json()) };
  }
}

interface Trader {
  /** Stands before each of its references. */
  readonly name: string;
  readonly random: RandomSource;
  /** References of earns that were applied before this run, for this trader alone to take back. */
  readonly oldEarns: readonly string[];
  /** One that nobody has had, for an enrollment. */
  readonly newPhone: () => string;
  /** A write was answered. */
  readonly onAnswered: () => void;
}

/** Sells, redeems, holds, pays, lets go, takes back and enrolls until the line dies. @returns all it has sent */
export async function trade(
  service: SandboxReady,
  { name, random, oldEarns, newPhone, onAnswered }: Trader,
): Promise<readonly Sent[]> {
  const line = new ServiceLine(service);
  const sent: Sent[] = [];
  const toReverse = [...oldEarns];
  const write = async (path: string, body: object | null, trace: Trace): Promise<Answer['body']> => {
    const index = sent.push({ path, body, trace, answer: null }) - 1;
    const answer = await line.write(path, body);
    sent[index] = { path, body, trace, answer };
    onAnswered();
    return answer.body;
  };
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(random.next() * from.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from');
    return picked;
  };
  const earn = (ref: string, card: TraderCard) =>
    write(
      '/transactions/earn',
      { identifier: { loyalty_id: card }, external_ref: ref, ...values[card].earn },
      { kind: 'transaction', intent: 'earn', externalRef: ref },
    );
  const redeem = (ref: string, card: TraderCard) =>
    write(
      '/transactions/redeem',
      { identifier: { loyalty_id: card }, external_ref: ref, ...values[card].spend },
      { kind: 'transaction', intent: 'redeem', externalRef: ref },
    );
  const reserve = async (ref: string): Promise<string> => {
    const card = pick(['SHOP-REWARD', 'SHOP-CASHBACK', 'SHOP-REWARD-2'] as const);
    const answer = await write(
      '/redemptions/reserve',
      { identifier: { loyalty_id: card }, external_ref: ref, ...values[card].spend },
      { kind: 'reservation', externalRef: ref },
    );
    return answer.reservation_id ?? 'none';
  };
  const reverse = (ref: string, reversalRef: string, intent: 'earn' | 'redeem') =>
    write(
      '/transactions/reverse',
      { external_ref: ref, intent, reversal_ref: reversalRef },
      { kind: 'transaction', intent: 'reverse', externalRef: reversalRef },
    );
  const enroll = async (ref: string) => {
    const { enrollment_id: enrollmentId = 'none' } = await write(
      '/customers/enroll',
      { external_ref: ref, phone: newPhone() },
      { kind: 'enrollment', externalRef: ref },
    );
    const code = await line.control('GET', `/otp/${enrollmentId}`, null, z.looseObject({ otp: z.string() }));
    await write(
      '/customers/enroll/verify',
      { enrollment_id: enrollmentId, otp: code.body.otp },
      { kind: 'enrolled', enrollmentId },
    );
  };
  const commit = (reservationId: string, ref: string) =>
    write(
      `/redemptions/${reservationId}/commit`,
      { external_ref: ref },
      { kind: 'commit', reservationId, externalRef: ref },
    );
  const release = (reservationId: string) =>
    write(`/redemptions/${reservationId}/release`, null, { kind: 'release', reservationId });

  const turns: readonly ((ref: string) => Promise<unknown>)[] = [
    (ref) => earn(ref, pick(traderCards)),
    (ref) => redeem(ref, pick(traderCards)),
    async (ref) => commit(await reserve(ref), `${ref}-paid`),
    async (ref) => release(await reserve(ref)),
    (ref) => reserve(ref),
    async (ref) => {
      await redeem(ref, pick(reversibleCards));
      await reverse(ref, `${ref}-back`, 'redeem');
    },
    async (ref) => {
      const old = toReverse.pop();
      if (old !== undefined) await reverse(old, `${ref}-back`, 'earn');
    },
    enroll,
  ];
  try {
    for (let number = 0; ; number += 1) await pick(turns)(`${name}-${number}`);
  } catch {
    // The service is gone; what was on its way is told by a missing answer.
    return sent;
  } finally {
    await line.close();
  }
}
