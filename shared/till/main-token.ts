/** The name of the first token, which is made together with the agent. It has no schema: a schema would make the page load zod. */
export const mainTokenName = 'main';
