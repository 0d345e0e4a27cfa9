/** The outcomes by which a day is counted. */
export const dayOutcomes = ['applied', 'waiting', 'refused', 'written_off', 'taken_back'] as const;
export type DayOutcome = (typeof dayOutcomes)[number];

/** The units of operations; `none`: no value of its own, as for a reward. */
export const dayUnits = ['money', 'points', 'stamps', 'visits', 'none'] as const;
export type DayUnit = (typeof dayUnits)[number];
