import { randomBytes } from 'node:crypto';
import type { Audit } from '../audit/audit-events.ts';
import type { Settings } from '../config/settings.ts';
import { systemClock } from '../machine/clock.ts';
import { sandboxBooksPath } from '../machine/data-files.ts';
import type { Log } from '../machine/log.ts';
import { keptControlKey, type SecretStore } from '../machine/secrets.ts';
import type { OpenedService } from './opened-service.ts';

/**
 * The service that the settings name: over the network, or the embedded sandbox. The one place that knows both.
 *
 * @param parts.calm when the HTTP client may be loaded: no sale waits for that
 */
export async function openService(
  {
    dataDir,
    settings,
    secrets,
  }: { readonly dataDir: string; readonly settings: Settings; readonly secrets: SecretStore },
  { calm, audit, log }: { readonly calm: Promise<void>; readonly audit: Audit; readonly log: Log },
): Promise<OpenedService> {
  if (settings.mode === 'sandbox' && settings.base_url === null) {
    const controlKey = await keptControlKey(secrets, randomBytes);
    // Loaded only here: in production not a line of the sandbox is in memory.
    const { openEmbeddedSandbox } = await import('./open-embedded-sandbox.ts');
    // What keeps a resting process small. Over the network it comes with the HTTP client.
    calm
      .then(() => import('../client/small-process.ts'))
      .catch((error: unknown) => log.warn({ error }, 'This process is not kept small'));
    return openEmbeddedSandbox(sandboxBooksPath(dataDir), settings, { controlKey, audit, log });
  }
  if (settings.base_url === null) throw new Error('A service over the network needs base_url');
  const dispatcher = calm
    .then(() => import('../client/network-dispatcher.ts'))
    .then(({ networkDispatcher }) => networkDispatcher(settings.tls));
  return {
    baseUrl: settings.base_url,
    apiKey: settings.api_key,
    dispatcher,
    clock: systemClock(),
    control: null,
    controlKey: null,
    clockRuns: () => true,
    practiceCards: () => [],
    rewardGoals: () => [],
    lab: null,
    aside: null,
    onTurned: () => () => undefined,
    close: async () => (await dispatcher).destroy(),
  };
}
