import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** A part of the built program, as it was loaded. */
export interface LoadedPart {
  readonly path: string;
  readonly script: Script;
}

/**
 * Where the compiled code of a part is kept: of this system alone. V8 looks itself whether it is its own version's, was
 * made under the same flags, and of a text of this length; the part's name has the hash of the text in it.
 */
export function keptCodePath(part: string): string {
  return part.replace(/\.cjs$/, `.${process.platform}-${process.arch}.code`);
}

/**
 * Runs the built program, whose parts are CommonJS. Node keeps of a module what V8 compiles at once, which is next to
 * nothing: each function is compiled when it is first called, in the start and in the first sale. What the build keeps has
 * the functions in it that were called in a rehearsal (tools/keep-code.ts).
 *
 * @param folder where its package.json names its first part
 * @param onLoaded told of each part, before it runs
 */
export function runProgram(folder: string, onLoaded: (part: LoadedPart) => void = () => undefined): void {
  const ofPackages = createRequire(join(folder, 'package.json'));
  const exportsOf = new Map<string, object>();

  function load(path: string): object {
    const known = exportsOf.get(path);
    if (known !== undefined) return known;
    // The build writes ASCII alone.
    const text = readFileSync(path, 'latin1');
    const cachedData = keptCode(path);
    const script = new Script(`(function (exports, require, __filename, __dirname) {${text}\n})`, {
      filename: path,
      ...(cachedData === null ? {} : { cachedData }),
    });
    onLoaded({ path, script });
    const here = dirname(path);
    const require = (id: string): unknown => (id.startsWith('.') ? load(join(here, id)) : ofPackages(id));
    require.resolve = ofPackages.resolve;
    const exports = {};
    // Before it runs: two parts may need each other.
    exportsOf.set(path, exports);
    try {
      script.runInThisContext()(exports, require, path, here);
    } catch (error) {
      // Who asks for it again gets the same error, and not what it has come to.
      exportsOf.delete(path);
      throw error;
    }
    return exports;
  }

  const manifest: { readonly main: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  load(join(folder, manifest.main));
}

const digestOf = (code: Uint8Array): Buffer => hash('sha256', code, 'buffer');
const digestBytes = 32;

/** What the file of a part's compiled code holds: V8 does not look whether it is whole, and would fall over it. */
export function withDigest(code: Uint8Array): Uint8Array {
  return Buffer.concat([code, digestOf(code)]);
}

/** Null where the build could not rehearse, or was made for another system, or the file is damaged: V8 compiles then. */
function keptCode(part: string): Uint8Array | null {
  try {
    const bytes = readFileSync(keptCodePath(part));
    const code = bytes.subarray(0, -digestBytes);
    return digestOf(code).equals(bytes.subarray(-digestBytes)) ? code : null;
  } catch {
    return null;
  }
}
