import { text } from 'node:stream/consumers';
import { startReader } from '../database/reader-process.ts';

/** The same check as of a file that is read here (backup.ts). */
const program = `
const [path, module] = process.argv.slice(1);
const Database = require(module);
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

/** By these a page that is damaged brings a reader down. By any other one somebody has ended it. */
const crashSignals: readonly string[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT'];

/** The reader was ended before it was done, by a stop of the service or for want of memory: nothing is known of the file. */
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
  const closed = new Promise<NodeJS.Signals | null>((resolve) => {
    reader.once('close', (_code, signal) => resolve(signal));
  });
  const [said, signal] = await Promise.all([text(reader.stdout).catch(() => ''), closed]);
  ending?.removeEventListener('abort', end);
  if (signal !== null && !crashSignals.includes(signal))
    throw new ReaderEndedError(`Its reader was ended by ${signal}`);
  if (signal !== null) return `its reader ended by ${signal}`;
  return /^verdict: (.*)$/s.exec(said)?.[1] ?? null;
}
