/** Names that the page needs as values: without a schema, which would bring zod along. */
export const modes = ['sandbox', 'production'] as const;
export type Mode = (typeof modes)[number];
