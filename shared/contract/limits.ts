/**
 * Longest string field of a request, in code points (decisions: "Errors and limits"). It has no schema beside it, because a
 * schema would make the page load zod.
 */
export const maxTextLength = 255;
