import type { Audit } from '../audit/audit-events.ts';
import type { Settings } from '../config/settings.ts';
import { embeddedSandboxBaseUrl, embeddedSandboxOrigin } from '../core/embedded-sandbox.ts';
import { answerByWebHandler } from '../http/web-request.ts';
import { systemClock } from '../machine/clock.ts';
import { createIds } from '../machine/ids.ts';
import type { Log } from '../machine/log.ts';
import { openOrPutAside } from '../machine/put-aside.ts';
import { systemRandom } from '../machine/random.ts';
import { inProcessDispatcher } from '../service/faces/in-process.ts';
import { rewardPrices } from '../service/rules/templates.ts';
import { createService } from '../service/service.ts';
import { followingClock } from '../service/time/following-clock.ts';
import { embeddedLab } from '../till/embedded-lab.ts';
import type { OpenedService } from './opened-service.ts';

/** So many of the sandbox's cards are offered on the empty screen. */
const practiceCardCount = 5;

/** The embedded sandbox, with its books in a file. When they cannot be read, they are put aside and new ones begun. */
export function openEmbeddedSandbox(
  path: string,
  { api_key: apiKey, currency }: Pick<Settings, 'api_key' | 'currency'>,
  { controlKey, audit, log }: { readonly controlKey: string; readonly audit: Audit; readonly log: Log },
): OpenedService {
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
