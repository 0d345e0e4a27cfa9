/** The two channels between page and agent. There are no others. */
export const questionChannel = 'till';
export const eventChannel = 'till-event';
