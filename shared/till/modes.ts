/** The page needs these names as values. They have no schema, because a schema would make the page load zod. */
export const modes = ['sandbox', 'production'] as const;
export type Mode = (typeof modes)[number];
