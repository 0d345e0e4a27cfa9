// `npm run sbom`: writes sbom.cdx.json, what is shipped, in CycloneDX: npm's own list, of which the packages stay that NOTICE
// has. `--omit dev` would not tell it: a package of the screen is for development only, as npm sees it, and a package that
// the build compiles away is not shipped.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { root } from './bundles.ts';
import { type Licensed, shippedPackages } from './notice.ts';

export const sbomFileName = 'sbom.cdx.json';

const componentSchema = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string(),
  hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
});
type Component = z.output<typeof componentSchema>;

/** What we read of CycloneDX 1.5; the rest is handed on. */
export const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  serialNumber: z.string(),
  version: z.int(),
  metadata: z.object({ component: z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() }) }),
  components: z.array(componentSchema),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});
type Sbom = z.output<typeof sbomSchema>;

type Shipped = Pick<Licensed, 'name' | 'version'>;

/**
 * The same bytes for the same lockfile and build: no time, and a serial number made of what it says.
 *
 * @param whole npm's list of everything that the lockfile has
 * @throws when the lockfile does not have a package that is shipped
 */
export function sbomOf(whole: Sbom, packages: readonly Shipped[], sqliteVersion: string): Sbom {
  const components = packages.map((one) => withSqlite(componentOf(whole, one), sqliteVersion));
  const shipped = new Set(components.map((one) => one['bom-ref']));
  const of = (ref: string) => whole.dependencies.find((one) => one.ref === ref)?.dependsOn ?? [];
  const { component } = whole.metadata;
  const facts = {
    // A folder's name is npm's word for it.
    metadata: { component: { ...component, name: 'tillbridge', type: 'application' } },
    components,
    dependencies: [component['bom-ref'], ...shipped].map((ref) => ({
      ref,
      dependsOn: of(ref)
        .filter((one) => shipped.has(one))
        .toSorted(),
    })),
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: whole.specVersion,
    serialNumber: serialOf(facts),
    version: 1,
    ...facts,
  };
}

function componentOf(whole: Sbom, { name, version }: Shipped): Component {
  const found = whole.components.find((one) => one.name === name && one.version === version);
  if (found === undefined) throw new Error(`${name} ${version} is shipped, and package-lock.json does not have it`);
  // What npm says of its place among the dependencies is about development.
  return { ...found, scope: 'required', properties: [] };
}

/** The binding of better-sqlite3 has SQLite in it, whose holes are told under its own name. */
function withSqlite(component: Component, version: string): Component {
  if (component.name !== 'better-sqlite3') return component;
  const cpe = `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`;
  return {
    ...component,
    components: [{ 'bom-ref': `sqlite@${version}`, type: 'library', name: 'sqlite', version, cpe }],
  };
}

function serialOf(facts: object): string {
  const hex = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  // A UUID of version 8 (RFC 9562): made of a hash.
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What npm says of the lockfile. @throws when npm does not answer with a list */
function wholeSbom(): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const parsed = sbomSchema.safeParse(JSON.parse(stdout === '' ? 'null' : stdout));
  if (!parsed.success) throw new Error(`npm sbom gave no list: ${stderr}`);
  return parsed.data;
}

export function sqliteVersion(): string {
  const database = new BetterSqlite3(':memory:');
  try {
    return z.string().parse(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}

export function sbomText(sbom: Sbom): string {
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(join(root, sbomFileName), sbomText(sbomOf(wholeSbom(), shippedPackages(), sqliteVersion())));
}
