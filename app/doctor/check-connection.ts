import type { Clock } from '../../shared/lib/clock.ts';
import type { ConnectionLine } from '../../shared/till/connection-check.ts';
import { ServiceClient } from '../client/client.ts';
import { connectionCheckReference } from '../client/connection-check.ts';
import { networkDispatcher } from '../client/network-dispatcher.ts';
import type { LineSecurity } from '../client/pinned-keys.ts';
import { connectionFindings } from './connection-findings.ts';
import { connectionLines } from './connection-lines.ts';
import type { Finding } from './finding.ts';

const answerTimeoutMs = 10_000;

/**
 * Asks the service one cheap question, and tells address, certificate, key and clock apart: each is right only as far as
 * the answer proves it.
 */
export async function checkConnection(service: AskedService): Promise<readonly Finding[]> {
  return connectionFindings(await testConnection(service), service);
}

/** The same, line by line for the screen. */
export async function testConnection({
  baseUrl,
  apiKey,
  tls,
  clock,
}: AskedService): Promise<readonly ConnectionLine[]> {
  const dispatcher = networkDispatcher(tls);
  try {
    const client = new ServiceClient({ dispatcher, baseUrl, apiKey, clock, answerTimeoutMs });
    const startedAtMs = clock.monotonicMs();
    const outcome = await client.call('transactionsByReference', { query: { external_ref: connectionCheckReference } });
    const tookMs = Math.round(clock.monotonicMs() - startedAtMs);
    return connectionLines(outcome, { baseUrl, tookMs, nowMs: clock.now() });
  } finally {
    await dispatcher.destroy();
  }
}

export interface AskedService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tls: LineSecurity;
  readonly clock: Clock;
}
