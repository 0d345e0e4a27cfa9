import { stateOf } from '../components/state-of.ts';
import type { Attention } from './state.ts';

export const [AttentionContext, useAttention] = stateOf<Attention>('attention');
