import { activityCsvHead, activityCsvLine } from '../../../shared/till/activity-csv.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { filterFlags, filterOf, partsOf } from './queue-filter.ts';
import { WrongUseError, withOffice } from './reach-office.ts';

export const queueExport: TillbridgeCommand = {
  summary: 'write operations as CSV or JSON lines',
  about: `Writes operations to standard output, newest first: all operations, or those that match the filter.
Customers are masked. Amounts are in minor units (12500 is KWD 12.500). The last columns say where an operation was
taken: business day, branch, device, employee and POS program (empty: the screen). Branch, device and employee are
part of the request, and are erased with it after retention_days.`,
  flags: [...filterFlags, { name: 'format', value: 'FORMAT', help: 'csv (default), or json: one object a line' }],
  words: [],
  async run({ values, dataDir, mode, json }) {
    const format = values.get('format') ?? (json ? 'json' : 'csv');
    if (format !== 'csv' && format !== 'json') throw new WrongUseError(`--format: ${format} is neither csv nor json`);
    const filter = filterOf(values);
    return withOffice(dataDir, mode, async (office) => {
      // The same failure comes to the write that meets it.
      process.stdout.on('error', () => undefined);
      try {
        if (format === 'csv') await write(activityCsvHead);
        for await (const part of partsOf(office, { ...filter, with_origins: true })) {
          const lines = part.operations.map((view, index) => {
            const origin = part.origins[index];
            return format === 'csv' ? activityCsvLine(view, origin) : `${JSON.stringify({ ...view, ...origin })}\n`;
          });
          await write(lines.join(''));
        }
      } catch (error) {
        if (!(error instanceof ReaderGoneError)) throw error;
      }
      return exitCodes.well;
    });
  },
};

/**
 * Waits for a reader that is slow, so that no export fills the memory.
 *
 * @throws ReaderGoneError
 */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error == null ? resolve() : reject(new ReaderGoneError())));
  });
}

/** Whoever read has seen enough (`| head`). */
class ReaderGoneError extends Error {}
