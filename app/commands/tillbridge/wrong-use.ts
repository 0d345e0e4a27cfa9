/** The command was given something that the agent does not take. */
export class WrongUseError extends Error {}
