import { assertNever } from '../../shared/lib/assert-never.ts';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import type { Notice } from '../../shared/till/views.ts';
import type { Audit } from '../audit/audit-events.ts';
import type { Settings } from '../config/settings.ts';
import { isDiskFull } from '../machine/disk-room.ts';
import type { Log } from '../machine/log.ts';
import type { Release } from './feed.ts';
import { fetchFeed } from './fetch-feed.ts';
import { judge, placeOf } from './judge.ts';
import { type TillUse, whyNotNow } from './quiet-time.ts';
import { prepareTrial, removeCopies } from './trial.ts';
import { changeUpdateMemory, keepFeed, readTrial, readUpdateMemory, removeTrial } from './update-files.ts';
import type { UpdateHost } from './update-host.ts';
import { stateBeforeLooking, toldWayBack, updateNotices } from './update-notices.ts';
import { lackingRoom } from './update-room.ts';
import type { installOutcomes, UpdateState, UpdateView } from './update-view.ts';

/** A till that has just started sells first. */
const firstLookAfterMs = 2 * 60_000;
const lookEveryMs = 4 * 3_600_000;
const retryAfterMs = 10 * 60_000;
const quietLookEveryMs = 20_000;

export interface UpdatesOptions {
  readonly dataDir: string;
  readonly settings: Settings['update'];
  readonly tillId: string;
  readonly host: UpdateHost;
  readonly tillKey: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Audit;
  /** What the agent knows of the till's use. */
  readonly use: () => Omit<TillUse, 'screen'>;
  readonly onChanged: () => void;
  readonly freeBytesAt?: (path: string) => number | null;
}

/** What trying again does not cure. */
class UpdateTroubleError extends Error {}

interface Ready {
  readonly release: Release;
  readonly packageFile: string;
}

/** Looks for updates, fetches them, and has them installed in a quiet time. What hinders it stops no sale. */
export class Updates {
  readonly #options: UpdatesOptions;
  #settings: Settings['update'];
  #state: UpdateState;
  #ready: Ready | null = null;
  /** The sum of the package that is on its way. */
  #fetching: string | null = null;
  #lookedAtMs: number | null = null;
  #looking: Promise<void> | null = null;
  #cancelLook: CancelTimer = () => undefined;
  #cancelInstall: CancelTimer = () => undefined;
  #isClosed = false;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#state = this.#stateNow();
    this.#noteStart();
    this.#lookLater(firstLookAfterMs);
  }

  view(): UpdateView {
    const { host } = this.#options;
    const back = this.#toldWayBack();
    return {
      version: host.version,
      state: this.#state,
      looked_at: this.#lookedAtMs === null ? null : toInstant(this.#lookedAtMs),
      way_back: host.keptVersion(),
      went_back: back === null ? null : { from: back.from, to: back.to, why: back.why, at: toInstant(back.at_ms) },
    };
  }

  notices(): readonly Notice[] {
    const { not_installed: failed } = readUpdateMemory(this.#options.dataDir);
    return updateNotices(this.#state, { back: this.#toldWayBack(), failed });
  }

  /** The settings hold at once: a hold must not wait for a restart. */
  useSettings(settings: Settings['update']): void {
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings;
    this.#drop(this.#stateNow());
    this.#lookLater(0);
  }

  /** Looks at the feed, and begins to fetch what it offers. Two at once are one. */
  look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** @param isAsked by a person, who stands at the till */
  async install({
    isAsked,
    by,
  }: {
    readonly isAsked: boolean;
    readonly by: string | null;
  }): Promise<(typeof installOutcomes)[number]> {
    const ready = this.#ready;
    if (ready === null || this.#isClosed) return 'nothing_ready';
    const { host, clock, use, audit, dataDir, tillKey, log } = this.#options;
    const { version } = ready.release;
    if (!isAsked && this.#waitsForPerson(version)) return 'not_now';
    const screen = await host.screenUse();
    // Held, replaced or begun while the page was asked.
    if (this.#ready !== ready || this.#isClosed) return 'nothing_ready';
    const reason = whyNotNow({ ...use(), screen }, clock.monotonicMs(), { isAsked });
    if (reason !== null) {
      this.#change({ kind: 'ready', version, waits_for: reason });
      return 'not_now';
    }
    const lacking = this.#lackingRoom(ready.release, { isFetched: true });
    if (lacking !== null) {
      // On a disk that has filled up since, the copies would fail when the till is closed already.
      this.#drop({ kind: 'failed', reason: lacking, needs_it: true });
      this.#lookLater(retryAfterMs);
      return 'not_now';
    }
    this.#ready = null;
    this.#cancelInstall();
    this.#change({ kind: 'installing', version });
    audit.note({ event: 'update_begun', from: host.version, to: version, by });
    log.info({ from: host.version, to: version }, 'An update is installed');
    const trial = { dataDir, from: host.version, to: version, pid: process.pid, tillKey };
    void host.install({ ...ready, prepare: () => prepareTrial({ ...trial, nowMs: clock.now() }) });
    return 'begins';
  }

  /** The screen has asked its first question and got its answer: this version works. */
  started(): void {
    const { dataDir, host, audit, log } = this.#options;
    const trial = readTrial(dataDir);
    if (trial !== null) removeTrial(dataDir);
    removeCopies(dataDir);
    if (trial?.to !== host.version) return;
    changeUpdateMemory(dataDir, { not_installed: null, went_back: null });
    audit.note({ event: 'updated', from: trial.from, to: trial.to });
    log.info(trial, 'The update has started well');
    this.#options.onChanged();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    this.#cancelInstall();
  }

  #stateNow(): UpdateState {
    const { host, dataDir } = this.#options;
    return stateBeforeLooking(host, this.#settings, readUpdateMemory(dataDir).not_installed);
  }

  #toldWayBack() {
    const { dataDir, host, clock } = this.#options;
    return toldWayBack(readUpdateMemory(dataDir).went_back, { version: host.version, nowMs: clock.now() });
  }

  #noteStart(): void {
    const { dataDir, audit } = this.#options;
    const back = readUpdateMemory(dataDir).went_back;
    if (back === null || back.noted) return;
    audit.note({ event: 'update_went_back', from: back.from, to: back.to, why: back.why, restored: back.restored });
    changeUpdateMemory(dataDir, { went_back: { ...back, noted: true } });
  }

  async #lookNow(): Promise<void> {
    if (this.#state.kind === 'off' || this.#state.kind === 'installing' || this.#isClosed) return;
    this.#cancelLook();
    let isWell = false;
    let settings: Settings['update'];
    do {
      settings = this.#settings;
      try {
        isWell = await this.#judgeFeed(settings);
      } catch (error) {
        isWell = false;
        if (!this.#isPast(settings)) this.#failed(error);
      }
      // Changed while the feed was asked, as by a hold: what it answered is judged by what holds now.
    } while (settings !== this.#settings);
    this.#lookLater(isWell ? lookEveryMs : retryAfterMs);
  }

  /** What a look asked for these settings is of no use any more. */
  #isPast(settings: Settings['update']): boolean {
    return this.#isClosed || this.#settings !== settings || this.#state.kind === 'installing';
  }

  async #judgeFeed(settings: Settings['update']): Promise<boolean> {
    const { dataDir, host, tillId, clock } = this.#options;
    const { feed, stage, hold, allow_downgrade: allowDowngrade } = settings;
    if (feed === null || host.packageKind === null) return true;
    const { url, outcome, signed } = await fetchFeed(host, feed, host.packageKind);
    if (this.#isPast(settings)) return true;
    this.#lookedAtMs = clock.now();
    if (outcome.kind === 'refused') return this.#refuse(outcome.line);
    const { release } = outcome;
    const memory = readUpdateMemory(dataDir);
    const verdict = judge(release, {
      nowMs: clock.now(),
      runningVersion: host.version,
      tillId,
      stage,
      isHeld: hold === 'yes',
      mayGoDown: allowDowngrade === 'yes',
      newestSignedAtMs: memory.newest_signed_at_ms,
      failedVersions: memory.failed_versions,
    });
    if (verdict.kind === 'refused') return this.#refuse(verdict.line);
    if (memory.newest_signed_at_ms !== release.signedAtMs) {
      changeUpdateMemory(dataDir, { newest_signed_at_ms: release.signedAtMs });
    }
    const { version } = release;
    switch (verdict.kind) {
      case 'current':
        this.#drop({ kind: 'current' });
        return true;
      case 'later':
        this.#drop({ kind: 'later', version });
        return true;
      case 'held':
        this.#drop({ kind: 'held', version, by: verdict.by });
        return true;
      case 'take':
        this.#take(release, { url, signed });
        return true;
      default:
        return assertNever(verdict);
    }
  }

  #take(
    release: Release,
    { url, signed }: { readonly url: URL; readonly signed: Parameters<typeof keepFeed>[2] },
  ): void {
    const { sha512 } = release.package;
    if (this.#ready?.release.package.sha512 === sha512 || this.#fetching === sha512) return;
    const lacking = this.#lackingRoom(release, { isFetched: false });
    if (lacking !== null) throw new UpdateTroubleError(lacking);
    this.#drop({ kind: 'fetching', version: release.version });
    this.#fetching = sha512;
    // Beside everything else: a package takes minutes on a slow line.
    void this.#fetch(release, { url, signed })
      .catch((error: unknown) => {
        if (this.#fetching !== sha512) return;
        this.#failed(error);
        this.#lookLater(retryAfterMs);
      })
      .finally(() => {
        if (this.#fetching === sha512) this.#fetching = null;
      });
  }

  async #fetch(
    release: Release,
    { url, signed }: { readonly url: URL; readonly signed: Parameters<typeof keepFeed>[2] },
  ): Promise<void> {
    const { dataDir, host, log } = this.#options;
    const packageFile = await host.download(release, url);
    // Held or replaced meanwhile.
    if (this.#isClosed || this.#fetching !== release.package.sha512) return;
    keepFeed(dataDir, host.platform, signed);
    this.#ready = { release, packageFile };
    log.info({ version: release.version }, 'An update is ready');
    const { version } = release;
    this.#change({ kind: 'ready', version, waits_for: this.#waitsForPerson(version) ? 'person' : null });
    this.#installLater();
  }

  /** Its last installation failed, and closing the till again by itself would not help, or not yet. */
  #waitsForPerson(version: string): boolean {
    const { dataDir, clock } = this.#options;
    const failed = readUpdateMemory(dataDir).not_installed;
    if (failed?.version !== version) return false;
    return failed.again_at_ms === null || clock.now() < failed.again_at_ms;
  }

  #lackingRoom(release: Release, { isFetched }: { readonly isFetched: boolean }): string | null {
    const { dataDir, freeBytesAt } = this.#options;
    return lackingRoom(release, dataDir, { isFetched, freeBytesAt });
  }

  #installLater(): void {
    this.#cancelInstall = this.#options.clock.setTimer(() => {
      void this.install({ isAsked: false, by: null })
        .catch((error: unknown) => this.#failed(error))
        .then(() => {
          if (this.#ready !== null && !this.#isClosed) this.#installLater();
        });
    }, quietLookEveryMs);
  }

  #lookLater(afterMs: number): void {
    this.#cancelLook();
    if (this.#isClosed || this.#state.kind === 'off') return;
    // The tills of a chain do not all ask at the same time.
    const share = placeOf(this.#options.tillId, 'look') / 100;
    this.#cancelLook = this.#options.clock.setTimer(() => void this.look(), afterMs * (1 + share / 4));
  }

  #refuse(reason: string): false {
    this.#options.log.warn({ reason }, 'An update was refused');
    if (!(this.#state.kind === 'refused' && this.#state.reason === reason)) {
      this.#options.audit.note({ event: 'update_refused', reason });
    }
    this.#drop({ kind: 'refused', reason });
    return false;
  }

  #failed(error: unknown): void {
    const text = errorText(error);
    const reason = isDiskFull(error) ? `the disk is full (${text})` : text;
    const needsIt = error instanceof UpdateTroubleError || isDiskFull(error);
    this.#options.log.warn({ reason }, 'An update could not be had; it is tried again');
    // What is ready stays so.
    if (this.#ready === null) this.#change({ kind: 'failed', reason, needs_it: needsIt });
  }

  /** What was ready is not installed any more. */
  #drop(state: UpdateState): void {
    this.#ready = null;
    this.#fetching = null;
    this.#cancelInstall();
    this.#change(state);
  }

  #change(state: UpdateState): void {
    const isSame = JSON.stringify(state) === JSON.stringify(this.#state);
    this.#state = state;
    if (!isSame) this.#options.onChanged();
  }
}
