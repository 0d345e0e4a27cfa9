import { assertNever } from '../../shared/lib/assert-never.ts';
import type { ConnectionLine } from '../../shared/till/connection-check.ts';
import type { LineSecurity } from '../client/pinned-keys.ts';
import { type Finding, problem, well } from './finding.ts';

interface AskedLine {
  readonly baseUrl: string;
  readonly tls: LineSecurity;
}

/** The lines of a connection test in the doctor's words: what is not known is none of its findings. */
export function connectionFindings(lines: readonly ConnectionLine[], asked: AskedLine): readonly Finding[] {
  const tookMs = lines.find(({ check }) => check === 'time')?.milliseconds ?? null;
  return lines.flatMap((line) => findingsOf(line, { ...asked, tookMs }));
}

function findingsOf(
  { verdict, detail, seconds }: ConnectionLine,
  { baseUrl, tls, tookMs }: AskedLine & { readonly tookMs: number | null },
): readonly Finding[] {
  const said = detail === null ? '' : ` (${detail})`;
  switch (verdict) {
    case 'reached':
      return [well('address', `${baseUrl} answered in ${tookMs} ms`)];
    case 'unreachable':
      return [
        problem('address', `${baseUrl} cannot be reached${said}`, 'Check the network, the host name and the port'),
      ];
    case 'no_answer_in_time':
      return [problem('address', `${baseUrl} did not answer in time`, 'Check the network and the firewall')];
    case 'something_else_answers':
      return [
        problem(
          'address',
          `another program answers at ${baseUrl}${said}`,
          /\/v1\/*$/.test(new URL(baseUrl).pathname)
            ? 'Check base_url, and the sign-in page of the network'
            : 'The address of the service ends with /v1: set base_url with it',
        ),
      ];
    case 'service_fault':
      return [problem('address', `the service has a fault${said}`, 'Wait. The agent tries again automatically')];
    case 'question_refused':
      return [
        problem(
          'address',
          `${baseUrl} refused the question${said}`,
          'Check that base_url is the address of the service',
        ),
      ];
    case 'certificate_refused':
      return [problem('certificate', `no secure connection to ${baseUrl}${said}`, tlsAdvice(detail ?? '', tls))];
    case 'key_taken':
      return [well('key', 'the service accepts the API key')];
    case 'key_refused':
      return [
        problem('key', 'the service does not accept the API key', 'Set another api_key. Waiting operations are safe'),
      ];
    case 'suspended':
      return [problem('key', 'the service has suspended this shop', 'Call the loyalty provider')];
    case 'throttled':
      return [well('key', 'the service accepts the API key, and asks to wait')];
    case 'clock_agrees':
      return [well('clock', "agrees with the service's clock")];
    case 'clock_behind':
    case 'clock_ahead': {
      const direction = verdict === 'clock_behind' ? 'behind' : 'ahead of';
      const advice = "Set this machine's clock, or use a time server";
      return [problem('clock', `is ${seconds} s ${direction} the service's clock`, advice)];
    }
    // Told before anything is asked (check-service.ts).
    case 'built_in':
    case 'no_address':
    case 'no_key':
    case 'encrypted':
    case 'not_encrypted':
    case 'quick':
    case 'slow':
    case 'not_known':
      return [];
    default:
      return assertNever(verdict);
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
