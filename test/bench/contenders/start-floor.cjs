// What no start of an agent can do without: Node opens a database as the agent does, looks whether its pages are sound,
// writes to it once, and listens. No settings, no secrets, no checks of requests, no code of ours.
const { randomBytes } = require('node:crypto');
const { createServer } = require('node:http');
const BetterSqlite3 = require('better-sqlite3');

const database = new BetterSqlite3(process.argv[2]);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('quick_check(1)');
database.exec('CREATE TABLE IF NOT EXISTS opened (id TEXT) STRICT');
database.prepare('INSERT INTO opened VALUES (?)').run(randomBytes(8).toString('hex'));

const server = createServer((_request, response) => response.end());
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`);
  process.exit();
});
