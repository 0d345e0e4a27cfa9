import { type Settings, settingsSchema } from '../../config/settings.ts';
import type { SettingsEditor } from '../../config/settings-editor.ts';

/** The till's currency while no agent runs; as ever, when its settings would refuse a start. */
export async function currencyOf(editor: SettingsEditor): Promise<string> {
  const { settings } = await editor.read();
  const value = settings.find(({ name }) => name === 'currency')?.value;
  return typeof value === 'string' ? value : settingsSchema.parse({}).currency;
}

/** How an agent that does not run counts its days; as ever, when its settings would refuse a start. */
export async function businessDayOf(editor: SettingsEditor): Promise<Pick<Settings, 'time_zone' | 'day_starts_at'>> {
  const { settings } = await editor.read();
  const named = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  const { time_zone, day_starts_at } = settingsSchema.parse({});
  return {
    time_zone: typeof named.time_zone === 'string' ? named.time_zone : time_zone,
    day_starts_at: typeof named.day_starts_at === 'string' ? named.day_starts_at : day_starts_at,
  };
}
