import type { PosTokens } from '../bridge/pos-tokens.ts';
import { loadSettings, type SettingsSources } from '../config/load-settings.ts';
import { saveSetting } from '../config/saved-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { SettingsEditor } from '../config/settings-desk.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import { readApiKeys, type SecretStore } from '../machine/secrets.ts';
import type { Till, TillOptions } from '../till/till.ts';

interface TillParts {
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
    readonly secrets: SecretStore;
    readonly sources: SettingsSources;
  };
}

/** The screen's side of the agent. It is loaded with the first window: an agent that no screen asks starts without it. */
export interface TillOpener {
  /** The same each time. */
  readonly open: () => Promise<Till>;
  /** The language of the screen was set elsewhere, whether there is a screen yet or not. */
  readonly showLocale: (locale: Settings['locale']) => void;
  readonly close: () => Promise<void>;
}

export function tillOpener(parts: TillParts): TillOpener {
  let opening: Promise<Till> | null = null;
  let locale: Settings['locale'] | null = null;
  let endTurned = (): void => undefined;

  async function open(): Promise<Till> {
    const till = await loadTill(parts);
    endTurned = parts.service.onTurned(till.stateChanged);
    if (locale !== null) till.showLocale(locale);
    return till;
  }
  return {
    open: () => (opening ??= open()),
    showLocale(chosen) {
      locale = chosen;
      void opening?.then((till) => till.showLocale(chosen));
    },
    async close() {
      endTurned();
      (await opening)?.close();
    },
  };
}

async function loadTill({ core, settings, tokens, service, start }: TillParts): Promise<Till> {
  const { createTill } = await import('../till/till.ts');
  const { dataDir, version, log, secrets, sources } = start;
  const clock = systemClock();
  return createTill({
    core,
    clock,
    version,
    saveLocale(locale) {
      try {
        saveSetting(dataDir, 'locale', locale);
      } catch (error) {
        log.warn({ error }, 'The language of the screen is not kept for the next start');
      }
    },
    clockRuns: service.clockRuns,
    practiceCards: service.practiceCards,
    lab: service.lab,
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
        loadSettings: async () => loadSettings({ ...sources, savedKeys: await readApiKeys(secrets) }),
      },
    },
    onFault: (error) => log.error({ error }, 'A command of the screen failed'),
  });
}
