import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Notice } from '../../shared/till/views.ts';
import type { Settings } from '../config/settings.ts';
import type { NotInstalled, WentBack } from './update-files.ts';
import type { UpdateHost } from './update-host.ts';
import type { UpdateState } from './update-view.ts';

const wentBackToldMs = 7 * 86_400_000;

/** @param failed the installation that came to nothing last; null after none */
export function stateBeforeLooking(
  host: Pick<UpdateHost, 'packageKind' | 'feedKeys' | 'version'>,
  { feed }: Pick<Settings['update'], 'feed'>,
  failed: NotInstalled | null,
): UpdateState {
  if (feed === null) return { kind: 'off', reason: 'update.feed is not set' };
  if (host.packageKind === null) return { kind: 'off', reason: 'this kind of package is updated by hand' };
  if (host.feedKeys.length === 0) return { kind: 'off', reason: 'this package was made without a key for updates' };
  // It was installed by hand since.
  const isPast = failed?.version === host.version;
  return failed === null || isPast
    ? { kind: 'not_looked' }
    : { kind: 'failed', reason: notInstalledWords(failed), needs_it: true };
}

/** The way back that is told for 7 days, and only while the version that the till went back to runs. */
export function toldWayBack(
  back: WentBack | null,
  { version, nowMs }: { readonly version: string; readonly nowMs: number },
): WentBack | null {
  return back !== null && back.to === version && nowMs - back.at_ms < wentBackToldMs ? back : null;
}

/** What a person should know of updates now. @param back as `toldWayBack` @param failed as `stateBeforeLooking` */
export function updateNotices(
  state: UpdateState,
  { back, failed }: { readonly back: WentBack | null; readonly failed: NotInstalled | null },
): readonly Notice[] {
  return [
    ...(back === null ? [] : [{ code: 'update_went_back', from: back.from, to: back.to } as const]),
    ...noticesOfState(state, failed),
  ];
}

function noticesOfState(state: UpdateState, failed: NotInstalled | null): readonly Notice[] {
  switch (state.kind) {
    case 'ready':
      return state.waits_for === 'person' && failed !== null
        ? [{ code: 'update_refused', reason: notInstalledWords(failed) }]
        : [{ code: 'update_ready', version: state.version }];
    case 'installing':
      return [{ code: 'update_ready', version: state.version }];
    case 'held':
      return [{ code: 'update_held', version: state.version }];
    case 'refused':
      return [{ code: 'update_refused', reason: state.reason }];
    case 'failed':
      return state.needs_it ? [{ code: 'update_refused', reason: state.reason }] : [];
    case 'off':
    case 'not_looked':
    case 'current':
    case 'later':
    case 'fetching':
      return [];
    default:
      return assertNever(state);
  }
}

function notInstalledWords({ version, reason }: NotInstalled): string {
  return `version ${version}: ${reason}`;
}
