import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/**
 * A store's compiled statements: their modules export these, lists of their columns, and nothing else. And what a new
 * database begins with.
 */
const statementModule = /[\\/]store[\\/](?:statements[\\/][\w-]+|(?:migrations[\\/])?new-database)\.ts$/;

/**
 * Compiles the stores' statements while the program is built, and puts them into it as constants: the query layer, the
 * schema's old steps and the time that they take stay out of a start. Run from the sources, the same modules compile as
 * they are loaded.
 */
export const compiledStatements: Plugin = {
  name: 'compiled-statements',
  load: { filter: { id: statementModule }, handler: compileStatements },
  // The tests' cache looks at a module's own text alone, and what these hold comes from others, such as the schema's steps.
  configureVitest({ defineCacheKeyGenerator }) {
    defineCacheKeyGenerator(({ id }) => (statementModule.test(id) ? false : null));
  },
};

/** @returns the module's exports as constants @throws Error when one is more than plain data */
export async function compileStatements(path: string): Promise<string> {
  const exported = Object.entries<unknown>(await import(pathToFileURL(path).href));
  const shared = sharedParts(exported.map(([, value]) => value));
  return [
    ...[...shared].map(([part, name]) => `const ${name} = ${part};\n`),
    ...exported.map(([name, value]) => `export const ${name} = ${asConstant(value, { name, key: '', shared })};\n`),
  ].join('');
}

/** What a query reads, and of which table. */
const headOf = (text: string) => /^select .*? from /s.exec(text)?.[0] ?? '';

/** What more than one statement has, as JSON, each with a name: heads of queries and lists stand in the program once. */
function sharedParts(value: unknown): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  JSON.stringify(value, (_, part: unknown) => {
    const shareable = typeof part === 'string' ? headOf(part) : Array.isArray(part) && part.length > 0 ? part : '';
    const text = JSON.stringify(shareable);
    if (shareable !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
    return part;
  });
  const shared = [...counts].filter(([, count]) => count > 1);
  return new Map(shared.map(([part], index) => [part, `part${index + 1}`]));
}

interface Place {
  readonly name: string;
  readonly key: string;
  readonly shared: ReadonlyMap<string, string>;
}

function asConstant(value: unknown, place: Place): string {
  if (typeof value === 'string') {
    const head = headOf(value);
    const name = place.shared.get(JSON.stringify(head));
    return name === undefined ? JSON.stringify(value) : `${name} + ${JSON.stringify(value.slice(head.length))}`;
  }
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) {
    const parts = value.map((part: unknown) => asConstant(part, place));
    return place.shared.get(JSON.stringify(value)) ?? `[${parts.join(', ')}]`;
  }
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(
      ([key, part]: [string, unknown]) => `${key}: ${asConstant(part, { ...place, key })}`,
    );
    return `{ ${parts.join(', ')} }`;
  }
  throw new Error(`${place.name}: ${place.key} is no plain data, so the build cannot write it as a constant`);
}
