import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import type { AgentCore } from '../../app/core/agent-core.ts';
import { createCore } from '../../app/core/create-core.ts';
import { networkPacing } from '../../app/line/pacing.ts';
import { systemClock } from '../../app/machine/clock.ts';
import { silentLog } from '../../app/machine/log.ts';
import { systemRandom } from '../../app/machine/random.ts';
import type { WriterSchedule } from '../../app/store/database/writer.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { standardLine } from '../support/standard-line.ts';
import { benchSealKey } from './sample-earns.ts';

/** Nobody listens there: the agent is offline. */
export const unreachableService = 'http://127.0.0.1:9/v1';

/** As many as the agent has in flight. */
export const productInFlight = networkPacing.maxInFlight;

interface BenchCoreOptions {
  /** Nobody listens there when absent. */
  readonly baseUrl?: string | undefined;
  /** The product's own number when absent. */
  readonly inFlight?: number | undefined;
  /** This machine's when absent. */
  readonly clock?: Clock;
  /** How long a write may wait for company; the product's own when absent. */
  readonly schedule?: WriterSchedule;
  /** The product's own number when absent. */
  readonly retentionDays?: number;
  /** The product's own number when absent. */
  readonly maxQueue?: number;
  /** False for a queue that was filled without seals. True when absent, as every till does. */
  readonly isSealing?: boolean;
}

/** The agent's core as it stands in production mode, on `production.sqlite` of a data folder. */
export function benchCore(dataDir: string, options: BenchCoreOptions = {}): AgentCore {
  const {
    baseUrl = unreachableService,
    inFlight = productInFlight,
    clock = systemClock(),
    retentionDays,
    maxQueue,
    schedule,
    isSealing = true,
  } = options;
  const apiKey = 'loyalty_pk_live_bench';
  return createCore({
    profileKey: Buffer.alloc(32, 7),
    dataDir,
    machine: null,
    clock,
    ...(schedule === undefined ? {} : { schedule }),
    seal: isSealing ? { key: benchSealKey, isBegun: true, onBegun: () => undefined } : null,
    random: systemRandom(),
    log: silentLog,
    settings: settingsSchema.parse({
      mode: 'production',
      base_url: baseUrl,
      api_key: apiKey,
      branch_ref: 'salmiya',
      retention_days: retentionDays,
      limits: { max_queue: maxQueue },
    }),
    service: { baseUrl, apiKey, dispatcher: networkDispatcher(standardLine) },
    pacing: { ...networkPacing, maxInFlight: inFlight },
  });
}

/** Resolves when the service has answered: the gate is open, and what waits goes out. */
export function untilOnline(core: AgentCore): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = core.onChange(() => {
      if (core.status().connection.state !== 'online') return;
      unsubscribe();
      resolve();
    });
  });
}
