/** The words for what somebody should know before it stops sales: a part of `en`. */
export const notices = {
  notices: {
    notSaving: {
      locked: { title: 'Sales cannot be saved', next: 'Another program blocks the till’s memory. Call store IT.' },
      disk_full: { title: 'Sales cannot be saved: the disk is full', next: 'Keep the receipts and call store IT.' },
      disk_refuses: { title: 'Sales cannot be saved', next: 'The disk takes nothing. Call store IT.' },
    },
    databaseDamaged: { title: 'The till’s memory has a damaged part', next: 'Start the till again; it mends itself.' },
    databaseRestored: (carried: string) => ({
      title: 'The till was restored from a backup',
      next: `${carried} operations since the backup were carried over.`,
    }),
    databaseRecovered: (carried: string, lost: string) => ({
      title: 'The till’s memory was replaced',
      next: `${carried} operations were carried over, ${lost} could not be read. Call store IT.`,
    }),
    databaseUnknown: (carried: string, backupAt: string | null) => ({
      title: 'Part of the till’s memory is lost',
      next: `${carried} operations were carried over; what is missing is not known. ${backupAt === null ? 'No backup was made here.' : `Last backup: ${backupAt}.`} Call store IT.`,
    }),
    settingsLost: {
      sandbox: { title: 'The settings of this till are lost', next: 'It practises with defaults. Call store IT.' },
      production: { title: 'The settings of this till are lost', next: 'It sells with defaults. Call store IT.' },
    },
    sandboxBeganAnew: { title: 'The sandbox began anew', next: 'Its own books could not be read. No sale is lost.' },
    backupLate: (lastAt: string | null) => ({
      title: 'The backup is late',
      next: `${lastAt === null ? 'None was made yet.' : `The last one is from ${lastAt}.`} Call store IT.`,
    }),
    backupFails: (lastAt: string | null) => ({
      title: 'No backup can be made',
      next: `${lastAt === null ? 'None was made yet.' : `The last one is from ${lastAt}.`} Call store IT.`,
    }),
    diskNearlyFull: (megabytes: string) => ({
      title: `Only ${megabytes} MB left on the disk`,
      next: 'Call store IT; sales stop when it is full.',
    }),
    queueNearlyFull: (waiting: string, limit: string) => ({
      title: `${waiting} of ${limit} sales wait`,
      next: 'Call store IT; no more are taken at the limit.',
    }),
    keyChanged: (waiting: string) => ({
      title: 'The key has changed',
      next: `${waiting} operations were taken under another one; they are looked up first.`,
    }),
    productionWaiting: {
      sending: (waiting: string) => ({ title: `${waiting} real sales wait`, next: 'They go out in the background.' }),
      held: (waiting: string) => ({
        title: `${waiting} real sales wait`,
        next: 'They go out once the till is in production mode again.',
      }),
    },
  },
};

export type NoticeWords = typeof notices;
