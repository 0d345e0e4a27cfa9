/** From how far away the screen is read. Names that the page needs as values: without a schema. */
export const distances = ['close', 'normal', 'far'] as const;
