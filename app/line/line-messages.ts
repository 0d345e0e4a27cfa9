/** What the log says when the line changes and when the agent begins: lines of earlier runs tell the history before this one. */
export const lineChangedMessage = 'The connection to the service has changed';
export const agentReadyMessage = 'The agent is ready';
