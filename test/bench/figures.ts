import { type Spread, spreadOf } from './measure.ts';

/** Absolute figures as people read them: the median of the rounds. */
export const perSecond = (values: readonly number[]): string =>
  `${Math.round(spreadOf(values).median).toLocaleString('en')}/s`;
export const microseconds = (values: readonly number[]): string => `${spreadOf(values).median.toFixed(0)} µs`;
export const milliseconds = (values: readonly number[]): string => {
  const { median } = spreadOf(values);
  return `${median.toFixed(median < 10 ? 2 : 0)} ms`;
};
export const megabytes = (values: readonly number[]): string => `${spreadOf(values).median.toFixed(0)} MB`;
export const times = ({ median }: Spread): string => `${median.toFixed(2)}x`;
