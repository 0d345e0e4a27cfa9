import type { GoalNumber } from '../goal-table.ts';
import { measureBridge } from './bridge.ts';
import type { MeasureGoal } from './context.ts';
import { measureCustomerOrder } from './customer-order.ts';
import { measureDrain } from './drain.ts';
import { measureDurability } from './durability.ts';
import { measureEnqueue } from './enqueue.ts';
import { measureFirstSale } from './first-sale.ts';
import { measureIdle } from './idle.ts';
import { measureInFlight } from './in-flight.ts';
import { measureLogBytes } from './log-bytes.ts';
import { measureMemory } from './memory.ts';
import { measureMonth } from './month.ts';
import { measurePage } from './page.ts';
import { measurePolls } from './polls.ts';
import { measureQueueSize } from './queue-size.ts';
import { measureSandbox } from './sandbox.ts';
import { measureSaveWhileSending } from './save-while-sending.ts';
import { measureSlowLine } from './slow-line.ts';
import { measureStart } from './start.ts';
import { measureStoreSize } from './store-size.ts';

export const measureByGoal: Readonly<Record<GoalNumber, MeasureGoal>> = {
  1: measureDurability,
  2: measureEnqueue,
  3: measureInFlight,
  4: measureBridge,
  5: measureDrain,
  6: measureSlowLine,
  7: measureCustomerOrder,
  8: measureMemory,
  9: measureStart,
  10: measureQueueSize,
  11: measureMonth,
  12: measureSaveWhileSending,
  13: measureSandbox,
  14: measureStoreSize,
  15: measurePage,
  16: measureIdle,
  17: measureLogBytes,
  18: measureFirstSale,
  19: measurePolls,
};
