/** From how far away the screen is read. The page needs these names as values, so they are here without a schema. */
export const distances = ['close', 'normal', 'far'] as const;
