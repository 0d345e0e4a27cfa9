import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Audit } from '../audit/audit-events.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import { newWebSecret } from '../machine/random.ts';
import { keptSessionKey, type SecretStore } from '../machine/secrets.ts';
import { CustomerDisplay } from '../till/customer-display.ts';
import { screenMemory } from '../web/screen-memory.ts';
import { startWebHost } from '../web/web-host.ts';

interface DisplayStart {
  readonly dataDir: string;
  readonly rendererDir: string;
  readonly secrets: SecretStore;
  readonly log: Pick<Log, 'error' | 'warn'>;
}

export interface OpenDisplay {
  readonly display: CustomerDisplay;
  /** The page's address with its one-time token. */
  readonly url: string;
  /** Another such address for a window of the desktop app; it ends the session of that window's page before. */
  readonly windowUrl: (window: string) => string;
  readonly close: () => Promise<void>;
}

/** One browser has it: another one that opens a new address takes its place. */
const displayName = 'customer display';

/**
 * The customer's own screen: on a port of its own, so that its page shares neither files nor a session nor a socket with
 * the cashier's screen.
 */
export async function openDisplay(
  { dataDir, rendererDir, secrets, log }: DisplayStart,
  { core, audit, onCheckIn }: { readonly core: AgentCore; readonly audit: Audit; readonly onCheckIn: () => void },
): Promise<OpenDisplay> {
  const clock = systemClock();
  const display = new CustomerDisplay({
    core,
    clock,
    newId: () => crypto.randomUUID(),
    onCheckIn,
    onFault: (error) => log.error({ error }, "A request of the customer's screen failed"),
  });
  const host = await startWebHost({
    till: display,
    place: {
      page: '/customer',
      socket: '/customer/line',
      // Not by the command: it opens the cashier's screen, which would then stand before the customers.
      newAddress: 'start Tillbridge again and open the <code>customer_url</code> that it prints',
    },
    audit,
    clock,
    rendererDir: join(rendererDir, 'customer'),
    memory: screenMemory(dataDir, 'customer-screen.json'),
    onUnkept: (error) => log.warn({ error }, "A session of the customer's screen is not kept for the next start"),
    sessionKey: await keptSessionKey(secrets, randomBytes),
    newSecret: newWebSecret,
  });
  return {
    display,
    url: host.newUrl(displayName),
    windowUrl: (window) => host.newUrl(`${displayName} of ${window}`),
    async close() {
      display.close();
      await host.close();
    },
  };
}
