import type { Clock } from '../../shared/lib/clock.ts';
import type { Settings } from '../config/settings.ts';
import { embeddedSandboxBaseUrl, serviceInWords } from '../core/embedded-sandbox.ts';
import { checkConnection } from './check-connection.ts';
import { type Finding, problem, warning, well } from './finding.ts';

/** Whether the service can be asked, and what one cheap question proves. */
export async function checkService(asked: {
  readonly settings: Pick<Settings, 'base_url' | 'tls'>;
  readonly apiKey: string | null;
  readonly clock: Clock;
}): Promise<readonly Finding[]> {
  const { settings, apiKey, clock } = asked;
  const { base_url: baseUrl, tls } = settings;
  if (baseUrl === null) return [well('address', serviceInWords(embeddedSandboxBaseUrl))];
  if (apiKey === null) return [problem('key', 'there is no API key', 'Set api_key')];
  return [...pinFindings(baseUrl, tls), ...(await checkConnection({ baseUrl, apiKey, tls, clock }))];
}

/** Whoever pins one key alone stops sending on the day that the service takes its next one. */
export function pinFindings(baseUrl: string, { pins }: Settings['tls']): readonly Finding[] {
  if (!baseUrl.startsWith('https:') || pins.length !== 1) return [];
  const advice =
    'Ask the loyalty provider for the next key, and add it to tls.pins before the provider changes the key';
  return [warning('pins', 'tls.pins has one key: with another key of the service, nothing is sent', advice)];
}
