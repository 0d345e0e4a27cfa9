/** Why a command cannot do its work; the line is for whoever typed it. */
export class OutOfReachError extends Error {}
