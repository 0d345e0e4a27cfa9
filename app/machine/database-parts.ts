/** A database's own file and what SQLite may have beside it: each is the database's path with this behind it. */
export const databaseParts = ['', '-wal', '-shm', '-journal'] as const;
