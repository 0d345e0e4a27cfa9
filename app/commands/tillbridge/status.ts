import { z } from 'zod';
import { toInstant } from '../../../shared/lib/clock.ts';
import { modes } from '../../../shared/till/modes.ts';
import { ageInWords } from '../../backups/backup-age.ts';
import { type LastBackup, readLastBackup } from '../../backups/last-backup.ts';
import { serviceInWords } from '../../core/embedded-sandbox.ts';
import {
  connectionInWords,
  type Status,
  statusSchema,
  waitingInWords,
  windowLeftInWords,
} from '../../doctor/check-status.ts';
import { isInformation, noticeInWords } from '../../doctor/notice-words.ts';
import { systemClock } from '../../machine/clock.ts';
import { exitCodes } from '../exit-codes.ts';
import { callAgentWhenFree } from './call-agent.ts';
import type { TillbridgeCommand } from './command.ts';
import { refuseOtherMode } from './mode-flag.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print } from './print.ts';

const about = `Shows the state of the agent of this machine.

Exit codes:
  0  the connection is Online or Checking, and no operation needs attention; some may wait
  1  a problem was found: another state of the connection, operations that need attention,
     a wait of more than 5 minutes that the service has asked for, or a notice (a full disk,
     a database that was replaced)
  2  the command or a flag is wrong
  3  no agent runs on the data folder, or the agent does not answer`;

/** `status`: the state of a running agent. */
export const statusCommand: TillbridgeCommand = {
  summary: 'show the state of the agent',
  about,
  flags: [],
  words: [],
  async run({ dataDir, mode, json }) {
    const agent = await callAgentWhenFree(dataDir);
    if (agent === null)
      throw new OutOfReachError(`No agent runs on ${dataDir}. Start the agent, or name another --data-dir.`);
    const body = await agent.status();
    const parsed = statusSchema.safeParse(body);
    if (!parsed.success) throw new OutOfReachError(`Another program answers at ${agent.baseUrl}.`);
    refuseOtherMode(mode, parsed.data.mode);
    const backup = backupOf(dataDir, parsed.data.mode);
    const lastBackupAt = backup === null ? null : toInstant(backup.made_at_ms);
    print(json, { ...z.record(z.string(), z.unknown()).parse(body), last_backup_at: lastBackupAt }, () =>
      words(parsed.data, backup),
    );
    return hasProblem(parsed.data) ? exitCodes.problemFound : exitCodes.well;
  },
};

/** So long nothing is sent before that is a problem. */
const longWaitMs = 300_000;

function hasProblem({ connection, operations, notices }: Status): boolean {
  const isLineWell = connection.state === 'online' || connection.state === 'checking';
  const isLongWait = Date.parse(connection.waits_until ?? '') - systemClock().now() > longWaitMs;
  return !isLineWell || isLongWait || attentionOf(operations) > 0 || notices.some((notice) => !isInformation(notice));
}

function attentionOf({ refused, failed, found, changed }: Status['operations']): number {
  return refused + failed + found + changed;
}

function backupOf(dataDir: string, modeName: string): LastBackup | null {
  const mode = modes.find((one) => one === modeName);
  return mode === undefined ? null : readLastBackup(dataDir, mode);
}

function words(status: Status, backup: LastBackup | null): string {
  const { connection, operations, service, window } = status;
  const hoursLeft = window.seconds_left === null ? '' : `, ${windowLeftInWords(window.seconds_left, window.hours)}`;
  return [
    `Version     ${status.versions.tillbridge ?? 'unknown'}`,
    `Mode        ${status.mode}`,
    `Service     ${serviceInWords(service.base_url)} (last answer ${service.last_answer_at ?? 'never'})`,
    `Connection  ${connectionInWords(connection)}`,
    `Waiting     ${waitingInWords(operations)}${status.oldest_waiting_at === null ? '' : `, oldest from ${status.oldest_waiting_at}${hoursLeft}`}`,
    `Attention   ${attentionOf(operations)}`,
    `Backup      ${backup === null ? 'no backup was made here' : `${ageInWords(systemClock().now() - backup.made_at_ms)} old (${backup.file})`}`,
    ...status.notices.map((notice) => `Notice      ${noticeInWords(notice)}`),
    '',
  ].join('\n');
}
