import { expect, it } from 'vitest';
import { ReadyRows } from '../../app/operations/delivery/ready-rows.ts';
import type { SendableOperation } from '../../app/store/rows/delivery.ts';

const row = (rowId: number, lane: string): SendableOperation => ({
  rowId,
  lane,
  intent: 'earn',
  operationId: `op_${rowId}`,
  externalRef: `R-${rowId}`,
  occurredAtMs: rowId,
  path: '/transactions/earn',
  body: '{}',
  bodyVersion: 1,
  idempotencyKey: null,
  send: 1,
  attempts: 0,
  maybeSent: false,
  lastKeyFingerprint: null,
  seal: null,
});

it('gives the oldest row of whom none is under way, and one of a customer at a time', () => {
  const ready = new ReadyRows();
  ready.add([row(1, 'a'), row(2, 'a'), row(3, 'b')]);
  expect([ready.take()?.rowId, ready.take()?.rowId, ready.take()?.rowId]).toEqual([1, 3, undefined]);
  expect(ready.size).toBe(1);
  ready.ended('b');
  expect(ready.take()).toBeUndefined();
  ready.ended('a');
  expect(ready.take()?.rowId).toBe(2);
});

it('keeps a customer’s next row back that comes while one is under way', () => {
  const ready = new ReadyRows();
  ready.add([row(1, 'a')]);
  ready.take();
  ready.add([row(2, 'a'), row(3, 'b')]);
  expect([ready.take()?.rowId, ready.take()?.rowId]).toEqual([3, undefined]);
  ready.ended('a');
  expect(ready.take()?.rowId).toBe(2);
});

it('gives up all that stands ready, and takes in the same customers again', () => {
  const ready = new ReadyRows();
  ready.add([row(1, 'a'), row(2, 'a'), row(3, 'b')]);
  ready.take();
  expect(ready.takeAll().map(({ rowId }) => rowId)).toEqual([2, 3]);
  ready.ended('a');
  expect(ready.take()).toBeUndefined();
  ready.add([row(2, 'a')]);
  expect(ready.take()?.rowId).toBe(2);
});

it('names the oldest row while all wait for their customers’ rows, and none while one may go', () => {
  const ready = new ReadyRows();
  expect(ready.blocked).toBeUndefined();
  ready.add([row(1, 'a'), row(2, 'a')]);
  expect(ready.blocked).toBeUndefined();
  ready.take();
  expect(ready.blocked?.rowId).toBe(2);
  ready.add([row(3, 'b')]);
  expect(ready.blocked).toBeUndefined();
  ready.take();
  expect(ready.blocked?.rowId).toBe(2);
});
