import type { Notice } from '../../shared/till/views.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import type { NoticeWords } from '../copy/en/notices.ts';
import type { Format } from '../copy/format.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

type Tone = 'warning' | 'danger' | 'info';

/** What a notice is about, whichever mode it is of. */
type Trouble = Exclude<Notice, { readonly code: 'production_database' }>;

const looks: Readonly<Record<Trouble['code'], { readonly icon: IconName; readonly tone: Tone }>> = {
  not_saving: { icon: 'triangle-alert', tone: 'danger' },
  database_damaged: { icon: 'triangle-alert', tone: 'danger' },
  database_recovered: { icon: 'triangle-alert', tone: 'warning' },
  disk_nearly_full: { icon: 'triangle-alert', tone: 'danger' },
  queue_nearly_full: { icon: 'cloud-upload', tone: 'danger' },
  key_changed: { icon: 'key-round', tone: 'warning' },
  settings_lost: { icon: 'triangle-alert', tone: 'danger' },
  settings_file_wrong: { icon: 'triangle-alert', tone: 'warning' },
  settings_file_unchecked: { icon: 'triangle-alert', tone: 'warning' },
  sandbox_began_anew: { icon: 'rotate-ccw', tone: 'info' },
  backup_late: { icon: 'triangle-alert', tone: 'warning' },
  people_changed: { icon: 'triangle-alert', tone: 'danger' },
  production_waiting: { icon: 'cloud-upload', tone: 'info' },
  update_ready: { icon: 'rotate-ccw', tone: 'info' },
  update_held: { icon: 'rotate-ccw', tone: 'info' },
  update_refused: { icon: 'triangle-alert', tone: 'warning' },
  update_went_back: { icon: 'rotate-ccw', tone: 'warning' },
};

/** The look of a restored backup with nothing missing: it is only information. */
const wantedLook = { icon: 'rotate-ccw', tone: 'info' } as const;

function isWanted(notice: Trouble): boolean {
  if (notice.code !== 'database_recovered' || notice.left_out_references !== undefined) return false;
  if (notice.left_behind_references !== undefined) return false;
  return notice.why === 'restored' && notice.unreadable === 0;
}

/** Problems that will stop sales when nobody acts: one line each at the foot of the screen, as long as they last. */
export function Notices() {
  const { frame } = useModel();
  const notices = frame.till.value?.notices ?? [];
  return (
    <div class="notices stack" role="status" aria-label={frame.words.value.frame.notices}>
      {notices.map((notice) => (
        <NoticeLine key={keyOf(notice)} notice={notice} />
      ))}
    </div>
  );
}

/** Of one code there is one notice, but for each time that the database was replaced. */
function keyOf(notice: Notice): string {
  if (notice.code === 'production_database') return `${notice.code} ${keyOf(notice.trouble)}`;
  return notice.code === 'database_recovered' ? `${notice.code} ${notice.at}` : notice.code;
}

function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { frame } = useModel();
  const words = useWords('notices');
  const trouble = troubleOf(notice);
  const { icon, tone } = isWanted(trouble) ? wantedLook : looks[trouble.code];
  const { title, next } = noticeWords(trouble, words, frame.format.value);
  return (
    <p class={`notice-bar tone-${tone} row wrap`} data-notice={notice.code}>
      <Icon name={icon} size={18} />
      <strong>{trouble === notice ? title : words.inProduction(title)}</strong>
      <span>{next}</span>
    </p>
  );
}

function troubleOf(notice: Notice): Trouble {
  return notice.code === 'production_database' ? notice.trouble : notice;
}

function noticeWords(
  notice: Trouble,
  notices: NoticeWords,
  format: Format,
): { readonly title: string; readonly next: string } {
  switch (notice.code) {
    case 'not_saving':
      return notices.notSaving[notice.why];
    case 'database_damaged':
      return notices.databaseDamaged;
    case 'database_recovered':
      if (notice.left_out_references !== undefined) {
        return notices.databaseLeftOut(format.number(notice.left_out_references.length));
      }
      if (notice.left_behind_references !== undefined) {
        return notices.databaseLeftBehind(format.number(notice.left_behind_references.length));
      }
      if (notice.why === 'stray_log' && notice.unreadable === 0) return notices.databaseStrayLog;
      if (isWanted(notice)) return notices.databaseRestored(format.number(notice.carried));
      if (notice.unreadable === null) {
        const backupAt = notice.last_backup_at;
        return notices.databaseUnknown(
          format.number(notice.carried),
          backupAt === null ? null : format.dateTime(Date.parse(backupAt)),
        );
      }
      return notices.databaseRecovered(format.number(notice.carried), format.number(notice.unreadable));
    case 'disk_nearly_full':
      return notices.diskNearlyFull(format.number(Math.floor(notice.free_bytes / 1024 / 1024)));
    case 'queue_nearly_full':
      return notices.queueNearlyFull(format.number(notice.waiting), format.number(notice.limit));
    case 'key_changed':
      return notices.keyChanged(format.number(notice.waiting));
    case 'settings_lost':
      return notices.settingsLost[notice.mode];
    case 'settings_file_wrong':
      return notices.settingsFileWrong;
    case 'settings_file_unchecked':
      return notices.settingsFileUnchecked;
    case 'sandbox_began_anew':
      return notices.sandboxBeganAnew;
    case 'backup_late':
      return notices[notice.reason === null ? 'backupLate' : 'backupFails'](
        notice.last_at === null ? null : format.dateTime(Date.parse(notice.last_at)),
      );
    case 'people_changed':
      return notices.peopleChanged;
    case 'production_waiting':
      if (notice.waiting === null) return notices.productionWaiting.unread;
      return notices.productionWaiting[notice.is_sending ? 'sending' : 'held'](format.number(notice.waiting));
    case 'update_ready':
      return notices.updateReady(notice.version);
    case 'update_held':
      return notices.updateHeld(notice.version);
    case 'update_refused':
      return notices.updateRefused;
    case 'update_went_back':
      return notices.updateWentBack(notice.from, notice.to);
  }
}
