import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exitCodeOf, inWords, verdictOf } from '../../tools/audit-dependencies.ts';
import { root } from '../../tools/bundles.ts';
import { shippedPackages } from '../../tools/notice.ts';
import { sbomFileName, sbomOf, sbomSchema, sbomText, sqliteVersion } from '../../tools/sbom.ts';

const text = readFileSync(join(root, sbomFileName), 'utf8');
const sbom = sbomSchema.parse(JSON.parse(text));
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});
const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).packages;
const nameOf = (place: string) => place.split('node_modules/').at(-1) ?? '';

describe('the list of what is shipped (`npm run sbom`)', () => {
  it('has what the build takes in and NOTICE names, each at its version, and nothing else', () => {
    const listed = sbom.components.map(({ name, version }) => `${name} ${version}`);
    expect(listed).toEqual(shippedPackages().map(({ name, version }) => `${name} ${version}`));
    const notice = readFileSync(join(root, 'NOTICE'), 'utf8');
    for (const one of listed) expect(notice).toContain(`\n${one} (`);
    expect(listed.join()).not.toMatch(/vitest|drizzle|typescript/);
  });

  it('has each with the fingerprint that the lockfile installs it by', () => {
    for (const { name, version, hashes } of sbom.components) {
      const locked = Object.entries(lock).find(
        ([place, one]) => nameOf(place) === name && one.version === version,
      )?.[1];
      const hex = Buffer.from((locked?.integrity ?? '').replace('sha512-', ''), 'base64').toString('hex');
      expect(hashes, name).toEqual([{ alg: 'SHA-512', content: hex }]);
    }
  });

  it('has the SQLite that is inside, by its own name', () => {
    const binding = sbom.components.find(({ name }) => name === 'better-sqlite3');
    expect(binding).toMatchObject({ components: [{ name: 'sqlite', version: sqliteVersion() }] });
  });

  it('is the same bytes each time, without a date, and another when a package is', () => {
    const again = sbomOf(sbom, shippedPackages(), sqliteVersion());
    expect(sbomText(again)).toBe(text);
    expect(text).not.toContain('timestamp');
    expect(sbomOf(sbom, shippedPackages(), '0.0.1').serialNumber).not.toBe(sbom.serialNumber);
    const unknown = [{ name: 'left-pad', version: '1.0.0' }];
    expect(() => sbomOf(sbom, unknown, '')).toThrow(
      'left-pad 1.0.0 is shipped, and package-lock.json does not have it',
    );
  });
});

describe('an install', () => {
  const manifestSchema = z.looseObject({
    gypfile: z.boolean().optional(),
    scripts: z.record(z.string(), z.string()).optional(),
  });

  it('runs no script of a package that is shipped', () => {
    for (const { name } of shippedPackages()) {
      const folder = join(root, 'node_modules', name);
      const { scripts = {}, gypfile } = manifestSchema.parse(
        JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
      );
      const run = Object.keys(scripts).filter((one) => /^(?:pre|post)?install$/.test(one));
      expect(run, name).toEqual([]);
      // npm builds such a one without being told to.
      expect(existsSync(join(folder, 'binding.gyp')) && gypfile !== false, name).toBe(false);
    }
  });

  it('runs no script of any other package, unless package.json allows it by name', () => {
    const { allowScripts } = z
      .object({ allowScripts: z.record(z.string(), z.boolean()) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    const wanting = Object.entries(lock).filter(([, one]) => one.hasInstallScript);
    for (const [place] of wanting) expect(Object.keys(allowScripts)).toContain(nameOf(place));
    expect(Object.values(allowScripts)).not.toContain(true);
  });
});

describe('known holes (`npm run audit-dependencies`)', () => {
  const shipped = ['ws', 'undici'];
  const hole = { severity: 'high', via: [{ title: 'Crash by a header', url: 'https://advisories.example/1' }] };
  const report = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities });

  it('are told of what is shipped, and not of what builds it', () => {
    expect(verdictOf(report({ ws: hole, vite: hole, undici: { severity: 'low', via: ['ws'] } }), shipped)).toEqual({
      kind: 'holes',
      lines: ['ws: high, Crash by a header (https://advisories.example/1)', 'undici: low, by ws'],
    });
    expect(verdictOf(report({ vite: hole }), shipped)).toEqual({ kind: 'none_known', checked: 2 });
  });

  it.each([
    ['{"message":"405 Method Not Allowed - POST https://registry.example/","error":{}}', '405 Method Not Allowed'],
    ['', 'npm audit gave no report'],
    ['<html>', 'npm audit gave no report'],
  ])('are not said to be none where the registry does not tell: %j', (answer, reason) => {
    const verdict = verdictOf(answer, shipped);
    expect(verdict.kind).toBe('not_checked');
    expect(inWords(verdict)).toContain(`NOT CHECKED: ${reason}`);
    expect(exitCodeOf(verdict)).toBe(3);
  });
});
