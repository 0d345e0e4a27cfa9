import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** A part of the built program or a pack of them, as it was loaded. */
export interface LoadedPart {
  readonly path: string;
  readonly script: Script;
}

/**
 * Where the compiled code of a part is kept, for this system alone. V8 itself refuses code of another version, of other
 * flags, or of a text of another length. Another text of the same length has another name: a hash of the text is in it.
 */
export function keptCodePath(part: string): string {
  return part.replace(/\.cjs$/, `.${process.platform}-${process.arch}.code`);
}

type DefinePart = (exports: object, require: object, filename: string, dirname: string) => void;

/** The text of a part as the function that makes it, which is how CommonJS is run. */
export function asFunction(text: string): string {
  return `(function (exports, require, __filename, __dirname) {${text}\n})`;
}

/** What the built program's package.json says, with every path from its folder. */
export interface ProgramManifest {
  readonly main: string;
  /**
   * Parts that bring others with them, each with the pack that holds them all: a script whose value is an object of the
   * functions that make them, by their paths. One large file is read, proven and given to V8 sooner than thirty small ones.
   */
  readonly packs: Readonly<Record<string, string>>;
}

/**
 * Runs the built program, whose parts are CommonJS. V8 compiles a function when it is first called: in the start, and in
 * the first sale. Node's own cache is written before any function was called, and so has next to none. The build keeps
 * the code of the functions that a rehearsal called (tools/keep-code.ts), and this loader gives it to V8.
 *
 * @param folder where its package.json names its first part
 * @param onLoaded told of each part, before it runs
 */
export function runProgram(folder: string, onLoaded: (part: LoadedPart) => void = () => undefined): void {
  const manifestPath = join(folder, 'package.json');
  const manifest: ProgramManifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  const packs = new Map(Object.entries(manifest.packs).map(([part, pack]) => [join(folder, part), join(folder, pack)]));
  const packed = new Map<string, DefinePart>();
  const ofPackages = createRequire(manifestPath);
  const exportsOf = new Map<string, object>();

  function runScript<Value>(path: string, wrap: (text: string) => string): Value {
    // The build writes ASCII alone.
    const text = wrap(readFileSync(path, 'latin1'));
    const cachedData = keptCode(path);
    const script = new Script(text, { filename: path, ...(cachedData === null ? {} : { cachedData }) });
    onLoaded({ path, script });
    return script.runInThisContext();
  }

  function definitionOf(path: string): DefinePart {
    const pack = packs.get(path);
    if (pack !== undefined) {
      const parts = runScript<Record<string, DefinePart>>(pack, (text) => text);
      for (const [part, define] of Object.entries(parts)) packed.set(join(folder, part), define);
    }
    return packed.get(path) ?? runScript<DefinePart>(path, asFunction);
  }

  function load(path: string): object {
    const known = exportsOf.get(path);
    if (known !== undefined) return known;
    const define = definitionOf(path);
    const here = dirname(path);
    // Asked for a part of Node, `require` would first look whether it is a file: 0.4 ms of a start.
    const require = (id: string): unknown => {
      if (id.startsWith('.')) return load(join(here, id));
      return seldomUsed.has(id) ? whenUsed(id) : (process.getBuiltinModule(id) ?? ofPackages(id));
    };
    require.resolve = ofPackages.resolve;
    const exports = {};
    // Before it runs: two parts may need each other.
    exportsOf.set(path, exports);
    try {
      define(exports, require, path, here);
    } catch (error) {
      // Whoever loads the part again gets the same error, and not its half-made exports.
      exportsOf.delete(path);
      throw error;
    }
    return exports;
  }

  load(join(folder, manifest.main));
}

/** Parts of Node that a start has no use for: 1 ms. None is a function itself. */
const seldomUsed: ReadonlySet<string> = new Set(['node:dns', 'node:zlib']);

/** Loads a part of Node when something of it is used. */
function whenUsed(id: string): object {
  return new Proxy({}, { get: (_, name) => Reflect.get(process.getBuiltinModule(id) ?? {}, name) });
}

const digestOf = (code: Uint8Array): Buffer => hash('sha256', code, 'buffer');
const digestBytes = 32;

/** What the file of a part's compiled code holds. V8 does not check that it is whole, and can crash on damaged code. */
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
