import { randomBytes } from 'node:crypto';
import { errorText } from '../../../shared/lib/error-code.ts';
import type { Mode } from '../../../shared/till/modes.ts';
import { peopleSealingOf } from '../../agent/agent-proofs.ts';
import { openStoppedAudit } from '../../audit/open-audit.ts';
import { PosTokens } from '../../bridge/pos-tokens.ts';
import { systemClock } from '../../machine/clock.ts';
import { databasePath } from '../../machine/data-files.ts';
import { DataFolderError, DataFolderInUseError, lockWhenFree } from '../../machine/lock.ts';
import { machineIdentity } from '../../machine/machine-identity.ts';
import { systemRandom } from '../../machine/random.ts';
import { fileSecretStore, keptProfileKey, SecretsError } from '../../machine/secrets.ts';
import { keptTillKey } from '../../machine/till-key.ts';
import { createOffice, type Office, type OfficeAnswer, type OfficeCallName, officeCalls } from '../../office/office.ts';
import { officeSessions } from '../../office/office-sessions.ts';
import { openStoppedAgent } from '../../office/stopped-agent.ts';
import { StoreError } from '../../store/versions/store-error.ts';
import { stoppedSettings } from '../stopped-settings.ts';
import { businessDayOf, currencyOf } from './business-day.ts';
import { callAgentWhenFree } from './call-agent.ts';
import { refuseOtherMode } from './mode-flag.ts';
import { modeOf } from './mode-of.ts';
import { folderWaitMs, OutOfReachError, refuseLostSecrets, requireDatabase, silentHolder } from './out-of-reach.ts';
import { WrongUseError } from './wrong-use.ts';

/** The agent of a data folder: asked over the bridge while it runs, or its database opened while it does not. */
export interface ReachedOffice extends Office {
  readonly isRunning: boolean;
  close(): void;
}

/** The disk did not take what a call was to write; nothing was changed. */
export class NotWrittenError extends OutOfReachError {}

/** @param mode whose operations are meant; null: the till's own mode @throws OutOfReachError */
export async function reachOffice(dataDir: string, mode: Mode | null = null): Promise<ReachedOffice> {
  const agent = await callAgentWhenFree(dataDir);
  if (agent !== null) {
    refuseOtherMode(mode, await modeOf(dataDir));
    return {
      isRunning: true,
      call: async (name, input) => readAnswer(name, await agent.office(name, input)),
      close: () => undefined,
    };
  }
  return openStopped(dataDir, mode ?? (await modeOf(dataDir)));
}

/** Opens the office of a data folder for `act`, and closes it after. @param mode as `reachOffice` @throws OutOfReachError */
export async function withOffice<Result>(
  dataDir: string,
  mode: Mode | null,
  act: (office: ReachedOffice) => Promise<Result>,
): Promise<Result> {
  const office = await reachOffice(dataDir, mode);
  try {
    return await act(office);
  } finally {
    office.close();
  }
}

async function openStopped(dataDir: string, mode: Mode): Promise<ReachedOffice> {
  requireDatabase(
    dataDir,
    mode,
    `No agent ever ran on ${dataDir} in ${mode} mode. Start Tillbridge first, or name another folder with --data-dir or the other mode with --mode.`,
  );
  try {
    const secrets = fileSecretStore(dataDir);
    const unlock = await lockWhenFree(dataDir, { withinMs: folderWaitMs });
    try {
      await refuseLostSecrets(dataDir, secrets, { isLockedHere: true });
      const audit = await openStoppedAudit(dataDir, secrets);
      const settings = stoppedSettings(dataDir, audit);
      const tillKey = await keptTillKey(secrets, randomBytes);
      const stopped = openStoppedAgent(databasePath(dataDir, mode), {
        clock: systemClock(),
        random: systemRandom(),
        machine: machineIdentity(),
        profileKey: await keptProfileKey(secrets, randomBytes),
        tillKey,
        peopleSealing: await peopleSealingOf({ dataDir, secrets, mode }, { tillKey, audit, onFailed: tellNotNoted }),
        audit,
        settings: { mode, ...(await businessDayOf(settings)), currency: await currencyOf(settings) },
      });
      const tokens = await PosTokens.load({
        secrets,
        randomBytes,
        onChanged: (event, name, by) => audit.note({ event, token_name: name, by }),
      });
      const answer = createOffice(stopped.source, {
        tokens,
        settings,
        sessions: officeSessions({ dataDir, audit, served: () => null }),
        nowMs: () => systemClock().now(),
        // Nobody asks it of a stopped agent.
        checkService: async () => [],
      });
      return {
        isRunning: false,
        async call(name, input) {
          const reply = await answer(name, input);
          if (reply.kind === 'answered') return readAnswer(name, { status: 200, body: reply.answer });
          if (reply.kind === 'not_written') throw new NotWrittenError(reply.message);
          if (reply.kind === 'unknown_call') throw new Error(`The office has no call ${name}`);
          throw new WrongUseError(reply.problems.map(({ field, problem }) => `${field}: ${problem}`).join('\n'));
        },
        close() {
          stopped.close();
          audit.close();
          unlock();
        },
      };
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    if (error instanceof DataFolderInUseError) throw silentHolder(dataDir, error);
    if (error instanceof DataFolderError || error instanceof StoreError || error instanceof SecretsError) {
      throw new OutOfReachError(error.message, { cause: error });
    }
    throw error;
  }
}

function tellNotNoted(error: unknown): void {
  const reason = errorText(error);
  process.stderr.write(`The version of the list of people is not noted in secrets.json: ${reason}\n`);
}

export function readAnswer<Name extends OfficeCallName>(
  name: Name,
  { status, body }: { readonly status: number; readonly body: unknown },
): OfficeAnswer<Name> {
  if (status === 400) throw new WrongUseError(messageOf(body));
  if (status === 507) throw new NotWrittenError(messageOf(body));
  if (status !== 200) throw new OutOfReachError(`The agent answered ${status}: ${messageOf(body)}`);
  const parsed = officeCalls[name].answer.safeParse(body);
  if (!parsed.success) throw new OutOfReachError('The agent is of another version and answers in another shape.');
  return parsed.data as OfficeAnswer<Name>;
}

function messageOf(body: unknown): string {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'no reason given';
}
