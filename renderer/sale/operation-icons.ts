import type { CardOperation } from '../../shared/contract/card-names.ts';
import type { IconName } from '../components/icon.tsx';

/** The one drawing of each operation, on its button and on its dialog. */
export const operationIcons: Readonly<Record<CardOperation, IconName>> = {
  earn_amount: 'receipt-text',
  earn_points: 'star',
  earn_stamp: 'stamp',
  earn_visit: 'footprints',
  redeem_amount: 'banknote',
  redeem_points: 'coins',
  redeem_stamp: 'stamp',
  redeem_visit: 'calendar-check',
  redeem_reward: 'gift',
  redeem_coupon: 'ticket',
};
