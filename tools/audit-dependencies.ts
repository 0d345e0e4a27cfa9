// `npm run audit-dependencies`: asks the registry whether a package that is shipped has a known hole.
import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { root } from './bundles.ts';
import { shippedPackages } from './notice.ts';

const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      /** A name: it has the hole of that package. */
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
});

type AuditVerdict =
  | { readonly kind: 'none_known'; readonly checked: number }
  | { readonly kind: 'holes'; readonly lines: readonly string[] }
  /** Nobody knows: the registry has no audit, or is out of reach. */
  | { readonly kind: 'not_checked'; readonly reason: string };

/** What npm's answer says of the packages that are shipped; those for development alone do not count. */
export function verdictOf(answer: string, shipped: readonly string[]): AuditVerdict {
  const report = reportSchema.safeParse(parsed(answer));
  if (!report.success) {
    const refusal = z.object({ message: z.string() }).safeParse(parsed(answer));
    return { kind: 'not_checked', reason: refusal.success ? refusal.data.message : 'npm audit gave no report' };
  }
  const lines = Object.entries(report.data.vulnerabilities)
    .filter(([name]) => shipped.includes(name))
    .flatMap(([name, { severity, via }]) =>
      via.map((one) =>
        typeof one === 'string' ? `${name}: ${severity}, by ${one}` : `${name}: ${severity}, ${one.title} (${one.url})`,
      ),
    );
  return lines.length === 0 ? { kind: 'none_known', checked: shipped.length } : { kind: 'holes', lines };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function inWords(verdict: AuditVerdict): string {
  switch (verdict.kind) {
    case 'none_known':
      return `No hole is known of the ${verdict.checked} packages that are shipped.`;
    case 'holes':
      return verdict.lines.join('\n');
    case 'not_checked':
      return `NOT CHECKED: ${verdict.reason}. Run it again where the registry answers an audit.`;
  }
}

/** 0 none is known, 1 some are, 3 nobody could be asked: a gate must not take that for well. */
export function exitCodeOf({ kind }: AuditVerdict): number {
  return { none_known: 0, holes: 1, not_checked: 3 }[kind];
}

if (import.meta.main) {
  // Of all: what the screen is made of is for development only, as npm sees it.
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', timeout: 60_000 });
  const verdict = verdictOf(
    stdout,
    shippedPackages().map(({ name }) => name),
  );
  process.stdout.write(`${inWords(verdict)}\n`);
  process.exitCode = exitCodeOf(verdict);
}
