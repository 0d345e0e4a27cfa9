import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { sumWaiting } from '../../shared/machines/operation.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { Connection, DatabaseNotice, Notice } from '../../shared/till/views.ts';
import { keyProblem } from '../config/key-kind.ts';
import { originOf } from '../config/service-address.ts';
import { type Settings, settingsSchema } from '../config/settings.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { CoreOptions } from '../core/core-options.ts';
import { createCore } from '../core/create-core.ts';
import { networkPacing } from '../line/pacing.ts';
import { hasDatabase } from '../machine/data-files.ts';
import { readTextFile, writePrivateFile } from '../machine/files.ts';
import { drainingKeyName, drainingOriginName, readApiKeys, type SecretStore } from '../machine/secrets.ts';
import { countWaiting } from '../store/copies/waiting-counts.ts';

const productionSchema = z.object({ base_url: z.url(), tls: settingsSchema.shape.tls });

function productionPath(dataDir: string): string {
  return join(dataDir, 'production.json');
}

/**
 * Remembers where production's sales go, on what line and under which key, for the time when the screen is in sandbox mode: an address
 * or a key that a variable or a deployed file gave is gone then.
 */
export async function rememberProduction(options: {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly secrets: SecretStore;
}): Promise<void> {
  const { dataDir, settings, secrets } = options;
  const { mode, base_url: baseUrl, api_key: apiKey, tls } = settings;
  if (mode !== 'production' || baseUrl === null || apiKey === null) return;
  const text = `${JSON.stringify({ base_url: baseUrl, tls })}\n`;
  if (readTextFile(productionPath(dataDir)) !== text) writePrivateFile(productionPath(dataDir), text);
  const kept = { [drainingKeyName]: apiKey, [drainingOriginName]: originOf(baseUrl) };
  for (const [name, value] of Object.entries(kept)) {
    if ((await secrets.get(name)) !== value) return secrets.change(kept);
  }
}

/** Where each mode's sales go, as far as that is known at a start. */
export function knownAddresses(start: {
  readonly dataDir: string;
  readonly settings: Pick<Settings, 'mode' | 'base_url'>;
  readonly areSettingsLost: boolean;
}): Readonly<Partial<Record<Mode, string | null>>> {
  const remembered = rememberedAddress(start.dataDir);
  const { mode, base_url: baseUrl } = start.settings;
  return {
    ...(remembered === null ? {} : { production: remembered.base_url }),
    ...(start.areSettingsLost ? {} : { [mode]: baseUrl }),
  };
}

/** What is known of production while the screen is in sandbox mode. */
type DrainPlan =
  | { readonly kind: 'nothing_waits' }
  /** Sales wait, and where to or under which key is not known here any more. */
  | { readonly kind: 'not_known'; readonly waitingCount: number | null }
  | {
      readonly kind: 'drain';
      /** Null: the database cannot be read now, and may hold some. */
      readonly waitingCount: number | null;
      readonly baseUrl: string;
      readonly apiKey: string;
      readonly tls: Settings['tls'];
    };

/** Whether production's sales are to go on being sent (design "Modes"). */
export async function planDraining(options: {
  readonly dataDir: string;
  readonly mode: Mode;
  readonly secrets: SecretStore;
}): Promise<DrainPlan> {
  const { dataDir, mode, secrets } = options;
  if (mode === 'production' || !hasDatabase(dataDir, 'production')) return { kind: 'nothing_waits' };
  const waitingCount = countWaiting(dataDir, 'production');
  // Not where nobody knows: the sales of a database that cannot be read now would find no key later.
  if (waitingCount === 0) {
    await secrets.change({ [drainingKeyName]: null, [drainingOriginName]: null });
    return { kind: 'nothing_waits' };
  }
  const address = rememberedAddress(dataDir);
  const apiKey = address === null ? null : await keyFor(address.base_url, secrets);
  // One that is sealed for another program is no key either.
  if (address === null || apiKey === null || keyProblem('production', apiKey) !== null) {
    return { kind: 'not_known', waitingCount };
  }
  return { kind: 'drain', waitingCount, baseUrl: address.base_url, tls: address.tls, apiKey };
}

/** Production's key, where it may be sent to that address (docs/decisions/0025); else null. */
async function keyFor(baseUrl: string, secrets: SecretStore): Promise<string | null> {
  const ofLastRun = await secrets.get(drainingKeyName);
  const { keys, origins } = await readApiKeys(secrets);
  const apiKey = ofLastRun ?? keys.production ?? null;
  const origin = ofLastRun === null ? origins.production : await secrets.get(drainingOriginName);
  if (origin == null && ofLastRun !== null) {
    // An earlier version has kept it, beside that very address.
    await secrets.set(drainingOriginName, originOf(baseUrl));
    return apiKey;
  }
  return origin === originOf(baseUrl) ? apiKey : null;
}

interface DrainingOptions extends Omit<CoreOptions, 'service' | 'pacing' | 'isTestClock' | 'moreNotices'> {
  readonly plan: Extract<DrainPlan, { kind: 'drain' }>;
  readonly dispatcher: Dispatcher;
}

/** An agent with no door that sends what waits in production, beside the one that the screen shows. */
export function startDraining(options: DrainingOptions): AgentCore {
  const { plan, settings, dispatcher, ...rest } = options;
  const { baseUrl, apiKey, tls } = plan;
  return createCore({
    ...rest,
    settings: { ...settings, mode: 'production', base_url: baseUrl, api_key: apiKey, tls },
    service: { baseUrl, apiKey, dispatcher },
    pacing: networkPacing,
  });
}

/** What the screen in sandbox mode says of it. @param core null when none could be started */
export function drainingNotices(plan: DrainPlan, core: AgentCore | null): readonly Notice[] {
  if (plan.kind === 'nothing_waits') return [];
  if (core === null) return waitingNotice(plan.waitingCount, { isSending: false });
  const { connection, notices } = core.status();
  return [
    ...waitingNotice(sumWaiting(core.counts()), { isSending: isSendingOn(connection) }),
    // The screen's own core has the other database open, and would never tell.
    ...notices.filter(isOfDatabase).map((trouble) => ({ code: 'production_database', trouble }) as const),
  ];
}

function waitingNotice(waiting: number | null, { isSending }: { readonly isSending: boolean }): readonly Notice[] {
  return waiting === 0 ? [] : [{ code: 'production_waiting', waiting, is_sending: isSending }];
}

/** Also while the line is down: it goes on by itself then. With another key, or for another shop, it does not. */
function isSendingOn({ state }: Connection): boolean {
  return state !== 'key_refused' && state !== 'suspended';
}

function isOfDatabase(notice: Notice): notice is DatabaseNotice {
  const { code } = notice;
  return code === 'not_saving' || code === 'database_damaged' || code === 'database_recovered';
}

function rememberedAddress(dataDir: string): z.output<typeof productionSchema> | null {
  try {
    return productionSchema.parse(JSON.parse(readTextFile(productionPath(dataDir)) ?? 'null'));
  } catch {
    return null;
  }
}
