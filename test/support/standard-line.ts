import { settingsSchema } from '../../app/config/settings.ts';

/** The line to a service of a shop that has set nothing about it. */
export const standardLine = settingsSchema.parse({}).tls;
