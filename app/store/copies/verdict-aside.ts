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

/**
 * Has a file checked by another process, beside the sales.
 *
 * @param execPath the program that reads it; another one in tests
 * @returns `ok`, or what is wrong; null where no second process can be had here
 */
export async function verdictAside(file: string, execPath?: string): Promise<string | null> {
  const reader = startReader(program, file, execPath);
  const closed = new Promise<NodeJS.Signals | null>((resolve) => {
    reader.once('close', (_code, signal) => resolve(signal));
  });
  const [said, signal] = await Promise.all([text(reader.stdout).catch(() => ''), closed]);
  if (signal !== null) return `its reader ended by ${signal}`;
  return /^verdict: (.*)$/s.exec(said)?.[1] ?? null;
}
