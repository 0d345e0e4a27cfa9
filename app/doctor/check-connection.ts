import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { ConnectionLine } from '../../shared/till/connection-check.ts';
import { greatestSkewMs } from '../../shared/till/limits.ts';
import { ServiceClient } from '../client/client.ts';
import { connectionCheckReference } from '../client/connection-check.ts';
import { networkDispatcher } from '../client/network-dispatcher.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { LineSecurity } from '../client/pinned-keys.ts';
import { connectionLines } from './connection-lines.ts';
import { type Finding, problem, well } from './finding.ts';

const answerTimeoutMs = 10_000;

/**
 * Asks the service one cheap question, and tells address, certificate, key and clock apart: each is right only as far as
 * the answer proves it.
 */
export async function checkConnection(service: AskedService): Promise<readonly Finding[]> {
  const { outcome, ...facts } = await askOnce(service);
  return connectionFindings(outcome, { baseUrl: service.baseUrl, tls: service.tls, ...facts });
}

/** The same, line by line for the screen. */
export async function testConnection(service: AskedService): Promise<readonly ConnectionLine[]> {
  const { outcome, ...facts } = await askOnce(service);
  return connectionLines(outcome, { baseUrl: service.baseUrl, ...facts });
}

export interface AskedService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tls: LineSecurity;
  readonly clock: Clock;
}

async function askOnce({ baseUrl, apiKey, tls, clock }: AskedService) {
  const dispatcher = networkDispatcher(tls);
  try {
    const client = new ServiceClient({ dispatcher, baseUrl, apiKey, clock, answerTimeoutMs });
    const startedAtMs = clock.monotonicMs();
    const outcome = await client.call('transactionsByReference', { query: { external_ref: connectionCheckReference } });
    return { outcome, tookMs: Math.round(clock.monotonicMs() - startedAtMs), nowMs: clock.now() };
  } finally {
    await dispatcher.destroy();
  }
}

/** What the answer to the question proves. */
export function connectionFindings(
  outcome: CallOutcome<unknown>,
  {
    baseUrl,
    tls,
    tookMs,
    nowMs,
  }: { readonly baseUrl: string; readonly tls: LineSecurity; readonly tookMs: number; readonly nowMs: number },
): readonly Finding[] {
  const clock = clockFinding(outcome, nowMs);
  switch (outcome.kind) {
    case 'done':
      return [
        well('address', `${baseUrl} answered in ${tookMs} ms`),
        well('key', 'the service accepts the API key'),
        ...clock,
      ];
    case 'refused':
      return [
        problem(
          'address',
          `${baseUrl} refused the question: ${outcome.error.code}`,
          'Check that base_url is the address of the service',
        ),
      ];
    case 'unknown':
      return [...unknownFindings(outcome, { baseUrl, tls }), ...clock];
    default:
      return assertNever(outcome);
  }
}

function unknownFindings(
  outcome: Extract<CallOutcome<unknown>, { kind: 'unknown' }>,
  { baseUrl, tls }: { readonly baseUrl: string; readonly tls: LineSecurity },
): readonly Finding[] {
  const { cause, message } = outcome;
  const reached = well('address', `${baseUrl} answers`);
  switch (cause) {
    case 'offline':
      return [
        problem(
          'address',
          `${baseUrl} cannot be reached (${message})`,
          'Check the network, the host name and the port',
        ),
      ];
    case 'timeout':
      return [problem('address', `${baseUrl} did not answer in time`, 'Check the network and the firewall')];
    case 'not_the_service':
      return [
        problem(
          'address',
          `another program answers at ${baseUrl} (${message})`,
          /\/v1\/*$/.test(new URL(baseUrl).pathname)
            ? 'Check base_url, and the sign-in page of the network'
            : 'The address of the service ends with /v1: set base_url with it',
        ),
      ];
    case 'tls':
      return [problem('certificate', `no secure connection to ${baseUrl} (${message})`, tlsAdvice(message, tls))];
    case 'unauthenticated':
      return [
        reached,
        problem('key', 'the service does not accept the API key', 'Set another api_key. Waiting operations are safe'),
      ];
    case 'suspended':
      return [reached, problem('key', 'the service has suspended this shop', 'Call the loyalty provider')];
    case 'throttled':
      return [reached, well('key', 'the service accepts the API key, and asks to wait')];
    case 'service':
      return [problem('address', `the service has a fault (${message})`, 'Wait. The agent tries again automatically')];
    default:
      return assertNever(cause);
  }
}

/** By what OpenSSL, or the check of the pins, says of a connection that was not made. */
export function tlsAdvice(message: string, { min_version: minVersion }: LineSecurity): string {
  if (message.includes('tls.pins')) return 'Until then nothing is sent, and waiting operations are safe';
  if (/unsupported protocol|protocol version|no protocols available/i.test(message)) {
    return minVersion === '1.3'
      ? 'The service may not know TLS 1.3: set tls.min_version to 1.2, or ask the loyalty provider'
      : 'The service, or a proxy of the network, knows only versions before TLS 1.2: call the loyalty provider';
  }
  if (/expired|not yet valid/i.test(message)) {
    return "Set this machine's clock. If the clock is right, call the loyalty provider";
  }
  if (/self[- ]signed|unable to (?:verify|get)/i.test(message)) {
    return 'A proxy of the network may stand between. Name its certificate authority in NODE_EXTRA_CA_CERTS';
  }
  if (/altname|hostname/i.test(message)) return 'Check that base_url is the address of the service';
  return "Check the certificate and this machine's clock";
}

function clockFinding(outcome: CallOutcome<unknown>, nowMs: number): readonly Finding[] {
  const serviceDateMs = outcome.facts?.serviceDateMs ?? null;
  // The clock of a captive portal says nothing.
  if (serviceDateMs === null || (outcome.kind === 'unknown' && outcome.error === null)) return [];
  const skewS = Math.round((serviceDateMs - nowMs) / 1000);
  if (Math.abs(skewS) * 1000 <= greatestSkewMs) return [well('clock', "agrees with the service's clock")];
  const direction = skewS > 0 ? 'behind' : 'ahead of';
  return [
    problem(
      'clock',
      `is ${Math.abs(skewS)} s ${direction} the service's clock`,
      "Set this machine's clock, or use a time server",
    ),
  ];
}
