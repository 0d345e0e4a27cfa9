import type { TillCommandName } from '../../shared/till/api.ts';

interface ScreenRule {
  /**
   * `hand`: a person at the screen does it, so the lock waits. `page`: the page may send it without a person. When a
   * person caused it, `cashier.active` reports that.
   */
  readonly by: 'hand' | 'page';
  /** Whether the command is answered while the screen is shut: only what that page needs, and what opens the screen. */
  readonly whenShut: boolean;
}

const hand: ScreenRule = { by: 'hand', whenShut: false };
const page: ScreenRule = { by: 'page', whenShut: false };

/** What each command means for the lock of the screen. The compiler requires a row for every command. */
export const screenRules: Readonly<Record<TillCommandName, ScreenRule>> = {
  'state.read': { by: 'page', whenShut: true },
  'locale.set': { by: 'hand', whenShut: true },
  'cashier.sign_in': { by: 'hand', whenShut: true },
  // For the desktop app's window for customers, which shows only what anybody may see.
  'display.open': { by: 'page', whenShut: true },

  'cashier.active': hand,
  'cashier.switch': hand,
  'cashier.sign_out': hand,
  'cashier.lock': page,
  'customer.find': page,
  'customer.history': page,
  'customer.enroll': hand,
  'customer.verify': hand,
  'operation.earn': hand,
  'operation.redeem': hand,
  'operation.cancel': hand,
  'operation.reverse': hand,
  'operation.decide': hand,
  'operations.recent': page,
  'hold.list': page,
  'hold.reserve': hand,
  'hold.commit': hand,
  'hold.release': hand,
  'hold.again': hand,
  'display.show': page,
  'display.taken': page,
  'activity.list': page,
  'activity.show': page,
  'attention.list': page,
  'attention.cards': page,
  'attention.correct': hand,
  'attention.keep': hand,
  'attention.replace': hand,
  'attention.resend': hand,
  'attention.take_back': hand,
  'attention.write_off': hand,
  'day.read': page,
  'day.list': page,
  'day.close': hand,
  'settings.read': page,
  'settings.change': hand,
  'settings.test_connection': hand,
  'people.list': page,
  'people.add_manager': hand,
  'people.add_cashier': hand,
  'people.remove': hand,
  'tokens.list': page,
  'tokens.make': hand,
  'tokens.revoke': hand,
  'diagnostics.read': page,
  'diagnostics.day': page,
  'diagnostics.log': page,
  'diagnostics.read_check': page,
  'diagnostics.check_database': hand,
  'diagnostics.preview_bundle': page,
  'diagnostics.save_bundle': hand,
  'lab.read': page,
  'lab.clock': page,
  'lab.codes': page,
  'lab.faults': page,
  'lab.keys': page,
  'lab.requests': page,
  'lab.request': page,
  'lab.add_customer': hand,
  'lab.add_fault': hand,
  'lab.add_key': hand,
  'lab.change_key': hand,
  'lab.change_settings': hand,
  'lab.clear_faults': hand,
  'lab.clear_requests': hand,
  'lab.fail_transaction': hand,
  'lab.move_clock': hand,
  'lab.remove_fault': hand,
  'lab.reset': hand,
  'lab.resume_card': hand,
  'lab.revoke_key': hand,
  'lab.suspend_card': hand,
  'practice.certify': hand,
  'receipt.print': hand,
};
