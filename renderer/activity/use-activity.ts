import { stateOf } from '../components/state-of.ts';
import type { Activity } from './state.ts';

export const [ActivityContext, useActivity] = stateOf<Activity>('activity');
