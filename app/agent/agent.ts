import { randomBytes } from 'node:crypto';
import type { Mode } from '../../shared/till/modes.ts';
import type { Notice } from '../../shared/till/views.ts';
import { isAuditBegun } from '../audit/open-audit.ts';
import { PosTokens } from '../bridge/pos-tokens.ts';
import { bindKeptKeys } from '../config/key-origins.ts';
import type { FileLayers } from '../config/last-good.ts';
import type { SettingsSources } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { createCore } from '../core/create-core.ts';
import { warmUp } from '../core/warm-up.ts';
import { tellRunningAgent } from '../http/running-agent.ts';
import { agentReadyMessage } from '../line/line-messages.ts';
import { networkPacing, sandboxPacing } from '../line/pacing.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import { machineIdentity } from '../machine/machine-identity.ts';
import { systemRandom } from '../machine/random.ts';
import { keptProfileKey, type SecretStore } from '../machine/secrets.ts';
import { keptTillKey } from '../machine/till-key.ts';
import type { Till } from '../till/till.ts';
import type { UpdateHost } from '../updates/update-host.ts';
import type { WebHost } from '../web/web-host.ts';
import { openAudit, peopleSealingOf, sealOf } from './agent-proofs.ts';
import { knownAddresses } from './draining.ts';
import { openBackups } from './open-backups.ts';
import { openBridge } from './open-bridge.ts';
import type { OpenDisplay } from './open-display.ts';
import { openDrainer } from './open-drainer.ts';
import { openFolder } from './open-folder.ts';
import { openService } from './open-service.ts';
import { openSettings } from './open-settings.ts';
import { tillOpener } from './open-till.ts';
import { openUpdates } from './open-updates.ts';
import { openWeb } from './open-web.ts';
import { openWindows } from './open-windows.ts';
import { OpenedParts } from './opened-parts.ts';
import type { OpenedService } from './opened-service.ts';

export interface AgentStart {
  readonly dataDir: string;
  readonly settings: Settings;
  /** Serves the cashier screen on loopback. */
  readonly ui: boolean;
  readonly version: string;
  readonly log: Log;
  /** The built cashier screen. */
  readonly rendererDir: string;
  readonly secrets: SecretStore;
  /** What settings are made from at this moment: they are read and changed while the agent runs. */
  readonly sources: () => SettingsSources;
  /** Installed for a shop, and not run from its sources. */
  readonly isPackaged: boolean;
  /** Where windows of other users find this agent; null or missing: those of this user alone may open one. */
  readonly attachFolder?: string | null;
  /** Nobody has said yet which mode this till is for (first-run.ts). */
  readonly asksMode: boolean;
  /** The settings files could not be read, nor what they said before: these are defaults, in the last known mode. */
  readonly areSettingsLost: boolean;
  /** What of the settings files is used; kept as their last good content. */
  readonly settingsLayers: FileLayers;
  /** What is wrong with the settings files, in whose place the last good settings are used. */
  readonly settingsFaults: readonly string[];
  /** A settings file is used that could not be checked: one line. */
  readonly settingsDoubt: string | null;
  /** Has the program end in good order, which closes the agent. */
  readonly end: () => void;
  /** Null: what runs this agent is not updated by itself. */
  readonly updates: UpdateHost | null;
}

export interface RunningAgent {
  /** Of the bridge, up to and with `/v1`. */
  readonly baseUrl: string;
  /** The bridge's local token. */
  readonly token: string;
  /** The screen's address with its one-time token; null when it is not served. */
  readonly uiUrl: string | null;
  /** Of the customer's own screen, with its one-time token; null when the settings have none. */
  readonly customerUrl: string | null;
  /** Of the embedded sandbox's control API; null without one. */
  readonly controlUrl: string | null;
  /** What opens it; null without one. */
  readonly controlKey: string | null;
  readonly mode: Mode;
  readonly dataDir: string;
  /** What a window speaks to; the same each time. */
  readonly openTill: () => Promise<Till>;
  readonly core: AgentCore;
  /** The screen works: a version on trial has passed. */
  readonly screenStarted: () => void;
  /** Ends the doors, lets what is in flight end, closes the database. The same promise when called again. */
  close(): Promise<void>;
}

/**
 * The composition root: puts the agent together and opens its doors.
 *
 * @throws DataFolderInUseError, DataFolderError, SecretsError, StoreError, PortUnavailableError
 */
export async function startAgent(start: AgentStart): Promise<RunningAgent> {
  const { dataDir, settings, log, version } = start;
  const opened = new OpenedParts((error) => log.error({ error }, 'A part of the agent did not close well'));
  const calm = Promise.withResolvers<void>();
  const closeAll = (): Promise<void> => {
    // A call that waits for the HTTP client ends as any other.
    calm.resolve();
    return opened.close();
  };
  // They come to be after the parts that show them, which look here each time.
  let customer: OpenDisplay | null = null;
  let web: WebHost | null = null;
  try {
    const folder = await openFolder(start, opened);
    await bindKeptKeys(start.secrets, knownAddresses(start));
    const isBegun = await isAuditBegun(start.secrets);
    const tillKey = await keptTillKey(start.secrets, randomBytes);
    const audit = openAudit(start, { tillKey, isBegun });
    opened.add(() => audit.close());
    const tokens = await PosTokens.load({
      secrets: start.secrets,
      randomBytes,
      onChanged: (event, name, by) => audit.note({ event, token_name: name, by }),
    });
    const profileKey = await keptProfileKey(start.secrets, randomBytes);
    const service = await openService(start, { calm: calm.promise, audit, log });
    opened.add(service.close);
    const random = systemRandom();
    const peopleSealing = await peopleSealingOf(
      { dataDir, secrets: start.secrets, mode: settings.mode },
      { tillKey, audit, onFailed: (error) => log.warn({ error }, 'The version of the list of people is not noted') },
    );
    const seal = await sealOf(start, 'production', { tillKey, audit });
    const machine = machineIdentity();
    const drainer = await openDrainer(start, { machine, clock: systemClock(), random, profileKey, audit, seal });
    opened.add(drainer.close);
    const notices = startNotices(start, service);
    const backups = openBackups(start, { clock: systemClock(), tillKey });
    opened.add(backups.close);
    const runningSettings = openSettings(start, { clock: systemClock(), audit });
    opened.add(runningSettings.close);
    const noticeSources = [() => notices, runningSettings.notices, folder.notices, backups.notices, drainer.notices];
    const core = createCore({
      dataDir,
      machine,
      clock: service.clock,
      machineClock: systemClock(),
      random,
      log,
      settings,
      service,
      profileKey,
      audit,
      seal: await sealOf(start, settings.mode, { tillKey, audit }),
      peopleSealing,
      isTestClock: service.control !== null,
      knownGoals: service.rewardGoals,
      moreNotices: () => noticeSources.flatMap((source) => source()),
      pacing: settings.mode === 'sandbox' ? sandboxPacing : networkPacing,
    });
    opened.add(() => core.close());
    if (service.aside !== null)
      log.error({ aside: service.aside }, "The sandbox's own books were damaged; it begins anew");
    const checkOwnService = async () => {
      const { checkService } = await import('../doctor/check-service.ts');
      return checkService({ settings, apiKey: service.apiKey, clock: systemClock() });
    };
    const till = tillOpener({
      core,
      settings: runningSettings.editor,
      tokens,
      service,
      start,
      asksMode: runningSettings.asksMode,
      display: () => customer,
      checkOwnService,
    });
    opened.add(till.close);
    const updates = await openUpdates(start, { core, tillKey, audit, stateChanged: till.stateChanged });
    if (updates !== null) {
      noticeSources.push(() => updates.notices());
      opened.add(() => updates.close());
    }
    runningSettings.connect({
      till,
      updates,
      counts: () => ({ [settings.mode]: core.counts(), ...drainer.counts() }),
    });

    const bridge = await openBridge(start, {
      core,
      tokens,
      officeSecret: folder.officeSecret,
      settingsEditor: runningSettings.editor,
      updates,
      audit,
      control: service.control,
      checkOwnService,
      web: () => web,
    });
    opened.add(bridge.close);
    const { port } = bridge.server;

    if (start.ui) web = await openWeb(start, { till: await till.open(), audit });
    if (web !== null) opened.add(web.close);

    if (settings.window.customer_display === 'on') {
      customer = await (await import('./open-display.ts')).openDisplay(start, {
        core,
        audit,
        onCheckIn: till.stateChanged,
      });
      opened.add(customer.close);
    }
    const origin = `http://127.0.0.1:${port}`;
    const onFailed = (error: unknown) => log.warn({ error }, 'agent.json cannot be written: commands miss this agent');
    opened.add(tellRunningAgent(dataDir, { port, pid: process.pid }, { clock: systemClock(), onFailed }));
    opened.add(openWindows({ attachFolder: null, ...start }, { server: bridge.server, tills: till, audit }));
    void calm.promise.then(() => log.info({ mode: settings.mode, port, version }, agentReadyMessage));
    opened.add(warmUp(core, { onCalm: () => calm.resolve(), log }));

    let closing: Promise<void> | null = null;
    return {
      baseUrl: `${origin}/v1`,
      token: tokens.main,
      uiUrl: web === null ? null : web.url,
      customerUrl: customer?.url ?? null,
      controlUrl: service.control === null ? null : `${origin}/_sandbox`,
      controlKey: service.controlKey,
      mode: settings.mode,
      dataDir,
      openTill: till.open,
      core,
      screenStarted: () => updates?.started(),
      close: () => (closing ??= closeAll()),
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** What a person should know of this start for as long as the agent runs. */
function startNotices(
  { areSettingsLost, settings }: AgentStart,
  { aside }: Pick<OpenedService, 'aside'>,
): readonly Notice[] {
  const notices: Notice[] = [];
  if (areSettingsLost) notices.push({ code: 'settings_lost', mode: settings.mode });
  if (aside !== null) notices.push({ code: 'sandbox_began_anew', aside });
  return notices;
}
