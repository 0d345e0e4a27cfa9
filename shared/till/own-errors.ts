/** What an operation may have as its error that the agent itself says, and not the service. */
export const changedOnDiskCode = 'CHANGED_ON_DISK';
