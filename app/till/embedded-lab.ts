import type { FaultType } from '../../shared/till/lab-names.ts';
import type { Lab } from './lab.ts';

/** The service that the controls change. It runs in this process. */
interface EmbeddedService {
  handle(request: Request): Promise<Response>;
  /** The key of its control API. */
  readonly controlKey: string;
  readonly clockAheadMs: number;
  activeFaults(): readonly { readonly type: FaultType }[];
  onControlChange(listener: () => void): () => void;
}

/** The controls of an embedded sandbox, called without a socket. `end` closes them. */
export function embeddedLab(
  service: EmbeddedService,
  { origin, ownKey }: { readonly origin: string; readonly ownKey: string | null },
): { readonly lab: Lab; readonly end: () => void } {
  let changeCount = 0;
  const end = service.onControlChange(() => {
    changeCount += 1;
  });
  const lab: Lab = {
    ownKey,
    async call(method, path, body) {
      const answer = await service.handle(
        new Request(`${origin}/_sandbox${path}`, {
          method,
          headers: { authorization: `Bearer ${service.controlKey}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      return { status: answer.status, body: await answer.json() };
    },
    activeFaults: () => service.activeFaults().map(({ type }) => type),
    get clockAheadMs() {
      return service.clockAheadMs;
    },
    get changeCount() {
      return changeCount;
    },
  };
  return { lab, end };
}
