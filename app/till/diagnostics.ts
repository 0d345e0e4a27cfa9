import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { specificationVersion } from '../../shared/contract/version.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import type { TillAnswer, TillReply } from '../../shared/till/api.ts';
import { diagnosticsCommands, type LineEntry } from '../../shared/till/diagnostics-commands.ts';
import { causes, connectionStates } from '../../shared/till/views.ts';
import { agentStatusBody } from '../bridge/agent-status.ts';
import type { Held } from '../config/held-settings.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { logPath } from '../doctor/check-machine.ts';
import { DatabaseChecker } from '../doctor/database-check.ts';
import type { Finding } from '../doctor/finding.ts';
import type { SupportBundle } from '../doctor/support-bundle.ts';
import { agentReadyMessage, lineChangedMessage } from '../line/line-messages.ts';
import { databasePath } from '../machine/data-files.ts';
import { freeBytesAt, leastFreeBytes } from '../machine/disk-watch.ts';
import { writePrivateBytes } from '../machine/files.ts';
import { typed } from '../machine/installed.ts';
import { readLogTail, type TailLine } from '../machine/log-tail.ts';
import { programFacts } from '../machine/program-facts.ts';
import { command, type Handlers } from './command.ts';
import { operationView } from './operation-view.ts';
import { succeeded } from './replies.ts';

/** What diagnostics read, apart from the core. */
export interface DiagnosticsRoom {
  readonly dataDir: string;
  /** This machine's own clock. */
  readonly clock: Clock;
  /** When the agent began; missing: now. */
  readonly startedAtMs?: number;
  /** The settings that this agent was started with. */
  readonly held: () => Promise<Held>;
  /** Sends the service one cheap request. */
  readonly checkService: () => Promise<readonly Finding[]>;
}

const mostLineEntries = 100;
const operationsPerPart = 250;

/** The commands of the diagnostics screen. They only read. */
export class DiagnosticsCommands {
  readonly #core: AgentCore;
  readonly #room: DiagnosticsRoom;
  readonly #checker: DatabaseChecker;
  readonly #startedAtMs: number;

  constructor(core: AgentCore, room: DiagnosticsRoom) {
    this.#core = core;
    this.#room = room;
    this.#startedAtMs = room.startedAtMs ?? room.clock.now();
    this.#checker = new DatabaseChecker(databasePath(room.dataDir, core.settings.mode), () => room.clock.now());
  }

  read(): TillReply<TillAnswer<'diagnostics.read'>> {
    const { dataDir, clock } = this.#room;
    const status = this.#core.status();
    const { settings } = this.#core;
    const path = databasePath(dataDir, settings.mode);
    return succeeded({
      now: toInstant(clock.now()),
      started_at: toInstant(this.#startedAtMs),
      mode: status.mode,
      device_id: status.deviceId,
      versions: { ...programFacts(), specification: specificationVersion },
      connection: status.connection,
      service_address: settings.base_url,
      last_answer_at: status.lastAnswerAtMs === null ? null : toInstant(status.lastAnswerAtMs),
      clock_skew_ms: status.clockSkewMs,
      line: this.#line(),
      counts: { ...this.#core.counts() },
      oldest_waiting_at: status.oldestWaitingAtMs === null ? null : toInstant(status.oldestWaitingAtMs),
      free_bytes: freeBytesAt(dataDir),
      least_free_bytes: leastFreeBytes,
      data_dir: dataDir,
      command: typed(`status --data-dir ${shellWord(dataDir)}`),
      database: { file: basename(path), bytes: bytesOf(path) + bytesOf(`${path}-wal`), check: this.#checker.view },
      put_aside: putAside(dataDir),
    });
  }

  day(): TillReply<TillAnswer<'diagnostics.day'>> {
    const { hours, isPartial } = this.#core.hourlyCounts();
    return succeeded({
      hours: hours.map(({ fromMs, ...counts }) => ({ from: toInstant(fromMs), ...counts })),
      is_partial: isPartial,
    });
  }

  checkDatabase(): TillReply<TillAnswer<'diagnostics.check_database'>> {
    this.#checker.start();
    return succeeded(this.#checker.view);
  }

  readCheck(): TillReply<TillAnswer<'diagnostics.read_check'>> {
    return succeeded(this.#checker.view);
  }

  log({ limit }: { readonly limit: number }): TillReply<TillAnswer<'diagnostics.log'>> {
    const lines = this.#tail().slice(-limit).toReversed();
    return succeeded({
      lines: lines.map(({ atMs, level, message, facts }) => ({
        at: toInstant(atMs),
        level,
        message,
        facts: Object.keys(facts).length === 0 ? '' : JSON.stringify(facts),
      })),
    });
  }

  async previewBundle(): Promise<TillReply<TillAnswer<'diagnostics.preview_bundle'>>> {
    const { parts, found } = await this.#gather();
    return succeeded({ parts: parts.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) })), found });
  }

  async saveBundle(): Promise<TillReply<TillAnswer<'diagnostics.save_bundle'>>> {
    const { found, zip } = await this.#gather();
    if (found !== null) return succeeded({ kind: 'found_secret', found });
    const { dataDir, clock } = this.#room;
    const stamp = toInstant(clock.now()).replaceAll(/[-:]|\.\d+Z$/g, '');
    const file = join(dataDir, 'support', `tillbridge-${stamp}.zip`);
    try {
      const bytes = zip();
      writePrivateBytes(file, bytes);
      return succeeded({ kind: 'saved', file, bytes: bytes.length });
    } catch (error) {
      return succeeded({ kind: 'not_written', reason: errorText(error) });
    }
  }

  close(): void {
    this.#checker.close();
  }

  async #gather(): Promise<SupportBundle> {
    const { dataDir, clock, held, checkService } = this.#room;
    // Loaded only here, because it is rarely needed and would slow the start.
    const { makeSupportBundle } = await import('../doctor/support-bundle.ts');
    const { tillbridge, node } = programFacts();
    const status = agentStatusBody(this.#core.status(), { tillbridge, node });
    return makeSupportBundle({
      dataDir,
      clock,
      version: tillbridge,
      held: await held(),
      service: checkService,
      apiKey: this.#core.settings.api_key,
      status: JSON.parse(JSON.stringify(status)),
      operations: () => this.#operations(),
    });
  }

  *#operations() {
    let beforeRowId: number | null = null;
    do {
      const page: { readonly limit: number; readonly beforeRowId?: number } = {
        limit: operationsPerPart,
        ...(beforeRowId === null ? {} : { beforeRowId }),
      };
      const part = this.#core.activity({}, page);
      yield part.operations.map(operationView);
      beforeRowId = part.beforeRowId;
    } while (beforeRowId !== null);
  }

  #tail(): readonly TailLine[] {
    return readLogTail(logPath(this.#room.dataDir));
  }

  /** The connection's changes: this run's from memory, with every cause; older ones from the log. */
  #line(): LineEntry[] {
    const here = this.#core
      .lineHistory()
      .map(({ atMs, state, cause }): LineEntry => ({ at: toInstant(atMs), state, cause }));
    const before = this.#tail()
      .filter(({ atMs }) => atMs < this.#startedAtMs)
      .flatMap(lineEntryOf);
    const started: LineEntry = { at: toInstant(this.#startedAtMs), state: 'started', cause: null };
    return [...before, started, ...here].slice(-mostLineEntries).toReversed();
  }
}

/** A word as it is typed in a shell. */
function shellWord(word: string): string {
  return /^[\w./:\\-]+$/.test(word) ? word : `"${word}"`;
}

/** The commands of the diagnostics screen. */
export function diagnosticsHandlers(commands: DiagnosticsCommands): Handlers<keyof typeof diagnosticsCommands> {
  return {
    'diagnostics.read': command(diagnosticsCommands['diagnostics.read'], () => commands.read()),
    'diagnostics.day': command(diagnosticsCommands['diagnostics.day'], () => commands.day()),
    'diagnostics.check_database': command(diagnosticsCommands['diagnostics.check_database'], () =>
      commands.checkDatabase(),
    ),
    'diagnostics.read_check': command(diagnosticsCommands['diagnostics.read_check'], () => commands.readCheck()),
    'diagnostics.log': command(diagnosticsCommands['diagnostics.log'], (input) => commands.log(input)),
    'diagnostics.preview_bundle': command(diagnosticsCommands['diagnostics.preview_bundle'], () =>
      commands.previewBundle(),
    ),
    'diagnostics.save_bundle': command(diagnosticsCommands['diagnostics.save_bundle'], () => commands.saveBundle()),
  };
}

function lineEntryOf({ atMs, message, facts }: TailLine): readonly LineEntry[] {
  const at = toInstant(atMs);
  if (message === agentReadyMessage) return [{ at, state: 'started', cause: null }];
  if (message !== lineChangedMessage) return [];
  const state = connectionStates.find((known) => known === facts.state);
  const cause = causes.find((known) => known === facts.cause) ?? null;
  return state === undefined ? [] : [{ at, state, cause }];
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function putAside(dataDir: string): string[] {
  try {
    return readdirSync(dataDir).filter((name) => /\.(damaged|before-restore)-.*\.sqlite$/.test(name));
  } catch {
    return [];
  }
}
