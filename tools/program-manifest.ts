import type { Plugin } from 'vite';
import { asFunction, type ProgramManifest } from '../app/machine/kept-code.ts';

interface Part {
  readonly fileName: string;
  readonly imports: readonly string[];
  readonly code: string;
}

/**
 * Says in package.json how the program is run (app/machine/kept-code.ts), and writes its packs.
 *
 * @param packed modules, from the root: the part of each is packed with what it needs and nothing before it has brought
 */
export function programManifest(packed: readonly string[]): Plugin {
  return {
    name: 'program-manifest',
    generateBundle(_options, outputs) {
      const chunks = Object.values(outputs).filter((output) => output.type === 'chunk');
      const parts = new Map<string, Part>(chunks.map((chunk) => [chunk.fileName, chunk]));
      const first = chunks.find((chunk) => chunk.isEntry);
      if (first === undefined) return this.error('The program has no first part.');
      const loaded = new Set<string>();
      addWithImports(first.fileName, parts, loaded);
      const packs: Record<string, string> = {};
      for (const module of packed) {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.replaceAll('\\', '/').endsWith(`/${module}`));
        if (chunk === undefined) return this.error(`${module} is no part of the program any more.`);
        const before = new Set(loaded);
        addWithImports(chunk.fileName, parts, loaded);
        // Told by the hash in the part's name. What the others have brought is of the same build.
        const fileName = chunk.fileName.replace(/\.cjs$/, '.pack.cjs');
        const brought = [...loaded].filter((name) => !before.has(name));
        const source = packOf(
          brought.flatMap((name) => parts.get(name) ?? []).map((part) => [part.fileName, part.code]),
        );
        this.emitFile({ type: 'asset', fileName, source });
        packs[chunk.fileName] = fileName;
      }
      // The parts are CommonJS, although the package around them has ES modules.
      const manifest: ProgramManifest & { readonly type: 'commonjs' } = {
        type: 'commonjs',
        main: first.fileName,
        packs,
      };
      this.emitFile({ type: 'asset', fileName: 'package.json', source: `${JSON.stringify(manifest)}\n` });
    },
  };
}

function addWithImports(name: string, parts: ReadonlyMap<string, Part>, loaded: Set<string>): void {
  if (loaded.has(name)) return;
  loaded.add(name);
  for (const imported of parts.get(name)?.imports ?? []) addWithImports(imported, parts, loaded);
}

/** @param parts the path and the text of each */
export function packOf(parts: readonly (readonly [string, string])[]): string {
  const members = parts.map(([path, text]) => `${JSON.stringify(path)}: ${asFunction(text)}`);
  return `({\n${members.join(',\n')}\n})\n`;
}

/** Where a part stands in its pack. Line and column count from 0. */
export interface PlaceInPack {
  readonly fileName: string;
  readonly firstLine: number;
  /** Of its first line; its other lines begin at column 0. */
  readonly firstColumn: number;
}

/** @returns the parts of what `packOf` has written, in their order */
export function placesInPack(pack: string): readonly PlaceInPack[] {
  return pack.split('\n').flatMap((line, firstLine) => {
    const [start, fileName] = /^"([^"]+)": \(function \([^)]*\) \{/.exec(line) ?? [];
    return start === undefined || fileName === undefined ? [] : [{ fileName, firstLine, firstColumn: start.length }];
  });
}
