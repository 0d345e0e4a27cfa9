import type { z } from 'zod';
import { settingsSchema } from '../../app/config/settings.ts';
import type { ChangeOutcome, SettingsPatch } from '../../app/config/settings-editor.ts';
import type { TillOptions } from '../../app/till/till.ts';

/** Settings as a file names them: what is left out is at its default. */
export type SettingsInput = z.input<typeof settingsSchema>;

/** A till's settings that nobody looks at. */
export const noSettings: TillOptions['settings'] = fakeSettings({ kind: 'saved', restart_needed: false });

/** Settings of one fact; every change ends as told. */
export function fakeSettings(
  outcome: ChangeOutcome,
  asked: { readonly patch: SettingsPatch; readonly isConfirmed: boolean }[] = [],
): TillOptions['settings'] {
  return {
    read: async () => ({
      settings: [{ name: 'mode', value: 'sandbox', source: 'default', locked: false }],
      problems: [],
      warnings: [],
      waiting: { sandbox: 2, production: 0 },
      restart_needed: false,
      asks_mode: true,
    }),
    async change(patch, { isConfirmed }) {
      asked.push({ patch, isConfirmed });
      return outcome;
    },
    preview: async () => ({ kind: 'fits', settings: settingsSchema.parse({}), isKeySealed: false }),
    tokens: {
      list: () => [],
      make: async () => ({ kind: 'invalid', field: 'name', problem: 'no tokens are kept here' }),
      revoke: async () => false,
    },
    testConnection: async () => [],
    nowMs: () => 0,
    diagnostics: {
      dataDir: '/nowhere',
      clock: { now: () => 0, monotonicMs: () => 0, setTimer: () => () => undefined },
      held: async () => ({ kind: 'refused', problems: [] }),
      checkService: async () => [],
    },
  };
}
