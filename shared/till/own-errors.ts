/** An error code of an operation that comes from the agent, not from the service. */
export const changedOnDiskCode = 'CHANGED_ON_DISK';
