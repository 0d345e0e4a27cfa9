/** The two messages between page and agent, and there are no others. */
export const questionChannel = 'till';
export const eventChannel = 'till-event';
