import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { importsOf, type WrittenImport } from './imports.ts';
import { importsAgain, type LayerRule } from './rules.ts';

/** What the walk saw: how many modules, and each broken rule as a sentence with its place. */
type LayerReport = { readonly moduleCount: number; readonly violations: readonly string[] };

/** Holds every import in `folders` (under `root`) against `rules`. */
export function checkLayers(root: string, folders: readonly string[], rules: readonly LayerRule[]): LayerReport {
  const violations: string[] = [];
  const modules = folders.flatMap((folder) => modulesUnder(root, folder));
  for (const module of modules) {
    for (const written of importsOf(module, readFileSync(join(root, module), 'utf8'))) {
      violations.push(...breaches(module, written, rules));
    }
  }
  return { moduleCount: modules.length, violations };
}

function breaches(module: string, written: WrittenImport, rules: readonly LayerRule[]): string[] {
  const place = `${module}:${written.line}`;
  if (written.specifier === null) {
    return importsAgain.has(module) ? [] : [`${place} imports a computed name, which cannot be checked`];
  }
  const target = targetOf(module, written.specifier);
  return rules
    .filter((rule) => holdsFor(rule, module) && isBroken(rule, target, written))
    .map((rule) => `${place} imports ${target}: ${rule.why}`);
}

function holdsFor(rule: LayerRule, module: string): boolean {
  return startsWithAny(module, rule.from) && !startsWithAny(module, rule.exceptFrom ?? []);
}

function isBroken(rule: LayerRule, target: string, written: WrittenImport): boolean {
  if (rule.only !== undefined && !matchesAny(target, rule.only)) return true;
  if (rule.never === undefined || !matchesAny(target, rule.never)) return false;
  if (matchesAny(target, rule.except ?? [])) return false;
  return !(written.isTypeOnly && matchesAny(target, rule.exceptTypesOf ?? []));
}

/** A path from the root, `npm:package` or `node:module`. */
export function targetOf(module: string, specifier: string): string {
  const path = specifier.replace(/[?#].*$/, '');
  if (path.startsWith('.')) return posix.join(posix.dirname(module), path);
  if (isBuiltin(path)) return path.startsWith('node:') ? path : `node:${path}`;
  const [first = '', second = ''] = path.split('/');
  return `npm:${first.startsWith('@') ? `${first}/${second}` : first}`;
}

function matchesAny(target: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (pattern.endsWith('*')) return target.startsWith(pattern.slice(0, -1));
    return target === pattern || (pattern.endsWith('/') && `${target}/`.startsWith(pattern));
  });
}

function startsWithAny(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => path.startsWith(prefix));
}

export function modulesUnder(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
    .sort();
}
