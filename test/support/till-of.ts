import { createTill, type Till } from '../../app/till/till.ts';
import { noSettings } from './fake-settings.ts';

type TillParts = Parameters<typeof createTill>[0];

/** The till's commands on a core; what a test does not name has nothing in it. */
export function tillOf(parts: Pick<TillParts, 'core' | 'clock' | 'onFault'> & Partial<TillParts>): Till {
  return createTill({
    certify: () => undefined,
    version: '0',
    saveLocale: () => undefined,
    clockRuns: () => true,
    settings: noSettings,
    practiceCards: () => [],
    ...parts,
  });
}
