import { randomBytes } from 'node:crypto';
import type { Audit } from '../audit/audit-events.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import { newWebSecret } from '../machine/random.ts';
import { keptSessionKey, type SecretStore } from '../machine/secrets.ts';
import type { Till } from '../till/till.ts';
import { screenMemory } from '../web/screen-memory.ts';
import type { WebHost } from '../web/web-host.ts';

interface WebStart {
  readonly dataDir: string;
  readonly rendererDir: string;
  readonly secrets: SecretStore;
  readonly log: Pick<Log, 'warn'>;
}

/** Serves the cashier screen on a port of its own. */
export async function openWeb(
  { rendererDir, dataDir, secrets, log }: WebStart,
  { till, audit }: { readonly till: Till; readonly audit: Audit },
): Promise<WebHost> {
  const { startWebHost } = await import('../web/web-host.ts');
  return startWebHost({
    till,
    onPageGone: till.pageGone,
    audit,
    clock: systemClock(),
    rendererDir,
    memory: screenMemory(dataDir),
    onUnkept: (error) => log.warn({ error }, 'A session of the screen is not kept for the next start'),
    sessionKey: await keptSessionKey(secrets, randomBytes),
    newSecret: newWebSecret,
  });
}
