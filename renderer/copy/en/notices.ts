/** The words for warnings before sales stop: a part of `en`. */
export const words = {
  notSaving: {
    locked: { title: 'Sales cannot be saved', next: 'Another program blocks the database. Call store IT.' },
    disk_full: { title: 'Sales cannot be saved: the disk is full', next: 'Keep the receipts and call store IT.' },
    disk_refuses: { title: 'Sales cannot be saved', next: 'The disk cannot be written. Call store IT.' },
  },
  databaseDamaged: {
    title: 'The database is damaged',
    next: 'Close Tillbridge and open it again. This repairs the database.',
  },
  databaseRestored: (carried: string) => ({
    title: 'The till was restored from a backup',
    next: `Newer operations kept: ${carried}.`,
  }),
  databaseLeftOut: (leftOut: string) => ({
    title: 'The till was restored from another till’s backup',
    next: `Left out, because this till has others under their numbers: ${leftOut}. Call store IT.`,
  }),
  databaseLeftBehind: (leftBehind: string) => ({
    title: 'The database was replaced',
    next: `Only in the old file, because there are others under their numbers: ${leftBehind}. Call store IT.`,
  }),
  databaseStrayLog: {
    title: 'A strange file lay beside the database',
    next: 'It was put aside, and nothing is lost. Call store IT.',
  },
  databaseRecovered: (carried: string, lost: string) => ({
    title: 'The database was replaced',
    next: `Operations kept: ${carried}. Not readable: ${lost}. Call store IT.`,
  }),
  databaseUnknown: (carried: string, backupAt: string | null) => ({
    title: 'Part of the database is lost',
    next: `Operations kept: ${carried}. ${backupAt === null ? 'No backup was made here.' : `Last backup: ${backupAt}.`} Call store IT.`,
  }),
  settingsLost: {
    sandbox: {
      title: 'The settings of this till are lost',
      next: 'This till practises with default settings. Call store IT.',
    },
    production: {
      title: 'The settings of this till are lost',
      next: 'This till sells with default settings. Call store IT.',
    },
  },
  settingsFileWrong: {
    title: 'A settings file is wrong',
    next: 'Tillbridge uses the last good settings. Call store IT.',
  },
  settingsFileUnchecked: {
    title: 'A settings file could not be checked',
    next: 'Tillbridge uses the file. Call store IT.',
  },
  sandboxBeganAnew: {
    title: 'The sandbox started over',
    next: 'The sandbox data could not be read. No sale is lost.',
  },
  backupLate: (lastAt: string | null) => ({
    title: 'The backup is late',
    next: `${lastAt === null ? 'There is no backup yet.' : `Last backup: ${lastAt}.`} Call store IT.`,
  }),
  backupFails: (lastAt: string | null) => ({
    title: 'No backup can be made',
    next: `${lastAt === null ? 'There is no backup yet.' : `Last backup: ${lastAt}.`} Call store IT.`,
  }),
  diskNearlyFull: (megabytes: string) => ({
    title: `Only ${megabytes} MB left on the disk`,
    next: 'Call store IT. A full disk stops sales.',
  }),
  queueNearlyFull: (waiting: string, limit: string) => ({
    title: `${waiting} of ${limit} sales are waiting`,
    next: 'Call store IT. The limit stops sales.',
  }),
  keyChanged: (waiting: string) => ({
    title: 'The API key has changed',
    next: `Tillbridge first checks ${waiting} operations of the old key.`,
  }),
  peopleChanged: {
    title: 'The list of people was changed outside Tillbridge',
    next: 'Some people cannot sign in. Call store IT.',
  },
  productionWaiting: {
    sending: (waiting: string) => ({
      title: `${waiting} real sales are waiting`,
      next: 'Tillbridge sends them in the background.',
    }),
    held: (waiting: string) => ({
      title: `${waiting} real sales are waiting`,
      next: 'Tillbridge sends them in production mode.',
    }),
    unread: { title: 'Real sales may be waiting', next: 'Tillbridge cannot read them. Call store IT.' },
  },
  /** Of the other mode's database. */
  inProduction: (title: string) => `Production mode: ${title}`,
  updateReady: (version: string) => ({
    title: `Version ${version} is ready`,
    next: 'Tillbridge installs it at the next quiet time.',
  }),
  updateHeld: (version: string) => ({
    title: `Version ${version} is on hold`,
    next: 'Keep selling.',
  }),
  updateRefused: { title: 'An update was not installed', next: 'Keep selling. Call store IT.' },
  updateWentBack: (from: string, to: string) => ({
    title: `Version ${from} did not start`,
    next: `Tillbridge went back to ${to}. Call store IT.`,
  }),
};

export type NoticeWords = typeof words;
