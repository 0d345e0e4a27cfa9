import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { connect } from '../../app/store/database/connect.ts';
import { forgetLog } from '../../app/store/files/open-marker.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { bytesOf, flip, type LeftFiles, leftByAKill, leftClosed, startOn } from '../support/lying-files.ts';

const isLong = process.env.LONG_TESTS === '1';
const saleCount = 45;

describe.each([
  { pages: 'as a new database has them', pageBytes: newPageBytes, every: 4 },
  { pages: 'as older ones have them', pageBytes: 4_096, every: 9 },
])('with pages $pages', ({ pageBytes, every }) => {
  const closedIn = temporaryFolder();
  const killedIn = temporaryFolder();
  const work = temporaryFolder();
  let closed: LeftFiles;
  let killed: LeftFiles;
  beforeAll(async () => {
    closed = await leftClosed(closedIn, { count: saleCount, pageBytes });
    killed = await leftByAKill(killedIn, { count: saleCount, pageBytes });
  });
  afterAll(() => {
    for (const folder of [closedIn, killedIn, work]) folder.remove();
  });

  const start = (left: LeftFiles, what: string, damage: (path: string) => void) =>
    startOn(left, { folder: work.file('till'), what, damage });

  const masksAt = (at: number) => (isLong ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [at % 2 === 0 ? 255 : 1 << (at % 8)]);

  describe('a header with flipped bits', () => {
    it('costs no sale, whichever byte it is', async () => {
      for (let at = 0; at < 100; at += isLong ? 1 : every) {
        for (const mask of masksAt(at)) {
          const what = `byte ${at} ^ ${mask}`;
          const { missing } = await start(closed, what, (path) => writeFileSync(path, flip(bytesOf(path), at, mask)));
          expect(missing, what).toEqual([]);
        }
      }
    }, 300_000);

    it('costs no sale with a log beside it', async () => {
      for (let at = 0; at < 100; at += isLong ? 1 : 23) {
        const what = `byte ${at} with a log`;
        const { missing } = await start(killed, what, (path) => writeFileSync(path, flip(bytesOf(path), at, 0xff)));
        expect(missing, what).toEqual([]);
      }
    }, 300_000);

    it('or all of it overwritten, or the whole first page, costs no sale', async () => {
      for (const bytes of [100, pageBytes]) {
        for (const filler of [0, 0xee]) {
          const what = `${bytes} bytes of ${filler}`;
          const { missing, recovery } = await start(closed, what, (path) =>
            writeFileSync(path, bytesOf(path).fill(filler, 0, bytes)),
          );
          expect({ missing, unreadable: recovery?.unreadable, carried: recovery?.carried }, what).toEqual({
            missing: [],
            unreadable: 0,
            carried: saleCount,
          });
        }
      }
    });

    it('the rest of the first page damaged costs no sale', async () => {
      const step = isLong ? 3 : 661;
      for (let at = 100; at < pageBytes; at += step) {
        const what = `byte ${at} of page 1`;
        const { missing } = await start(closed, what, (path) => writeFileSync(path, flip(bytesOf(path), at, 0xff)));
        expect(missing, what).toEqual([]);
      }
    }, 300_000);
  });

  describe('a log', () => {
    const damageLog = (change: (bytes: Buffer) => Buffer) => (path: string) =>
      writeFileSync(`${path}-wal`, change(bytesOf(`${path}-wal`)));
    const frameBytes = 24 + pageBytes;

    it('with flipped bits costs no sale without a word, wherever they are', async () => {
      const random = seededRandom(11);
      const { size } = statSync(`${killed.folder}/till.sqlite-wal`);
      const rounds = isLong ? 3_000 : Math.ceil(64 / every);
      let told = 0;
      for (let round = 0; round < rounds; round += 1) {
        const at = round < 40 / every ? round * every : Math.floor(random.next() * size);
        const mask = 1 << Math.floor(random.next() * 8);
        const { recovery } = await start(
          killed,
          `bit ${mask} of byte ${at} of the log`,
          damageLog((bytes) => flip(bytes, at, mask)),
        );
        if (recovery !== null) told += 1;
      }
      expect(told).toBeGreaterThan(rounds / 3);
    }, 900_000);

    it('with one flipped bit in its very last commit keeps even that one', async () => {
      const bytes = bytesOf(`${killed.folder}/till.sqlite-wal`);
      const last = Math.floor((bytes.length - 32) / frameBytes) - 1;
      const { missing, recovery } = await start(
        killed,
        'the last frame',
        damageLog((log) => flip(log, 32 + last * frameBytes + 1_000, 2)),
      );
      expect({ missing, why: recovery?.why, unreadable: recovery?.unreadable }).toEqual({
        missing: [],
        why: 'log_damaged',
        unreadable: 0,
      });
    });

    it('of which a whole frame is rubbish is put aside, and what stands behind it is carried over', async () => {
      const { missing, recovery } = await start(
        killed,
        'frame 20',
        damageLog((bytes) => bytes.fill(0xee, 32 + 19 * frameBytes, 32 + 20 * frameBytes)),
      );
      // Whether a sale stood in it, nobody can tell.
      expect(recovery).toMatchObject({ why: 'log_damaged', unreadable: null });
      expect(missing.length).toBeLessThan(5);
    });

    it('that is gone after an unclean end is told', async () => {
      const { missing, recovery } = await start(killed, 'no log', (path) => {
        rmSync(`${path}-wal`);
        rmSync(`${path}-shm`);
      });
      expect(missing).toHaveLength(saleCount);
      expect(recovery?.unreadable).toBeNull();
    });

    it('that was cut anywhere is told', async () => {
      const random = seededRandom(12);
      const { size } = statSync(`${killed.folder}/till.sqlite-wal`);
      for (let round = 0; round < (isLong ? 500 : 12); round += 1) {
        const at = round < 3 ? round * 31 : Math.floor(random.next() * size);
        await start(killed, `cut at ${at}`, (path) => truncateSync(`${path}-wal`, at));
      }
    }, 300_000);

    it('that a kill has left as it was is no damage', async () => {
      const { missing, recovery } = await start(killed, 'nothing', () => undefined);
      expect({ missing, recovery }).toEqual({ missing: [], recovery: null });
    });

    it('of which a power cut has torn the commit that was under way is no damage', async () => {
      // What is known of the log is from before: the last two sales were not acknowledged.
      const { folder, acknowledged } = killed;
      const known = { folder, acknowledged: acknowledged.slice(0, -3) };
      const { recovery } = await startOn(known, {
        folder: work.file('till'),
        what: 'torn',
        damage: (path) => {
          forgetLog(path);
          const log = bytesOf(`${path}-wal`);
          const last = Math.floor((log.length - 32) / frameBytes) - 1;
          writeFileSync(`${path}-wal`, log.fill(0, 32 + last * frameBytes - 1_500, 32 + last * frameBytes - 500));
        },
      });
      expect(recovery).toBeNull();
    });
  });

  describe('the file of a database', () => {
    it('that was cut anywhere is told, with what is missing', async () => {
      const random = seededRandom(13);
      for (const left of [closed, killed]) {
        const { size } = statSync(`${left.folder}/till.sqlite`);
        for (let round = 0; round < (isLong ? 300 : 6); round += 1) {
          const at = round < 2 ? round * 99 : Math.floor(random.next() * size);
          await start(left, `cut at ${at}`, (path) => truncateSync(path, at));
        }
      }
    }, 300_000);

    it('that is gone is told, log or no log', async () => {
      const gone = await start(closed, 'gone', (path) => rmSync(path));
      expect(gone.recovery).toMatchObject({ why: 'missing', unreadable: null });
      const goneWithItsNote = await start(closed, 'gone, with its note', (path) => {
        for (const part of ['', '-wal', '-shm', '-open']) rmSync(path + part, { force: true });
      });
      expect(goneWithItsNote.recovery).toMatchObject({ why: 'missing', unreadable: null });
      const withLog = await start(killed, 'gone, with a log', (path) => rmSync(path));
      expect(withLog.recovery).not.toBeNull();
      expect(withLog.missing).toEqual([]);
    });

    // One byte is nothing to SQLite.
    it.each([0, 1])(
      'that was cut to %i bytes costs no sale with its log, and whoever looks first leaves the log',
      async (bytes) => {
        const { missing, recovery } = await start(killed, `cut to ${bytes} bytes`, (path) => {
          truncateSync(path, bytes);
          expect(() => connect(path, { readonly: true, fileMustExist: true })).toThrow('its log is not');
        });
        expect(missing).toEqual([]);
        expect(recovery).toMatchObject({ why: 'damaged', carried: saleCount });
      },
    );

    it('with a folder in the place of what is kept beside it costs no sale, and keeps no till from starting', async () => {
      for (const part of ['-open', '-replacing', '-shm']) {
        const { missing } = await start(killed, `folder ${part}`, (path) => {
          rmSync(path + part, { force: true });
          mkdirSync(path + part);
        });
        expect(missing, part).toEqual([]);
      }
    });

    it('with random damage anywhere costs no sale without a word', async () => {
      const random = seededRandom(14);
      for (let round = 0; round < (isLong ? 2_000 : 32 / every); round += 1) {
        const left = round % 2 === 0 ? closed : killed;
        const name = round % 4 === 3 ? '-wal' : round % 16 === 1 ? '-shm' : '';
        const seed = Math.floor(random.next() * 1_000_000);
        await start(left, `damage of seed ${seed} in ${name}`, (path) => {
          const dice = seededRandom(seed);
          let bytes = bytesOf(path + name);
          if (bytes.length === 0) return;
          for (let flips = 1 + Math.floor(dice.next() * 40); flips > 0; flips -= 1) {
            bytes = flip(bytes, Math.floor(dice.next() * bytes.length), 1 + Math.floor(dice.next() * 255));
          }
          writeFileSync(path + name, bytes);
        });
      }
    }, 900_000);

    it('that an older copy was put in the place of is told', async () => {
      const store = closedIn.file('till.sqlite');
      // The folder went on: its marker is newer than the copy.
      const { recovery } = await startOn(closed, {
        folder: work.file('till'),
        what: 'older',
        damage: (path) => {
          const marker = bytesOf(`${store}-open`);
          marker.writeUInt32LE(marker.readUInt32LE(8) + 2, 8);
          writeFileSync(`${path}-open`, marker);
        },
      });
      expect(recovery).toMatchObject({ why: 'older', unreadable: null });
    });
  });
});
