import { activityCsvHead, activityCsvLine } from '../../../shared/till/activity-csv.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { filterFlags, filterOf, partsOf } from './queue-filter.ts';
import { withOffice } from './reach-office.ts';
import { WrongUseError } from './wrong-use.ts';

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
      let isTaken = format !== 'csv' || (await write(activityCsvHead));
      for await (const part of partsOf(office, { ...filter, with_origins: true })) {
        if (!isTaken) break;
        const lines = part.operations.map((view, index) => {
          const origin = part.origins[index];
          return format === 'csv' ? activityCsvLine(view, origin) : `${JSON.stringify({ ...view, ...origin })}\n`;
        });
        isTaken = await write(lines.join(''));
      }
      return exitCodes.well;
    });
  },
};

/** Waits for a reader that is slow, so that no export fills the memory. @returns whether more of it is wanted */
function write(text: string): Promise<boolean> {
  // Why not is told by whoever watches the answers of all commands.
  return new Promise((resolve) => process.stdout.write(text, (error) => resolve(error == null)));
}
