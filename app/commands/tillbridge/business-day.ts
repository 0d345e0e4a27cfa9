import { type Settings, settingsSchema } from '../../config/settings.ts';
import type { SettingsEditor } from '../../config/settings-desk.ts';

/** How an agent that does not run counts its days; as ever, when its settings would refuse a start. */
export async function businessDayOf(desk: SettingsEditor): Promise<Pick<Settings, 'time_zone' | 'day_starts_at'>> {
  const { settings } = await desk.read();
  const named = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  const { time_zone, day_starts_at } = settingsSchema.parse({});
  return {
    time_zone: typeof named.time_zone === 'string' ? named.time_zone : time_zone,
    day_starts_at: typeof named.day_starts_at === 'string' ? named.day_starts_at : day_starts_at,
  };
}
