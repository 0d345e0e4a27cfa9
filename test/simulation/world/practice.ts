import type { Dispatcher } from 'undici';
import { startDraining } from '../../../app/agent/draining.ts';
import { settingsSchema } from '../../../app/config/settings.ts';
import type { AgentCore } from '../../../app/core/agent-core.ts';
import type { SealOptions } from '../../../app/core/begin-seals.ts';
import { createCore } from '../../../app/core/create-core.ts';
import { sandboxPacing } from '../../../app/line/pacing.ts';
import { createIds, createTimeOrderedUuids, uuidFrom } from '../../../app/machine/ids.ts';
import { silentLog } from '../../../app/machine/log.ts';
import { seededRandom } from '../../../app/machine/random.ts';
import { profileKeyBytes } from '../../../app/machine/secrets.ts';
import { inProcessDispatcher } from '../../../app/service/faces/in-process.ts';
import { createService, type Service } from '../../../app/service/service.ts';
import { type Life, type MachineClock, machineSchedule } from '../engine/machine.ts';
import type { Scheduler } from '../engine/scheduler.ts';

const sandboxUrl = 'http://sandbox.localhost/v1';

/** A till whose screen is in sandbox mode: practice sales, and beside them an agent that sends production's. */
export class Practice {
  readonly #options: ConstructorParameters<typeof Practice>[0];
  readonly #sandbox: Service;
  readonly #core: AgentCore;
  readonly #drainer: AgentCore;
  readonly #newOperationId: () => string;

  constructor(options: {
    readonly name: string;
    readonly seed: number;
    readonly scheduler: Scheduler;
    readonly life: Life;
    readonly folder: string;
    readonly clock: MachineClock;
    readonly production: { readonly baseUrl: string; readonly apiKey: string; readonly dispatcher: Dispatcher };
    readonly freeBytesAt: () => number;
    readonly seal: SealOptions;
    readonly onEnded: () => void;
  }) {
    this.#options = options;
    const { scheduler, life, clock, production } = options;
    const random = seededRandom(options.seed);
    const schedule = machineSchedule(scheduler, life);
    const common = {
      dataDir: options.folder,
      machine: null,
      clock,
      random,
      log: silentLog,
      profileKey: Buffer.alloc(profileKeyBytes, 7),
      schedule,
      freeBytesAt: options.freeBytesAt,
      seal: options.seal,
    };
    this.#newOperationId = createTimeOrderedUuids(clock, () => uuidFrom(random));
    this.#sandbox = createService({
      clock,
      random,
      ids: createIds(clock, random),
      data: { kind: 'memory' },
      ...schedule,
    });
    this.#core = createCore({
      ...common,
      settings: settingsSchema.parse({ device_ref: `till${options.name}` }),
      service: {
        baseUrl: sandboxUrl,
        apiKey: this.#sandbox.apiKey,
        dispatcher: inProcessDispatcher(this.#sandbox),
      },
      pacing: sandboxPacing,
    });
    this.#drainer = startDraining({
      ...common,
      settings: settingsSchema.parse({ device_ref: `till${options.name}` }),
      plan: {
        kind: 'drain',
        waitingCount: 1,
        baseUrl: production.baseUrl,
        apiKey: production.apiKey,
        tls: settingsSchema.parse({}).tls,
      },
      dispatcher: production.dispatcher,
    });
  }

  async sell(ref: string): Promise<void> {
    await this.#core.saveEarn({
      origin: 'till',
      operationId: this.#newOperationId(),
      request: { identifier: { loyalty_id: 'LC-1001' }, external_ref: ref, amount_minor: 1000 },
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
    });
  }

  async end(): Promise<void> {
    const { life, production, onEnded } = this.#options;
    await this.#core.close();
    await this.#drainer.close();
    life.isOver = true;
    this.#sandbox.close();
    void production.dispatcher.destroy();
    onEnded();
  }
}
