import { Agent } from 'undici';
import type { AgentCore } from '../../app/agent-core.ts';
import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { systemClock } from '../../app/clock.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { createCore } from '../../app/create-core.ts';
import { silentLog } from '../../app/log.ts';
import { systemRandom } from '../../app/random.ts';
import { networkPacing } from '../../app/service-line.ts';

/** Nobody listens there: the agent is offline. */
export const unreachableService = 'http://127.0.0.1:9/v1';

/** As many as the agent has in flight: 8 connections are enough (design "Speed"). */
export const inFlight = networkPacing.maxInFlight;

/** The agent's core as it stands in production mode, on `production.sqlite` of a data folder. */
export function benchCore(dataDir: string, baseUrl: string = unreachableService): AgentCore {
  const apiKey = 'loyalty_pk_live_bench';
  return createCore({
    profileKey: Buffer.alloc(32, 7),
    dataDir,
    clock: systemClock(),
    random: systemRandom(),
    log: silentLog,
    settings: settingsSchema.parse({ mode: 'production', base_url: baseUrl, api_key: apiKey, branch_ref: 'salmiya' }),
    service: { baseUrl, apiKey, dispatcher: networkDispatcher() },
    pacing: networkPacing,
  });
}

/** undici with nothing around it, with as many connections as the agent has in flight. */
export function bareDispatcher(): Agent {
  return new Agent({ connections: inFlight, pipelining: 1 });
}
