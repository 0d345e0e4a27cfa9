/** The words of the first screen of a new till. */
export const words = {
  title: 'What is this till for?',
  about: 'Tillbridge is new on this till. Choose once.',
  modes: {
    sandbox: { title: 'Practice (sandbox)', next: 'Try everything with practice customers. No real sale.' },
    production: { title: 'Real customers (production)', next: 'Enter the address and API key of the loyalty service.' },
  },
  failed: 'The choice was not saved. Try again, or call store IT.',
  later: 'You can change this in Settings later.',
};
