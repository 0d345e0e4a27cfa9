import { describe, expect, it } from 'vitest';
import { fetchCode } from '../../../renderer/shell/fetch-code.ts';

const address = 'http://127.0.0.1:7425/assets/missing-abc.js';
const didNotCome = (from: string) => new TypeError(`Failed to fetch dynamically imported module: ${from}`);

const nothing = () => Promise.resolve();

describe('code that did not come', () => {
  it('is asked for under another address each time, and comes then', async () => {
    const asked: string[] = [];
    let isThere = false;
    const importFrom = (from: string) => {
      asked.push(from);
      return isThere ? Promise.resolve('code') : Promise.reject(didNotCome(from));
    };
    const fetch = fetchCode(() => Promise.reject(didNotCome(address)), { importFrom, loadStyles: nothing });
    await expect(fetch()).rejects.toThrow(address);
    await expect(fetch()).rejects.toThrow('?again=1');
    isThere = true;
    await expect(fetch()).resolves.toBe('code');
    expect(asked).toEqual([`${address}?again=1`, `${address}?again=2`]);
  });

  it('waits for its styles, where those did not come, and is asked for under its own address', async () => {
    let loads = 0;
    const load = () => {
      loads += 1;
      return loads === 1
        ? Promise.reject(new Error('Unable to preload CSS for /assets/missing.css'))
        : Promise.resolve('code');
    };
    let areStylesThere = false;
    const fetch = fetchCode(load, {
      importFrom: () => Promise.reject(new Error('There is no other address')),
      loadStyles: () => (areStylesThere ? Promise.resolve() : Promise.reject(new Error('The styles did not come'))),
    });
    await expect(fetch()).rejects.toThrow('CSS');
    await expect(fetch()).rejects.toThrow('The styles did not come');
    areStylesThere = true;
    await expect(fetch()).resolves.toBe('code');
    expect(loads).toBe(2);
  });
});
