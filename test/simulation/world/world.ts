import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { drawsOf, wholeBelow } from '../engine/draws.ts';
import type { Plan } from '../engine/plan.ts';
import { Scheduler } from '../engine/scheduler.ts';
import { type Asked, nothingTold, noValues } from '../facts.ts';
import { Marks } from '../marks.ts';
import { Network } from './network.ts';
import { makeOldDatabase, oldSchemaCount } from './old-database.ts';
import { removeAtExit, scratchFolder } from './scratch.ts';
import { historyStartMs, ServiceHost } from './service-host.ts';
import { Till } from './till.ts';

const tillNames = ['A', 'B', 'C'] as const;

/** Another partner of the service: its transactions are hidden from the shop's own keys. */
export const otherPartner = 'other-partner';

/** How long before the history the older version took its sale. */
const oldSaleAgeMs = 600_000;

/** A shop: its tills, the line, the service; and all that anybody was told. */
export class World {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly service: ServiceHost;
  readonly tills: readonly Till[];
  readonly marks = new Marks();
  /** In the order in which it was first asked. */
  readonly asked: Asked[] = [];
  /** What the programs complained of by themselves. */
  readonly complaints: string[] = [];
  readonly #folder: string;
  /** Made before anything happens: a service that is restored still knows them. */
  readonly keys = { same_partner: '', other_partner: '' };

  constructor(plan: Plan, options: { readonly keepsLines: boolean }) {
    this.plan = plan;
    const { seed, faults, lineFaults, rate, tillCount, limits } = plan;
    this.scheduler = new Scheduler({ seed, startMs: historyStartMs, keepsLines: options.keepsLines });
    this.#folder = mkdtempSync(scratchFolder(''));
    removeAtExit(this.#folder);
    this.service = new ServiceHost({ scheduler: this.scheduler, seed, folder: this.#folder });
    const names = tillNames.slice(0, tillCount);
    this.network = new Network({
      seed,
      scheduler: this.scheduler,
      faults,
      lineFaults,
      rate,
      marks: this.marks,
      answerTimeoutMs: limits.answerTimeoutMs,
      exchange: (call) => this.service.exchange(call),
      failLater: async (id) => {
        await this.service.control('POST', `/transactions/${id}/fail`, { code: 'CARD_NOT_ELIGIBLE' }).catch(() => null);
      },
      lastTill: names.at(-1) ?? '',
    });
    this.tills = names.map(
      (name) =>
        new Till({
          name,
          seed,
          scheduler: this.scheduler,
          network: this.network,
          folder: join(this.#folder, name),
          limits,
          apiKey: this.service.apiKey,
          onComplaint: (text) => this.complaints.push(text),
        }),
    );
  }

  async open(): Promise<void> {
    await this.scheduler.runUntilSettled(this.#prepare(), 60_000);
    if (this.plan.faults.has('upgraded')) this.#beginOld();
    for (const till of this.tills) till.start();
  }

  /** The last till has been sold on by an older version, which left a sale. */
  #beginOld(): void {
    const till = this.tills.at(-1);
    if (till === undefined) return;
    const atMs = this.scheduler.nowMs - oldSaleAgeMs;
    const sale = { ref: `U-${till.name}`, tag: `${till.name}:old`, loyaltyId: 'LC-1003', stamps: 1, savedAtMs: atMs };
    const schema = 1 + wholeBelow(drawsOf(this.plan.seed, 'schema'), oldSchemaCount);
    makeOldDatabase(till.databaseFile, schema, sale);
    this.marks.sometimes('till: upgraded');
    this.asked.push({
      ...sale,
      till: till.name,
      step: -1,
      kind: 'earn',
      by: 'pos',
      values: { ...noValues, stamps: sale.stamps },
      originalIntent: null,
      reservationId: null,
      phone: null,
      askedAtMs: [atMs],
      wasClockUnheard: false,
      told: [{ ...nothingTold, atMs, verdict: 'promised' }],
      decision: null,
      wasFullPaymentAsked: false,
    });
  }

  async #prepare(): Promise<void> {
    await this.service.set(this.plan.limits);
    this.keys.same_partner = await this.#makeKey({});
    this.keys.other_partner = await this.#makeKey({ source: otherPartner });
  }

  async #makeKey(body: object): Promise<string> {
    return keySchema.parse(await this.service.control('POST', '/keys', body)).key;
  }

  /** The code that went to a customer's phone; null when the service has no such enrollment. */
  async codeOf(enrollmentId: string): Promise<string | null> {
    const found = await this.service.control('GET', `/otp/${enrollmentId}`).catch(() => null);
    return found === null ? null : codeSchema.parse(found).otp;
  }

  end(): void {
    for (const till of this.tills) till.disk.end();
    this.service.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const keySchema = z.object({ key: z.string() });
const codeSchema = z.object({ otp: z.string() });
