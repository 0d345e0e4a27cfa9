import { describe, expect, it } from 'vitest';
import { linesOfRequest, replacedReason } from '../../app/store/rows/request-lines.ts';

const line = (id: number, reason: string | null = null) => ({ id, reason });
const version = (bodyVersion: number, body: string) => ({ bodyVersion, body, path: '/transactions/redeem' });
/** The first request and the second, then the first once more. */
const history = [line(1), line(2), line(3, replacedReason), line(4), line(5, `${replacedReason}; let pass`), line(6)];
const versions = [version(3, 'a'), version(2, 'b'), version(1, 'a')];
const idsOf = (body: string, of = versions, path = '/transactions/redeem') =>
  linesOfRequest(history, of, (version) => version.path === path && version.body === body).map(({ id }) => id);

describe('the lines of a row’s history', () => {
  it('that tell of one of its requests are those of each time that it was asked for', () => {
    expect(idsOf('b')).toEqual([3, 4]);
    expect(idsOf('a')).toEqual([1, 2, 5, 6]);
  });

  it('all count where a version is none of another request', () => {
    expect(idsOf('b', [version(4, 'a'), ...versions])).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('all count for what the row does not know, and where its requests are erased', () => {
    expect(idsOf('c')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(idsOf('a', versions, '/transactions/earn')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(idsOf('a', [])).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('are all its own while no other request has come', () => {
    const own = [line(1), line(2, 'asked by the customer')];
    expect(linesOfRequest(own, [version(1, 'a')], () => true)).toEqual(own);
  });
});
