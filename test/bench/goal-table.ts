import { atLeast, atMost, type Limit } from './measure.ts';

interface Goal {
  readonly title: string;
  /** Each is a line of the report. */
  readonly limits: Readonly<Record<string, Limit>>;
}

/** Every speed goal, what is measured for it, and its limits: the one place that has their figures. */
export const goalTable = {
  1: {
    title: 'A saved sale is a synced sale',
    limits: {
      syncs: atLeast(200, { of: 'syncs that 200 sales make, one after another; synchronous stays 2', unit: 'syncs' }),
    },
  },
  2: {
    title: 'A save costs little more than the disk',
    limits: {
      save: atMost(1.25, { of: 'save a sale, p50, against a bare durable insert of its row' }),
      slowDisk: atMost(1.1, { of: 'the same at +5 ms for each sync' }),
    },
  },
  3: {
    title: 'Many tills share one sync',
    limits: {
      commitEach: atLeast(5, { of: 'sales a second, 16 at once, against one commit for each' }),
      plainjob: atLeast(0.95, { of: 'the same against plainjob as shipped, which is not durable' }),
      slowDisk: atLeast(12, { of: '16 at once against one commit for each, at +5 ms for each sync' }),
    },
  },
  4: {
    title: 'The bridge answers POS programs quickly',
    limits: {
      oneTill: atMost(1.5, { of: 'mean answer to 1 till, against an echo with a durable insert' }),
      sixteenTills: atLeast(0.35, { of: 'sales a second of 16 tills, against an echo that saves nothing' }),
      manyTills: atLeast(0.45, { of: 'sales a second of 256 tills, against the same' }),
    },
  },
  5: {
    title: 'A backlog leaves as fast as it can be sent',
    limits: {
      bare: atLeast(0.85, { of: 'send waiting sales, a second, against bare undici' }),
      plainjob: atLeast(3, { of: 'the same against plainjob as shipped, which is not durable' }),
      durablePlainjob: atLeast(7, { of: 'the same against plainjob made durable' }),
    },
  },
  6: {
    title: 'Neither a slow disk nor a slow line slows the sending',
    limits: {
      slowDisk: atLeast(0.65, { of: 'send at +5 ms for each sync, against bare undici' }),
      slowLineEight: atLeast(0.97, { of: 'send to a service that takes 20 ms, 8 in flight, against bare undici' }),
      slowLineMany: atLeast(0.97, { of: 'the same with 32 in flight' }),
    },
  },
  7: {
    title: "The order of each customer's sales costs little",
    limits: {
      eightCustomers: atLeast(0.95, { of: 'send the sales of 8 customers, against those of 5,000' }),
      oneCustomer: atLeast(0.75, { of: 'send the sales of one customer, against bare undici, 1 in flight' }),
    },
  },
  8: {
    title: 'Sending needs little memory, however much waits',
    limits: {
      waiting: atMost(5, {
        of: 'memory at the first sale out, with 1,000,000 waiting more than with 1,000',
        unit: 'MB',
      }),
      peak: atMost(25, { of: 'greatest memory while a backlog is sent, more than bare undici', unit: 'MB' }),
    },
  },
  9: {
    title: 'A till is ready at once and stays small',
    limits: {
      waiting: atMost(1.1, { of: 'start with 1,000,000 waiting sales, against none' }),
      production: atMost(3, { of: 'ready in production mode, against a Node that does nothing' }),
      sandbox: atMost(3, { of: 'ready with the embedded sandbox, against the same' }),
      cold: atMost(2, { of: 'ready when its own files are in no cache, against when they are' }),
      residentProduction: atMost(80, { of: 'memory after a minute at rest, production, no line', unit: 'MB' }),
      residentOnline: atMost(80, { of: 'memory after a minute at rest, production, with a line', unit: 'MB' }),
      residentSandbox: atMost(80, { of: 'memory after a minute at rest, embedded sandbox', unit: 'MB' }),
    },
  },
  10: {
    title: 'A long queue is as quick as a short one',
    limits: {
      claim: atMost(1.5, { of: 'mark the next 64 sales of 1,000,000 as being sent, against of 1,000' }),
      save: atMost(1.2, { of: 'save a sale, p50, behind 1,000,000, against behind 1,000' }),
      status: atMost(50, { of: 'tell the status with 1,000,000 waiting', unit: 'µs' }),
    },
  },
  11: {
    title: 'The file stays as it is',
    limits: {
      growth: atMost(1.05, { of: 'the file at day 30, against day 8' }),
      erased: atMost(512, { of: 'what an operation leaves in the file for good, once erased', unit: 'bytes' }),
      log: atMost(16, { of: 'greatest size of the log in 30 days', unit: 'MB' }),
      afterKill: atMost(10, { of: 'open after kill -9, more than after a good end', unit: 'ms' }),
    },
  },
  12: {
    title: 'A sale does not wait for the sending',
    limits: {
      p50: atMost(2.5, { of: 'save a sale while sending flat out, p50, against idle' }),
      p999: atMost(5, { of: 'save a sale while sending flat out, p99.9', unit: 'ms' }),
    },
  },
  13: {
    title: 'The sandbox is there at once, answers quickly and stays small',
    limits: {
      firstAnswer: atMost(0.15, { of: 'first answer of the sandbox, against Prism' }),
      earn: atLeast(0.48, { of: 'earn over HTTP, 16 in flight, against bare node:http' }),
      earnPrism: atLeast(5, { of: 'earn over HTTP, against Prism' }),
      identify: atLeast(0.65, { of: 'identify over HTTP, 16 in flight, against bare node:http' }),
      resident: atMost(80, { of: 'memory of the idle sandbox', unit: 'MB' }),
    },
  },
  14: {
    title: 'The sandbox is as quick after a year of sales as on its first day',
    limits: {
      earn: atMost(1.3, { of: 'earn with 1,000,000 transactions, against 1,000' }),
      identify: atMost(1.3, { of: 'identify with 1,000,000 transactions, against 1,000' }),
      page: atMost(1.5, { of: 'a history page with 1,000,000 transactions, against 1,000' }),
    },
  },
  15: {
    title: 'The sale screen is there before a hand is',
    limits: {
      ready: atMost(300, { of: 'from first paint to ready, 4x slower processor', unit: 'ms' }),
      press: atMost(50, { of: 'from the first press to its entry, 4x slower processor', unit: 'ms' }),
      load: atMost(60, { of: 'script that the first load of the sale screen takes, compressed', unit: 'kB' }),
    },
  },
  16: {
    title: 'An idle till does next to nothing',
    limits: {
      cpu: atMost(1, { of: 'processor time of a minute at rest, online, a second', unit: 'ms' }),
      wakeUps: atMost(1.5, { of: 'wake-ups in the same minute, a second', unit: '/s' }),
      written: atMost(0, { of: 'written to the disk in the same minute', unit: 'bytes' }),
    },
  },
  17: {
    title: 'A sale wears the disk little',
    limits: {
      logBytes: atMost(48, { of: 'written to the log for one online sale: save, mark, accept, apply', unit: 'kB' }),
    },
  },
  18: {
    title: 'The first sale is as quick as the tenth',
    limits: {
      first: atMost(3, { of: 'the first sale after a start, longer than the tenth', unit: 'ms' }),
    },
  },
  19: {
    title: 'What became of a sale is known soon',
    limits: {
      wait: atMost(2, { of: 'longest wait for the outcome at 1,000 sales a second, against the time to apply one' }),
    },
  },
} as const satisfies Readonly<Record<number, Goal>>;

export type GoalNumber = keyof typeof goalTable;

/** In their order. */
export const goalNumbers = Object.keys(goalTable).map(Number) as readonly GoalNumber[];

export function limitsOf(goal: GoalNumber): readonly Limit[] {
  return Object.values(goalTable[goal].limits);
}
