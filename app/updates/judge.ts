import { createHash } from 'node:crypto';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { Release } from './feed.ts';
import { compareVersions } from './version-order.ts';

/** `first`: with the first tills, whatever the share. `last`: only when the share is 100. */
const stages = ['first', 'share', 'last'] as const;
type Stage = (typeof stages)[number];

/** Two clocks may differ by so much: a feed that is dated later is by a clock that is wrong. */
export const mostAheadMs = 24 * 3_600_000;

export interface JudgedBy {
  /** By the till's clock. */
  readonly nowMs: number;
  readonly runningVersion: string;
  /** Of this till, the same at every start. */
  readonly tillId: string;
  readonly stage: Stage;
  readonly isHeld: boolean;
  /** Said by the deployed settings file alone. */
  readonly mayGoDown: boolean;
  /** Of the newest feed that this till has seen; null: none. */
  readonly newestSignedAtMs: number | null;
  /** Versions that did not start here. */
  readonly failedVersions: readonly string[];
}

/** What becomes of a release at this till. */
type Verdict =
  | { readonly kind: 'current' }
  | { readonly kind: 'refused'; readonly line: string }
  | { readonly kind: 'held'; readonly by: 'settings' | 'feed' }
  | { readonly kind: 'later' }
  | { readonly kind: 'take' };

export function judge(release: Release, till: JudgedBy): Verdict {
  const { version, signedAtMs } = release;
  const order = compareVersions(version, till.runningVersion);
  if (order < 0 && !till.mayGoDown) {
    return refused(
      `the feed offers ${version}, which is older than ${till.runningVersion}. update.allow_downgrade in the deployed settings file allows it`,
    );
  }
  // Once it was noted, no other feed would be taken until that day.
  if (signedAtMs > till.nowMs + mostAheadMs) {
    return refused(
      `the feed was signed at ${toInstant(signedAtMs)}, and this till's clock says ${toInstant(till.nowMs)}. Set the clock that is wrong. If it is that of the machine that signs, sign the feed again`,
    );
  }
  // An old feed would take back a hold, or bring a version again that was withdrawn.
  if (till.newestSignedAtMs !== null && signedAtMs < till.newestSignedAtMs) {
    return refused(`the feed was signed before one that this till has seen. Sign the feed again`);
  }
  if (order === 0) return { kind: 'current' };
  if (till.failedVersions.includes(version)) {
    return refused(`${version} did not start here, and the till went back. A newer version is needed`);
  }
  if (till.isHeld) return { kind: 'held', by: 'settings' };
  if (release.isHeld) return { kind: 'held', by: 'feed' };
  return isInStage(release, till) ? { kind: 'take' } : { kind: 'later' };
}

function refused(line: string): Verdict {
  return { kind: 'refused', line };
}

function isInStage({ version, stagingPercentage }: Release, { stage, tillId }: JudgedBy): boolean {
  switch (stage) {
    case 'first':
      return stagingPercentage > 0;
    case 'share':
      return placeOf(tillId, version) < stagingPercentage;
    case 'last':
      return stagingPercentage === 100;
    default:
      return assertNever(stage);
  }
}

/** Where a till stands among all, from 0 to below 100: the same for one version, another for the next. */
export function placeOf(tillId: string, version: string): number {
  return (createHash('sha256').update(`${tillId} ${version}`).digest().readUInt32BE(0) / 2 ** 32) * 100;
}
