/** Why a command cannot do its work; the line is for whoever typed it. */
export class OutOfReachError extends Error {}

/** The full disk is that of a file which the command was to write, and not the till's own. */
export class FullElsewhereError extends OutOfReachError {}
