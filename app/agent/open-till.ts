import type { PosTokens } from '../bridge/pos-tokens.ts';
import type { Settings } from '../config/settings.ts';
import type { SettingsEditor } from '../config/settings-editor.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Finding } from '../doctor/finding.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import type { SavedSettings, Till, TillOptions } from '../till/till.ts';
import type { OpenDisplay } from './open-display.ts';
import type { SettingsInOrder } from './watch-settings.ts';

interface TillParts {
  /** Asks the service one cheap question. */
  readonly checkOwnService: () => Promise<readonly Finding[]>;
  readonly core: AgentCore;
  readonly settings: SettingsEditor;
  readonly tokens: PosTokens;
  readonly service: Required<Pick<TillOptions, 'clockRuns' | 'practiceCards' | 'lab'>> & {
    readonly onTurned: (listener: () => void) => () => void;
  };
  readonly start: {
    readonly dataDir: string;
    readonly version: string;
    readonly log: Log;
  };
  readonly asksMode: () => boolean;
  /** Of the customer's own screen; null without one. */
  readonly display: () => OpenDisplay | null;
}

/** The screen's side of the agent. It is loaded with the first window: an agent that no screen asks starts without it. */
export interface TillOpener {
  /** The one of this process's own window and of browsers; the same each time. */
  readonly open: () => Promise<Till>;
  /** Makes one for each window that attaches: it has its own cashier, and ends when it is closed. */
  readonly maker: () => Promise<() => Till>;
  /** Settings were saved, whether there is a screen yet or not. */
  readonly showSaved: (settings: Settings) => void;
  /** The settings files were changed, and are in order: shows what of them holds at once. */
  readonly showFiles: (files: Pick<SettingsInOrder, 'settings' | 'sources'>) => void;
  /** Something that the frame shows has changed, and the core does not tell of it. */
  readonly stateChanged: () => void;
  readonly close: () => Promise<void>;
}

export function tillOpener(parts: TillParts): TillOpener {
  const tills = new Set<Till>();
  const startedAtMs = systemClock().now();
  let opening: Promise<Till> | null = null;
  let saved: SavedSettings | null = null;
  let localeOfFiles = parts.core.settings.locale;
  const endTurned = parts.service.onTurned(() => {
    for (const till of tills) till.stateChanged();
  });

  async function maker(): Promise<() => Till> {
    const makeTill = await loadTill(parts, startedAtMs);
    return () => {
      const made = makeTill();
      const till: Till = {
        ...made,
        close() {
          tills.delete(till);
          made.close();
        },
      };
      tills.add(till);
      if (saved !== null) till.showSaved(saved);
      return till;
    };
  }
  function show(settings: SavedSettings): void {
    saved = { ...settings, locale: settings.locale ?? saved?.locale ?? null };
    for (const till of tills) till.showSaved(settings);
  }
  return {
    open: () => (opening ??= maker().then((make) => make())),
    maker,
    showSaved(settings) {
      localeOfFiles = settings.locale;
      show(settings);
    },
    showFiles({ settings, sources }) {
      // A language that a cashier chose is saved, too: it stays that of the window in which it was chosen.
      const isDeployed = sources.locale === 'managed' && settings.locale !== localeOfFiles;
      localeOfFiles = settings.locale;
      show({ ...settings, locale: isDeployed ? settings.locale : null });
    },
    stateChanged() {
      for (const till of tills) till.stateChanged();
    },
    async close() {
      endTurned();
      await opening;
      for (const till of tills) till.close();
    },
  };
}

async function loadTill(
  { core, settings, tokens, service, start, asksMode, display, checkOwnService }: TillParts,
  startedAtMs: number,
): Promise<() => Till> {
  const { createTill } = await import('../till/till.ts');
  const { dataDir, version, log } = start;
  const clock = systemClock();
  const options: TillOptions = {
    core,
    clock,
    version,
    saveLocale(locale) {
      settings.saveLocale(locale).catch((error: unknown) => {
        log.warn({ error }, 'The language of the screen is not kept for the next start');
      });
    },
    clockRuns: service.clockRuns,
    practiceCards: service.practiceCards,
    lab: service.lab,
    certify: (certificate) => log.info(certificate, 'A practice shift was completed'),
    asksMode,
    display: () => display()?.display ?? null,
    displayUrl: (window) => display()?.windowUrl(window) ?? null,
    settings: {
      read: () => settings.read(),
      change: (patch, confirmation) => settings.change(patch, confirmation),
      preview: (patch) => settings.preview(patch),
      tokens,
      nowMs: () => clock.now(),
      async testConnection(asked) {
        const { testConnection } = await import('../doctor/check-connection.ts');
        return testConnection({ ...asked, clock });
      },
      diagnostics: {
        dataDir,
        clock,
        startedAtMs,
        held: () => settings.held(),
        checkService: checkOwnService,
      },
    },
    onFault: (error) => log.error({ error }, 'A command of the screen failed'),
  };
  return () => createTill(options);
}
