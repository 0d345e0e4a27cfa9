import { text } from 'node:stream/consumers';
import { faultSignals } from '../../machine/crash-signals.ts';
import { startReader } from '../database/reader-process.ts';

/** What it says once it has all that a check needs. */
const begun = 'begun\n';

/** The same check as of a file that is read here (backup.ts). */
const program = `
const [path, module] = process.argv.slice(1);
const Database = require(module);
require('node:fs').writeSync(1, ${JSON.stringify(begun)});
let verdict;
try {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  for (const setting of ['trusted_schema = OFF', 'cell_size_check = ON']) database.pragma(setting);
  verdict = database.pragma('integrity_check(1)', { simple: true });
} catch (error) {
  verdict = error.message;
}
process.stdout.write('verdict: ' + verdict);
`;

/** The reader ended before it was done, by a stop of the service, for want of memory, or on Windows by a crash: nothing is known of the file. */
export class ReaderEndedError extends Error {}

/**
 * Has a file checked by another process, beside the sales.
 *
 * @param options.execPath the program that reads it; another one in tests
 * @param options.signal ends the reader
 * @returns `ok`, or what is wrong; null where no second process can be had here
 * @throws ReaderEndedError
 */
export async function verdictAside(
  file: string,
  { execPath, signal: ending }: { readonly execPath?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<string | null> {
  const reader = startReader(program, file, execPath);
  const end = (): void => void reader.kill();
  ending?.addEventListener('abort', end);
  if (ending?.aborted === true) end();
  const closed = new Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>((resolve) => {
    reader.once('close', (code, signal) => resolve([code, signal]));
  });
  const [said, [code, signal]] = await Promise.all([text(reader.stdout).catch(() => ''), closed]);
  ending?.removeEventListener('abort', end);
  // By another one somebody has ended it, or its own program.
  if (signal !== null && !faultSignals.has(signal)) throw new ReaderEndedError(`Its reader was ended by ${signal}`);
  if (signal !== null) return `its reader ended by ${signal}`;
  if (!said.startsWith(begun)) return null;
  const verdict = /^verdict: (.*)$/s.exec(said.slice(begun.length))?.[1];
  // On Windows a page that is damaged brings it down so, and whoever read the file here would go the same way.
  if (verdict === undefined) throw new ReaderEndedError(`Its reader ended with exit code ${code}`);
  return verdict;
}
