import { fstatSync, writeSync } from 'node:fs';
import { errorCode } from '../../shared/lib/error-code.ts';
import { exitCodes } from './exit-codes.ts';

type Command = (argv: readonly string[]) => Promise<number>;

/** What a pipe says whose reader has ended (`| head`); the last two on Windows. */
const readerGone: ReadonlySet<string> = new Set(['EPIPE', 'EOF', 'ECONNRESET']);

/**
 * A command whose answer on standard output is whole, or which says on standard error that it is not, and ends with 3. A
 * reader that has seen enough changes nothing.
 */
export function answeredWhole(command: Command): Command {
  return async (argv) => {
    const failures: Error[] = [];
    process.stdout.on('error', (error) => failures.push(error));
    if (isFile(process.stdout.fd)) Object.assign(process.stdout, { _write: writeWhole });
    const exitCode = await command(argv);
    await writesEnded();
    const [failure] = failures;
    if (failure === undefined || readerGone.has(errorCode(failure))) return exitCode;
    process.stderr.write(`${missingInWords(failure)}\n`);
    return exitCodes.outOfReach;
  };
}

function missingInWords({ message }: Error): string {
  return `Not all of the answer was written to standard output: ${message}. What the command has changed stays changed.`;
}

/** Writes end in their order: once this one has, all before it have. */
function writesEnded(): Promise<void> {
  return new Promise((resolve) => process.stdout.write('', () => resolve()));
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** A disk that fills up takes the first part of a write. Node's own stream does not look how much that was. */
function writeWhole(
  this: { readonly fd: number },
  bytes: Uint8Array,
  _encoding: string,
  done: (error?: unknown) => void,
): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(this.fd, bytes, written);
  } catch (error) {
    done(error);
    return;
  }
  done();
}
