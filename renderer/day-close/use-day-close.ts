import { stateOf } from '../components/state-of.ts';
import type { DayClose } from './state.ts';

export const [DayCloseContext, useDayClose] = stateOf<DayClose>('day-close');
