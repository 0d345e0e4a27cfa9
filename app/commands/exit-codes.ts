/** How every command ends (design "Running it"). */
export const exitCodes = {
  well: 0,
  /** It worked, and found a problem. */
  problemFound: 1,
  wrongUse: 2,
  /** The agent or its data cannot be reached. */
  outOfReach: 3,
} as const;
