import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { parseSync } from 'vite';
import { modulesUnder, targetOf } from './check.ts';
import { importsOf } from './imports.ts';

type Module = ReturnType<typeof parseSync>['module'];

/**
 * What is exported and named by no other module: `app/agent.ts: openAgent`.
 *
 * @param places folders and files under `root`
 */
export function exportsWithoutImporter(root: string, places: readonly string[]): readonly string[] {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const texts = new Map(
    places
      .flatMap((place) => (place.endsWith('.ts') ? [place] : modulesUnder(root, place)))
      .map((name) => [name, read(name)]),
  );
  const asked = new Map<string, Set<string>>();
  const exported: (readonly [module: string, name: string])[] = [];
  for (const [module, text] of texts) {
    const { module: parts } = parseSync(module, text);
    for (const name of exportedNames(parts)) exported.push([module, name]);
    for (const [target, name] of askedNames(module, text, parts)) {
      asked.set(target, (asked.get(target) ?? new Set()).add(name));
    }
  }
  const wholes = [...asked].filter(([, names]) => names.has(everything)).map(([target]) => target);
  return exported
    .filter(([module, name]) => !asked.get(module)?.has(name) && !wholes.some((target) => matchesGlob(module, target)))
    .map(([module, name]) => `${module}: ${name}`);
}

/** `export default` is for programs that read a file by its name: a tool's configuration. */
function exportedNames(module: Module): readonly string[] {
  return module.staticExports
    .flatMap(({ entries }) => entries.map((entry) => entry.exportName))
    .flatMap(({ kind, name }) => (kind === 'Name' && name !== null ? [name] : []));
}

/** Asked for in a way that names nothing of it: `import()`, `* as`, `typeof import()`. */
const everything = '*';

function askedNames(from: string, text: string, module: Module): readonly (readonly [target: string, name: string])[] {
  const asked: (readonly [string, string])[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName } of entries) {
      asked.push([
        targetOf(from, moduleRequest.value),
        importName.kind === 'Name' ? (importName.name ?? '') : everything,
      ]);
    }
  }
  for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest === null) continue;
    asked.push([
      targetOf(from, moduleRequest.value),
      importName.kind === 'Name' ? (importName.name ?? '') : everything,
    ]);
  }
  for (const { specifier, isDeclaration } of importsOf(from, text)) {
    if (specifier !== null && !isDeclaration) asked.push([targetOf(from, specifier), everything]);
  }
  return asked;
}
