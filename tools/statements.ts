import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** A store's compiled statements: their modules export these, lists of their columns, and nothing else. */
const statementModule = /[\\/]store[\\/]statements[\\/][\w-]+\.ts$/;

/**
 * Compiles the stores' statements while the program is built, and puts them into it as constants: the query layer and
 * the time that it takes stay out of a start. Run from the sources, the same modules compile as they are loaded.
 */
export const compiledStatements: Plugin = {
  name: 'compiled-statements',
  load: { filter: { id: statementModule }, handler: compileStatements },
};

/** @returns the module's exports as constants @throws Error when one is more than plain data */
export async function compileStatements(path: string): Promise<string> {
  const exported = Object.entries<unknown>(await import(pathToFileURL(path).href));
  return exported.map(([name, value]) => `export const ${name} = ${asConstant(name, value)};\n`).join('');
}

function asConstant(name: string, value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (part !== undefined && typeof part !== 'function' && typeof part !== 'bigint') return part;
    throw new Error(`${name}: ${key} is no plain data, so the build cannot write it as a constant`);
  });
}
