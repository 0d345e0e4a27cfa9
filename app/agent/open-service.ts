import { randomBytes } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import type { Audit } from '../audit/audit-events.ts';
import type { ControlFace } from '../bridge/serve.ts';
import type { Settings } from '../config/settings.ts';
import { embeddedSandboxBaseUrl, embeddedSandboxOrigin } from '../core/embedded-sandbox.ts';
import { answerByWebHandler } from '../http/web-request.ts';
import { systemClock } from '../machine/clock.ts';
import { sandboxBooksPath } from '../machine/data-files.ts';
import { createIds } from '../machine/ids.ts';
import type { Log } from '../machine/log.ts';
import { openOrPutAside } from '../machine/put-aside.ts';
import { systemRandom } from '../machine/random.ts';
import { keptControlKey, type SecretStore } from '../machine/secrets.ts';
import type { Lab } from '../till/lab.ts';
import type { PracticeCard } from '../till/state.ts';

/** So many of the sandbox's cards are offered on the empty screen. */
const practiceCardCount = 5;

export interface OpenService {
  readonly baseUrl: string;
  /** Null while the one that is kept cannot be read: sales are saved, and the line says that the key is refused. */
  readonly apiKey: string | null;
  readonly dispatcher: Dispatcher | Promise<Dispatcher>;
  /** The agent's clock: the sandbox's test clock where there is one. */
  readonly clock: Clock;
  readonly control: ControlFace | null;
  readonly controlKey: string | null;
  readonly clockRuns: () => boolean;
  readonly practiceCards: () => readonly PracticeCard[];
  readonly rewardGoals: () => readonly RewardGoal[];
  /** The embedded sandbox as the screen's lab turns it; null without one. */
  readonly lab: Lab | null;
  /** What the embedded sandbox's own books were called when they could not be read, and new ones were begun; else null. */
  readonly aside: string | null;
  /** Told when somebody has moved the sandbox's clock or turned anything else there. */
  readonly onTurned: (listener: () => void) => () => void;
  readonly close: () => Promise<void> | void;
}

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
): Promise<OpenService> {
  if (settings.mode === 'sandbox' && settings.base_url === null) {
    const controlKey = await keptControlKey(secrets, randomBytes);
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

// Loaded only here: in production not a line of the sandbox is in memory.
async function openEmbeddedSandbox(
  path: string,
  { api_key: apiKey, currency }: Pick<Settings, 'api_key' | 'currency'>,
  { controlKey, audit, log }: { readonly controlKey: string; readonly audit: Audit; readonly log: Log },
): Promise<OpenService> {
  const [{ createService }, { rewardPrices }, { inProcessDispatcher }, { followingClock }, { embeddedLab }] =
    await Promise.all([
      import('../service/service.ts'),
      import('../service/rules/templates.ts'),
      import('../service/faces/in-process.ts'),
      import('../service/time/following-clock.ts'),
      import('../till/embedded-lab.ts'),
    ]);
  const hostClock = systemClock();
  const random = systemRandom();
  const open = () =>
    createService({
      clock: hostClock,
      currency,
      controlKey,
      random,
      ids: createIds(hostClock, random),
      data: { kind: 'file', path },
      log,
    });
  const { opened: service, aside } = openOrPutAside(path, open, hostClock.now());
  const ownKey = apiKey ?? service.apiKey;
  const { lab, end } = embeddedLab(service, { origin: embeddedSandboxOrigin, ownKey });
  return {
    baseUrl: embeddedSandboxBaseUrl,
    apiKey: ownKey,
    dispatcher: inProcessDispatcher(service),
    clock: followingClock(service, hostClock),
    control: answerByWebHandler(async (request) => {
      const response = await service.handle(request);
      if (response.status === 401) audit.note({ event: 'token_wrong', door: 'control' });
      return response;
    }),
    controlKey,
    clockRuns: () => service.clockMode === 'real',
    practiceCards: () => service.firstCards(practiceCardCount),
    rewardGoals: rewardPrices,
    lab,
    aside,
    onTurned(listener) {
      const ends = [service.onClockChange(listener), service.onControlChange(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    close() {
      end();
      service.close();
    },
  };
}
