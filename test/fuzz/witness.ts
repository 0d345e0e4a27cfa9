import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** A customer of whom no message of the corpus knows: whatever happens, exactly the sales below are its own. */
const witnessId = 'WITNESS-8b1f0c';
const salesPerBatch = 12;

interface Witnessed {
  readonly base_url: string;
  readonly token: string;
  readonly control_url: string | null;
  readonly control_key: string | null;
}

export interface Witness {
  /** Good sales, one after the other, while the door is under attack. @returns what went wrong */
  sell(seed: number): Promise<readonly string[]>;
  /** Whether each sale that was acknowledged is there, once, and counted once. */
  problems(): Promise<readonly string[]>;
  /** Ids that exist, by those of the corpus. */
  realIds(): Promise<Readonly<Record<string, string>>>;
}

const heldSchema = z.object({ data: z.array(z.object({ transaction_id: z.string(), status: z.string() })) });
const profileSchema = z.object({
  customer_id: z.string(),
  cards: z.array(z.object({ card_id: z.string(), balances: z.object({ visits: z.number().nullish() }) })),
});

export async function openWitness({ base_url, token, control_url, control_key }: Witnessed): Promise<Witness> {
  const sold: string[] = [];
  let round = 0;
  const ask = async (url: string, key: string, method: string, body?: unknown) => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = await response.json();
    return { status: response.status, json };
  };
  const control = (method: string, path: string, body?: unknown) =>
    ask(`${control_url}${path}`, control_key ?? '', method, body);
  const call = (method: string, path: string, body?: unknown) => ask(`${base_url}${path}`, token, method, body);
  const profile = async () => {
    const { json } = await call('POST', '/customers/identify', { loyalty_id: witnessId });
    return profileSchema.parse(json);
  };
  const visits = async () => (await profile()).cards.reduce((sum, { balances }) => sum + (balances.visits ?? 0), 0);

  const made = await control('POST', '/customers', {
    name: 'Witness',
    cards: [{ template_id: 'tpl_membership', loyalty_id: witnessId }],
  });
  if (made.status !== 201) throw new Error(`No witness: ${JSON.stringify(made.json)}`);

  async function sell(seed: number): Promise<readonly string[]> {
    const problems: string[] = [];
    round += 1;
    for (let count = 0; count < salesPerBatch; count += 1) {
      const external_ref = `WITNESS-${seed}-${round}-${count}`;
      const sale = { identifier: { loyalty_id: witnessId }, external_ref, visits: 1 };
      try {
        const { status, json } = await call('POST', '/transactions/earn', sale);
        if (status === 202) sold.push(external_ref);
        else problems.push(`A good sale was answered ${status}: ${JSON.stringify(json)}`);
      } catch (error) {
        problems.push(`A good sale was not answered: ${String(error)}`);
      }
      await pause(20);
    }
    return problems;
  }

  async function problems(): Promise<readonly string[]> {
    const found: string[] = [];
    try {
      await tidy();
      for (const external_ref of sold.slice(-2 * salesPerBatch)) {
        const { json } = await call('GET', `/transactions?external_ref=${external_ref}`);
        const { data } = heldSchema.parse(json);
        if (data.length !== 1) found.push(`${external_ref} is there ${data.length} times`);
      }
      const deadlineMs = performance.now() + 15_000;
      while ((await visits()) < sold.length && performance.now() < deadlineMs) await pause(100);
      const counted = await visits();
      if (counted !== sold.length) found.push(`${sold.length} visits were sold and ${counted} are counted`);
    } catch (error) {
      found.push(`It does not answer as it did: ${error instanceof Error ? error.message : String(error)}`);
    }
    return found;
  }

  /** What messages may well have turned: faults, and a clock that was stopped. */
  async function tidy(): Promise<void> {
    await control('DELETE', '/faults');
    await control('POST', '/clock', { mode: 'real' });
    await control('DELETE', '/requests');
    const { cards } = await profile();
    for (const { card_id } of cards) await control('POST', `/cards/${card_id}/resume`);
  }

  return {
    sell,
    problems,
    async realIds() {
      const external_ref = 'WITNESS-KNOWN';
      const sale = { identifier: { loyalty_id: 'LC-1001' }, external_ref, amount_minor: 500, currency: 'KWD' };
      await call('POST', '/transactions/earn', sale);
      await pause(500);
      const { json } = await call('GET', `/transactions?external_ref=${external_ref}`);
      const found = await call('POST', '/customers/identify', { loyalty_id: 'LC-1001' });
      const { customer_id, cards } = profileSchema.parse(found.json);
      return {
        txn_1: heldSchema.parse(json).data[0]?.transaction_id ?? 'txn_1',
        cus_1: customer_id,
        card_1: cards[0]?.card_id ?? 'card_1',
      };
    },
  };
}
