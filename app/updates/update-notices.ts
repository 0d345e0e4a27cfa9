import type { Notice } from '../../shared/till/views.ts';
import type { Settings } from '../config/settings.ts';
import type { NotInstalled, UpdateMemory } from './update-files.ts';
import type { UpdateHost } from './update-host.ts';
import type { UpdateState } from './update-view.ts';

const wentBackToldMs = 7 * 86_400_000;

/** @param failed the installation that came to nothing last; null after none */
export function stateBeforeLooking(
  host: Pick<UpdateHost, 'packageKind' | 'feedKeys'>,
  { feed }: Pick<Settings['update'], 'feed'>,
  failed: NotInstalled | null,
): UpdateState {
  if (feed === null) return { kind: 'off', reason: 'update.feed is not set' };
  if (host.packageKind === null) return { kind: 'off', reason: 'this kind of package is updated by hand' };
  if (host.feedKeys.length === 0) return { kind: 'off', reason: 'this package was made without a key for updates' };
  return failed === null
    ? { kind: 'not_looked' }
    : { kind: 'failed', reason: notInstalledWords(failed), needs_it: true };
}

/** What a person should know of updates now. */
export function updateNotices(
  state: UpdateState,
  { went_back: back, not_installed: failed }: Pick<UpdateMemory, 'went_back' | 'not_installed'>,
  nowMs: number,
): readonly Notice[] {
  const isTold = back !== null && nowMs - back.at_ms < wentBackToldMs;
  return [
    ...(isTold ? [{ code: 'update_went_back', from: back.from, to: back.to } as const] : []),
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
      return state satisfies never;
  }
}

function notInstalledWords({ version, reason }: NotInstalled): string {
  return `version ${version}: ${reason}`;
}
