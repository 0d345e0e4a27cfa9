import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { systemClock } from '../../app/machine/clock.ts';
import { CustomerDisplay } from '../../app/till/customer-display.ts';
import { screenMemory } from '../../app/web/screen-memory.ts';
import { startWebHost, type WebHost } from '../../app/web/web-host.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { provenWords } from '../../shared/till/session-words.ts';
import { FakeCore } from './fake-core.ts';
import { PageEnd } from './page-end.ts';
import { tillOf } from './till-of.ts';

interface Session {
  readonly session: string;
  readonly secret: string;
}

export const pageChallenge = 'ab'.repeat(32);

export const hmac = (secret: string, words: string) =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(words).digest('hex');

/** A host of the cashier's screen in a folder of its own, and the browsers that come to it. */
export class WebScreen {
  readonly folder = mkdtempSync(join(tmpdir(), 'web-host-'));
  readonly core = new FakeCore();
  readonly audited: AuditEvent[] = [];
  /** Why the sessions could not be kept for the next start. */
  readonly unkept: unknown[] = [];
  goneCount = 0;
  /** Of the host. */
  clock: Clock = systemClock();
  /** The customers' screen. */
  readonly display = new CustomerDisplay({
    core: this.core,
    clock: systemClock(),
    newId: () => crypto.randomUUID(),
    onCheckIn: () => undefined,
    onFault: () => undefined,
  });
  readonly #till = tillOf({
    core: this.core,
    clock: systemClock(),
    display: () => this.display,
    onFault: () => undefined,
  });
  #secretCount = 0;
  #host: WebHost | null = null;

  static async open(): Promise<WebScreen> {
    const screen = new WebScreen();
    mkdirSync(join(screen.folder, 'assets'));
    writeFileSync(join(screen.folder, 'index.html'), '<!doctype html><title>screen</title>');
    writeFileSync(join(screen.folder, 'assets', 'app-1a2b.js'), 'export {}');
    await screen.start();
    return screen;
  }

  get host(): WebHost {
    if (this.#host === null) throw new Error('The host was not started');
    return this.#host;
  }

  get origin(): string {
    return new URL(this.host.url).origin;
  }

  /** Starts a host, also in place of one that was closed. */
  async start(): Promise<void> {
    this.#host = await startWebHost({
      till: this.#till,
      onPageGone: (page) => {
        this.goneCount += 1;
        this.#till.pageGone(page);
      },
      audit: { note: (event) => this.audited.push(event) },
      onUnkept: (error) => this.unkept.push(error),
      clock: this.clock,
      rendererDir: this.folder,
      memory: screenMemory(this.folder),
      sessionKey: 'key of the folder',
      newSecret: () => `secret-${++this.#secretCount}`,
    });
  }

  async end(): Promise<void> {
    await this.host.close();
    this.#till.close();
    rmSync(this.folder, { recursive: true });
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.origin}${path}`, { redirect: 'manual' });
  }

  /** Opens an address, as a browser does. @returns the one-time token that its page finds behind # */
  async openAddress(url = this.host.url): Promise<string> {
    const response = await fetch(url, { redirect: 'manual' });
    return decodeURIComponent((response.headers.get('location') ?? '').split('#open=')[1] ?? '');
  }

  /** A page's new line to the agent, which has asked it for a proof. */
  async openLine(): Promise<{ readonly page: PageEnd; readonly agentChallenge: string }> {
    const page = new PageEnd(this.origin);
    const { challenge } = await page.next();
    return { page, agentChallenge: challenge };
  }

  /** A page gives the token of its address for a session. */
  async exchange(
    token: string,
  ): Promise<{ readonly page: PageEnd; readonly made: Session; readonly agentChallenge: string }> {
    const { page, agentChallenge } = await this.openLine();
    page.say({ token });
    return { page, made: await page.next(), agentChallenge };
  }

  /** Proves a session on a line that has just been opened. @returns what the agent answers, or the code it closes with */
  meet(page: PageEnd, { session, secret }: Session, agentChallenge: string): Promise<unknown> {
    const meeting = { origin: this.origin, session, agentChallenge, pageChallenge };
    page.say({ session, challenge: pageChallenge, proof: hmac(secret, provenWords('page', meeting)) });
    return Promise.race([page.next(), page.closed]);
  }

  /** A page that has opened the printed address. */
  async openPage(url = this.host.url): Promise<PageEnd & { readonly held: Session }> {
    const { page, made, agentChallenge } = await this.exchange(await this.openAddress(url));
    await this.meet(page, made, agentChallenge);
    return Object.assign(page, { held: made });
  }

  /** The same browser's page after a reload. */
  async comeBack(held: Session): Promise<unknown> {
    const { page, agentChallenge } = await this.openLine();
    const answer = await this.meet(page, held, agentChallenge);
    page.socket.close();
    return answer;
  }
}
