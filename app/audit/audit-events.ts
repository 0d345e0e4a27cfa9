import type { Mode } from '../../shared/till/modes.ts';

/** Who did it: a manager by name, `store IT (user)` by command; null at the screen of a till without managers. */
interface By {
  readonly by: string | null;
}

/** By command a name can be typed that nobody asked a PIN for: it stands beside `by`, never in its place. */
interface Typed {
  readonly person?: string;
}

/** `token_shared`: its program sees and takes back what others took, too; `token_unshared`: no longer. */
export type TokenChange = 'token_made' | 'token_revoked' | 'token_shared' | 'token_unshared';

/**
 * THE closed list of what the audit log tells. Names of the shop's people stand in it; never a customer, a key, a PIN, a
 * badge, a token, or the value of a setting.
 */
export type AuditEvent =
  | { readonly event: 'agent_started'; readonly mode: Mode; readonly version: string }
  | { readonly event: 'agent_stopped' }
  /** By command; `agent_stopped` follows. */
  | (By & { readonly event: 'stop_asked' })
  /** A browser has opened the screen with a one-time address. */
  | { readonly event: 'session_begun'; readonly session: string; readonly kiosk: string | null }
  | (By & { readonly event: 'session_ended'; readonly session: string })
  /** A one-time address, a session or its proof was wrong. */
  | { readonly event: 'session_refused' }
  | { readonly event: 'pin_right'; readonly person: string }
  /** `locked_ms`: how long no PIN (badge) is looked at from now on; 0 when the next one is. */
  | { readonly event: 'pin_wrong' | 'badge_wrong'; readonly locked_ms: number }
  | { readonly event: 'badge_right' | 'cashier_pin_right'; readonly person: string }
  | { readonly event: 'cashier_pin_wrong'; readonly person: string; readonly locked_ms: number }
  | (By & { readonly event: 'cashier_pin_set' | 'cashier_pin_removed'; readonly person: string })
  /** At the office's calls a POS program's token is wrong, too. */
  | { readonly event: 'token_wrong'; readonly door: 'bridge' | 'office' | 'control' }
  /** Names alone. */
  | (By & { readonly event: 'settings_changed'; readonly settings: readonly string[] })
  | (By & { readonly event: 'person_added'; readonly person: string; readonly role: 'manager' | 'cashier' })
  | (By & { readonly event: 'person_removed'; readonly person: string })
  | (By & { readonly event: TokenChange; readonly token_name: string })
  /** `is_proven`: the backup's MAC was this till's. */
  | (By & {
      readonly event: 'restored';
      readonly mode: Mode;
      readonly operations: number;
      readonly is_proven: boolean;
    })
  /** A person's decision over an operation that does not go on by itself, or is another cashier's. */
  | (By &
      Typed & {
        readonly event: 'decided';
        /** `undo`: of what another cashier has taken; one's own has no entry. */
        readonly decision: 'resend' | 'correct' | 'replace' | 'write_off' | 'keep' | 'take_back' | 'undo';
        readonly operation_id: string;
        /** When the sale took place, where the person has said so: it may count in another business day than before. */
        readonly occurred_at?: string;
      })
  /** `open`: so many operations were carried over. */
  | (By & Typed & { readonly event: 'day_closed'; readonly business_date: string; readonly open: number })
  /** Above a limit of the settings, with a manager's PIN. */
  | (By & { readonly event: 'limit_passed'; readonly limit: string; readonly operation_id: string })
  | (By & {
      readonly event: 'erased';
      readonly what: 'kept_profiles' | 'customer' | 'retention';
      readonly count: number;
    })
  /** Its frozen request is not as this till saved it: it is not sent until a person says so. */
  | { readonly event: 'operation_changed'; readonly operation_id: string }
  /** Operations from before there were seals, or whose seals a person has released. */
  | (By & Typed & { readonly event: 'operations_sealed'; readonly why: 'upgrade' | 'released'; readonly count: number })
  /** People from before their rows had seals: they are believed from then on. */
  | { readonly event: 'people_sealed'; readonly mode: Mode; readonly names: readonly string[] }
  /** The list of people is not as this till wrote it; whom it names cannot sign in. */
  | {
      readonly event: 'people_changed';
      readonly changed: readonly string[];
      readonly missing: readonly string[];
      readonly is_list_whole: boolean;
    }
  /** The database was used last in another place, or on another machine: references begin anew, so that a copy shares none. */
  | { readonly event: 'epoch_begun'; readonly mode: Mode; readonly why: 'place' | 'machine' }
  /** `by` null: in a quiet time, by itself. */
  | (By & { readonly event: 'update_begun'; readonly from: string; readonly to: string })
  | { readonly event: 'updated'; readonly from: string; readonly to: string }
  | { readonly event: 'update_refused'; readonly reason: string }
  /** `restored`: the copy of the database that was made before the update was put back. */
  | {
      readonly event: 'update_went_back';
      readonly from: string;
      readonly to: string;
      readonly why: 'died' | 'not_ready';
      readonly restored: boolean;
    }
  /** Triggers, views, tables or indexes that no version of the agent makes. */
  | { readonly event: 'schema_foreign'; readonly mode: Mode; readonly objects: readonly string[] };

/** What one entry of the log tells. */
export type AuditRecord =
  | AuditEvent
  /** So many more of that kind came within the hour and have no entry of their own. */
  | { readonly event: 'more'; readonly of: string; readonly count: number }
  /** The first entry of a new file; `from` is the seal of the entry before it. */
  | { readonly event: 'continued'; readonly from: string };

/** What outsiders, or a lost key, can bring about as often as they like: so many of a kind have an entry each hour. */
export const noisyEvents: ReadonlySet<AuditEvent['event']> = new Set([
  'operation_changed',
  'session_refused',
  'pin_wrong',
  'badge_wrong',
  'cashier_pin_wrong',
  'token_wrong',
]);
export const mostNoisyPerHour = 30;

/** Whoever may have something to tell the audit log. */
export interface Audit {
  /** On the disk when it returns. Never throws: what cannot be written is told to the program's own log. */
  note(event: AuditEvent): void;
}

export const noAudit: Audit = { note() {} };
