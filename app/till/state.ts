import { toInstant } from '../../shared/lib/clock.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import type { Locale, TillState } from '../../shared/till/views.ts';
import { enrollTemplateOf } from '../config/enroll-template.ts';
import type { Settings } from '../config/settings.ts';
import type { AgentStatus } from '../core/agent-core.ts';
import type { HandedSale } from '../core/screen-sale.ts';
import type { CustomerDisplay } from './customer-display.ts';

/** A card of the embedded sandbox that a beginner can try. */
export interface PracticeCard {
  readonly loyaltyId: string;
  readonly customerName: string | null;
}

interface StateFacts {
  readonly status: AgentStatus;
  readonly settings: Settings;
  readonly locale: Locale;
  readonly nowMs: number;
  readonly clockRuns: boolean;
  readonly practiceCards: readonly PracticeCard[];
  readonly rewardGoals: readonly RewardGoal[];
  readonly lab: TillState['lab'];
  readonly cashier: TillState['cashier'];
  readonly hasCashiers: boolean;
  readonly cashiers: TillState['cashiers'];
  readonly signIn: TillState['sign_in'];
  readonly locks: boolean;
  readonly hasManagers: boolean;
  readonly handedSale: HandedSale | null;
  readonly display: Pick<CustomerDisplay, 'checkIn'> | null;
  readonly desktop: TillState['desktop'];
  readonly distance: TillState['distance'];
  readonly asksMode: boolean;
  readonly version: string;
}

/** The settings that the desktop app's window uses. */
export function desktopOf({ window }: Pick<Settings, 'window'>): TillState['desktop'] {
  return { kiosk: window.kiosk === 'on', starts_at_login: window.start_at_login === 'on' };
}

/** Everything that is shown around the screens. */
export function tillState({
  status,
  settings,
  locale,
  nowMs,
  clockRuns,
  practiceCards,
  rewardGoals,
  lab,
  cashier,
  hasCashiers,
  cashiers,
  signIn,
  locks,
  hasManagers,
  handedSale,
  display,
  desktop,
  distance,
  asksMode,
  version,
}: StateFacts): TillState {
  return {
    mode: status.mode,
    device_name: settings.device_name,
    branch_ref: settings.branch_ref,
    locale,
    currency: settings.currency,
    enroll_templates: settings.enroll_templates.map(enrollTemplateOf),
    reward_goals: [...rewardGoals],
    time_zone: settings.time_zone,
    card_pattern: settings.card_pattern,
    limits: {
      max_amount_minor: settings.limits.max_amount_minor,
      max_points: settings.limits.max_points,
      max_stamps: settings.limits.max_stamps,
      max_visits: settings.limits.max_visits,
      confirm_above_minor: settings.limits.confirm_above_minor,
    },
    connection: status.connection,
    operations: status.operations,
    oldest_waiting_at: status.oldestWaitingAtMs === null ? null : toInstant(status.oldestWaitingAtMs),
    window: {
      hours: status.windowHours,
      seconds_left: status.windowSecondsLeft,
      ends_at: status.windowEndsAtMs === null ? null : toInstant(status.windowEndsAtMs),
    },
    notices: [...status.notices],
    cashier,
    has_cashiers: hasCashiers,
    cashiers,
    sign_in: signIn,
    locks,
    has_managers: hasManagers,
    has_printer: settings.printer.address !== null,
    display: display === null ? null : { check_in: display.checkIn },
    handed_over:
      handedSale === null
        ? null
        : {
            id: handedSale.id,
            amount_minor: handedSale.amountMinor,
            currency: handedSale.currency,
            receipt_number: handedSale.receiptNumber,
          },
    now: toInstant(nowMs),
    service_ahead_ms: status.clockSkewMs ?? 0,
    clock_runs: clockRuns,
    practice_cards: practiceCards.map(({ loyaltyId, customerName }) => ({
      loyalty_id: loyaltyId,
      customer_name: customerName,
    })),
    lab,
    desktop,
    distance,
    asks_mode: asksMode,
    version,
  };
}
