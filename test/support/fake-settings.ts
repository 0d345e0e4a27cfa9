import type { ChangeOutcome, SettingsDesk, SettingsPatch } from '../../app/config/settings-desk.ts';

/** A till's settings that nobody looks at. */
export const noSettings: Pick<SettingsDesk, 'read' | 'change'> = fakeSettings({ kind: 'saved', restart_needed: false });

/** Settings of one fact; every change ends as told. */
export function fakeSettings(
  outcome: ChangeOutcome,
  asked: { readonly patch: SettingsPatch; readonly isConfirmed: boolean }[] = [],
): Pick<SettingsDesk, 'read' | 'change'> {
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
  };
}
