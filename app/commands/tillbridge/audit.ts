import { existsSync } from 'node:fs';
import type { AuditEntry } from '../../audit/audit-chain.ts';
import { auditInWords } from '../../audit/audit-words.ts';
import { readAudit } from '../../audit/read-audit.ts';
import { hasStarted, readLastStart } from '../../config/last-start.ts';
import { fileSecretStore } from '../../machine/secrets.ts';
import { readTillKey } from '../../machine/till-key.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { momentOf } from './moment-flag.ts';
import { OutOfReachError, refuseLostSecrets } from './out-of-reach.ts';
import { print, table } from './print.ts';

export const auditCommand: TillbridgeCommand = {
  summary: 'list who did what at this till',
  about: `Lists sign-ins and what was refused, and what was changed: settings, people, tokens, restores, decisions. Names of
the shop's people are in it; no customers, keys, PINs or tokens. Each entry is chained to the one before; the whole chain
is checked, whatever --since says. Changes nothing; the agent may run.

The head that is printed last names the newest entry. Note it elsewhere: entries that are cut off the end can be told
only by it.

Exit codes: 0 the record is whole, 1 something in it was changed or is gone, 2 wrong use, 3 the data is out of reach.`,
  flags: [{ name: 'since', value: 'WHEN', help: 'from when on: an instant, or a time back from now (90m, 12h, 2d)' }],
  words: [],
  worksOnWholeTill: true,
  async run({ values, dataDir, json }) {
    const since = values.get('since');
    const sinceMs = since === undefined ? 0 : momentOf('since', since, Date.now());
    if (!existsSync(dataDir)) {
      throw new OutOfReachError(
        `${dataDir} does not exist. Start the agent, which makes it, or name another --data-dir.`,
      );
    }
    const secrets = fileSecretStore(dataDir);
    if (hasStarted(dataDir)) await refuseLostSecrets(dataDir, secrets);
    const hasRun = readLastStart(dataDir) !== null;
    const { entries, breaks, head } = readAudit(dataDir, await readTillKey(secrets), { hasRun });
    const wanted = entries.filter(({ at }) => Date.parse(at) >= sinceMs);
    const isWhole = breaks.length === 0;
    print(json, { whole: isWhole, breaks, head: { n: head.number, mac: head.seal }, entries: wanted }, () =>
      [table(wanted.map(cells)), auditInWords({ breaks, head }), '.\n'].join(''),
    );
    return isWhole ? exitCodes.well : exitCodes.problemFound;
  },
};

function cells({ n, at, event, ...facts }: AuditEntry): readonly string[] {
  const told = Object.entries(facts).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`,
  );
  return [String(n), at, event, told.join(' ')];
}
