import { createServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { settingsSchema } from '../../app/config/settings.ts';
import { checkPrinter } from '../../app/doctor/check-printer.ts';
import { sendToPrinter } from '../../app/receipts/printer.ts';
import { ReceiptPrinter } from '../../app/receipts/receipt-printer.ts';
import { receiptHandlers } from '../../app/till/receipts.ts';
import { readEscpos } from '../support/escpos-reader.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

/** A printer on a real socket. */
async function printer(onConnect: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    onConnect(socket);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The printer has no port');
  return address.port;
}
const paper = settingsSchema.parse({}).printer;
const send = (port: number, clock = new ManualClock(), bytes = Buffer.alloc(2_000_000, 0x41)) =>
  sendToPrinter(bytes, { host: '127.0.0.1', port }, clock);
/** Takes all, and then does what a printer does at the question for its paper. */
const takesAll = (took: Buffer[], atTheEnd: (socket: Socket) => void) => (socket: Socket) => {
  let last = Buffer.alloc(0);
  socket.on('data', (part) => {
    took.push(part);
    last = Buffer.concat([last, part]).subarray(-3);
    if (last.equals(Buffer.of(0x1d, 0x72, 0x01))) atTheEnd(socket);
  });
};
const tells =
  (...told: number[]) =>
  (socket: Socket) =>
    socket.write(Buffer.from(told));

test('a printer has printed when it tells that it has paper; without that, nobody knows', async () => {
  const took: Buffer[] = [];
  expect(await send(await printer(takesAll(took, tells(0))))).toEqual({ kind: 'done' });
  expect(Buffer.concat(took)).toHaveLength(2_000_003);
  expect(await send(await printer(takesAll([], tells(0x0c))))).toEqual({ kind: 'unknown' });
  // Its network part takes every byte and closes, also when the paper is out or the cover is open.
  expect(await send(await printer(takesAll([], (socket) => socket.end())))).toEqual({ kind: 'unknown' });
});

test('silence, what a printer tells of itself, or what it tells too early, does not say that it printed', async () => {
  const clock = new ManualClock();
  let toldCount = 0;
  const takesAndTells = (...told: number[]) =>
    printer(takesAll([], (socket) => socket.write(Buffer.from(told), () => (toldCount += 1))));
  // Its sensors: what it says of the paper never has the bit 0x10. Its end comes behind that, however slow the machine is.
  const sensors = send(await printer(takesAll([], (socket) => socket.end(Buffer.of(0x14)))), clock);
  const early = send(await printer(tells(0)), clock, Buffer.alloc(20_000_000));
  const long = send(await takesAndTells(0, 0, 0, 0), clock);
  const closing = takesAll([], () => (toldCount += 1));
  const silent = await printer((socket) => closing(socket.on('end', () => socket.end())));
  const quiet = send(silent, clock);
  await expect.poll(() => toldCount).toBe(2);
  clock.advance(1_000);
  // On a real line the answer comes before the time is over.
  await new Promise((resolve) => setTimeout(resolve, 30));
  clock.advance(4_000);
  expect(await Promise.all([early, long, sensors, quiet])).toEqual([1, 2, 3, 4].map(() => ({ kind: 'unknown' })));
});

test('a printer that takes the connection and closes it at once has not said that it printed', async () => {
  const clock = new ManualClock();
  const sending = send(await printer((socket) => socket.end()), clock, Buffer.alloc(2_000));
  expect(await sending).toEqual({ kind: 'unknown' });
  expect(clock.timerCount).toBe(0);
});

/** Where nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address === null || typeof address === 'string' ? 0 : address.port;
}

test('a printer that is not there has printed nothing', async () => {
  expect(await send(await freePort())).toEqual({ kind: 'refused' });
  const clock = new ManualClock();
  const silent = send(await printer(() => undefined), clock);
  // Before a connection can stand.
  clock.advance(3_000);
  expect(await silent).toEqual({ kind: 'refused' });
});

test('of a printer that hangs, or closes half-way, nobody knows whether it printed', async () => {
  const clock = new ManualClock();
  const hanging = await printer(() => undefined);
  const sending = send(hanging, clock);
  // From the connection on another time counts.
  await expect.poll(() => clock.hasTimerIn(5_000)).toBe(true);
  clock.advance(5_000);
  expect(await sending).toEqual({ kind: 'unknown' });
  const halfWay = await printer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  expect(await send(halfWay)).toEqual({ kind: 'unknown' });
});

test('the doctor says whether the printer answers, and prints nothing', async () => {
  const clock = new ManualClock();
  const took: Buffer[] = [];
  const port = await printer(takesAll(took, tells(0)));
  const address = `127.0.0.1:${port}`;
  const well = { check: 'printer', verdict: 'well', says: `${address} answers`, advice: null };
  expect(await checkPrinter({ ...paper, address }, clock)).toEqual([well]);
  expect(took).toEqual([]);
  const advice = expect.stringContaining('printer.address');
  const silent = { check: 'printer', verdict: 'problem', says: `${address} does not answer`, advice };
  const hanging = checkPrinter({ ...paper, address }, clock);
  // Before a connection can stand.
  clock.advance(3_000);
  expect(await hanging).toEqual([silent]);
  const gone = `127.0.0.1:${await freePort()}`;
  expect(await checkPrinter({ ...paper, address: gone }, clock)).toEqual([
    { ...silent, says: `${gone} does not answer` },
  ]);
  expect(await checkPrinter({ ...paper, address: null }, clock)).toEqual([]);
  expect(clock.hasTimerIn(3_000)).toBe(false);
});

test('the screen prints the receipt of an operation once for each press, and only where a printer is set', async () => {
  const took: Buffer[] = [];
  let count = 0;
  const port = await printer((socket) => {
    count += 1;
    takesAll(took, tells(0))(socket);
  });
  const shop = await openShop();
  const tillNow = () => {
    const till = tillOf({ core: shop.core, clock: shop.clock, onFault: (error) => shop.errors.push(String(error)) });
    onTestFinished(() => till.close());
    return till;
  };
  const print = (operation_id: string, print_id: string, till = tillNow()) =>
    till.handle({ command: 'receipt.print', input: { operation_id, print_id } });
  const earn = { operation_id: shop.newId(), identifier: { loyalty_id: 'LC-1001' }, customer_name: 'Fatima' };
  await shop.passUntil(tillNow().handle({ command: 'operation.earn', input: { ...earn, amount_minor: 12500 } }));
  await shop.pass(5_000);
  expect(await print(earn.operation_id, shop.newId())).toMatchObject({ ok: false, error: { code: 'not_now' } });
  await shop.stop();
  shop.settings = { shop_name: 'Salmiya Coffee', printer: { address: `127.0.0.1:${port}`, columns: 32 } };
  shop.start();
  const till = tillNow();
  expect(await till.handle({ command: 'state.read', input: {} })).toMatchObject({ value: { has_printer: true } });
  const press = shop.newId();
  const presses = [1, 2].map(() => print(earn.operation_id, press, till));
  const another = print(earn.operation_id, shop.newId(), till);
  expect(await Promise.all(presses)).toEqual([1, 2].map(() => ({ ok: true, value: { outcome: 'printed' } })));
  expect(await another).toMatchObject({ error: { code: 'not_now', message: expect.stringContaining('another') } });
  expect(count).toBe(1);
  const { lines, pictures, isCut } = readEscpos(Buffer.concat(took));
  const told = lines.map((line) => line.trim());
  expect(told).toEqual(expect.arrayContaining(['Salmiya Coffee', 'Earned KWD 12.500']));
  expect(pictures[0]?.width).toBe(384);
  expect(isCut).toBe(true);
  expect(lines.join()).not.toContain('Fatima');
  expect(await print(earn.operation_id, shop.newId(), till)).toMatchObject({ value: { outcome: 'printed' } });
  const faults: unknown[] = [];
  const fault = new Error('No letters');
  const fails = () => Promise.reject(fault);
  const onFault = (error: unknown) => faults.push(error);
  const { 'receipt.print': printOf } = receiptHandlers(
    shop.core,
    async () => new ReceiptPrinter(shop.core, shop.clock, onFault, fails),
    onFault,
  );
  const { 'receipt.print': unloaded } = receiptHandlers(shop.core, fails, onFault);
  for (const handler of [printOf, unloaded]) {
    const input = { operation_id: earn.operation_id, print_id: shop.newId() };
    expect(await handler(input)).toEqual({ ok: true, value: { outcome: 'not_printed' } });
  }
  expect([faults, count]).toEqual([[fault, fault], 2]);
  expect(await print('nobody', shop.newId(), till)).toMatchObject({ error: { code: 'operation_not_found' } });
});

test('the address of a printer is a host with or without a port, and wrong settings name their field', () => {
  const wrongOf = (given: object) =>
    settingsSchema
      .safeParse({ printer: given })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  for (const address of ['192.168.1.50', 'printer.lan:9100', '[::1]:9100', 'localhost', 'BON_1']) {
    expect(wrongOf({ address })).toBeUndefined();
  }
  const noHosts = [
    'http://x',
    'a b',
    'x:0',
    'x:',
    'x:70000',
    '-x',
    'x/y',
    'user@x',
    '::1',
    '[:::]',
    '192.168.1.500',
    '1.2.3.4.5',
  ];
  for (const address of [...noHosts, '169.254.169.254']) {
    expect(wrongOf({ address })).toEqual([expect.stringMatching(/^printer\.address: must/)]);
  }
  expect(wrongOf({ columns: 40 })).toEqual(['printer.columns: must be 32, 42 or 48']);
  expect(settingsSchema.safeParse({ shop_name: '  ' }).error?.issues[0]?.message).toBe('must not be blank');
});
