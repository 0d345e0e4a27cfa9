/** What became of an operation, as a day is counted. */
export const dayOutcomes = ['applied', 'waiting', 'refused', 'written_off', 'taken_back'] as const;
export type DayOutcome = (typeof dayOutcomes)[number];

/** In what an operation is counted; `none` has no value of its own, such as a reward. */
export const dayUnits = ['money', 'points', 'stamps', 'visits', 'none'] as const;
export type DayUnit = (typeof dayUnits)[number];
