/** What is left in the place of an error's words. */
export const erasedWords = {
  retention_time: 'Erased after the retention time.',
  request: 'The customer was erased on request.',
} as const;
