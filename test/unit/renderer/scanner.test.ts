import { describe, expect, it } from 'vitest';
import {
  cleanCode,
  idleScanner,
  type Keystroke,
  type ScannerEffect,
  takeKey,
} from '../../../renderer/scanner/scanner.ts';

type Press = Partial<Keystroke> & { readonly key: string };

/** Presses keys one after another; `gapMs` apart unless a press says when. */
function press(presses: readonly Press[], gapMs = 10): readonly ScannerEffect[] {
  let state = idleScanner;
  let atMs = 1000;
  return presses.map((one) => {
    atMs = one.atMs ?? atMs + gapMs;
    const stroke: Keystroke = { code: '', repeat: false, shift: false, chord: false, ...one, atMs };
    const [next, effect] = takeKey(state, stroke);
    state = next;
    return effect;
  });
}

const keys = (text: string): Press[] => Array.from(text, (key) => ({ key }));
const enter: Press = { key: 'Enter' };
const scansIn = (effects: readonly ScannerEffect[]): string[] =>
  effects.flatMap((effect) => (effect.kind === 'scan' ? [effect.code] : []));

describe('a scan', () => {
  it('is six or more keys in a burst, ended by Enter', () => {
    expect(scansIn(press([...keys('LC-1001'), enter]))).toEqual(['LC-1001']);
  });

  it('may end with Tab', () => {
    expect(scansIn(press([...keys('LC-1001'), { key: 'Tab' }]))).toEqual(['LC-1001']);
  });

  it('is exactly six keys at the least', () => {
    expect(scansIn(press([...keys('123456'), enter]))).toEqual(['123456']);
    expect(scansIn(press([...keys('12345'), enter]))).toEqual([]);
  });

  it('has less than 35 ms between its keys', () => {
    expect(scansIn(press([...keys('12345678'), enter], 34))).toEqual(['12345678']);
    expect(scansIn(press([...keys('12345678'), enter], 35))).toEqual([]);
  });

  it('needs its end to follow as quickly', () => {
    expect(scansIn(press([...keys('12345678'), { key: 'Enter', atMs: 5000 }]))).toEqual([]);
  });

  it('begins again after a pause, so that what a person typed before is no part of it', () => {
    const typed = press([
      { key: '9', atMs: 500 },
      { key: '9', atMs: 900 },
      { key: 'L', atMs: 1200 },
      ...keys('C-1001'),
      enter,
    ]);
    expect(scansIn(typed)).toEqual(['LC-1001']);
  });

  it('tells where it may begin, so that the field under it can be remembered', () => {
    expect(press([...keys('LC'), enter]).map((effect) => effect.kind)).toEqual(['begin', 'pass', 'pass']);
  });

  it('is never a key that is held', () => {
    const held = Array.from({ length: 12 }, (): Press => ({ key: '7', repeat: true }));
    expect(scansIn(press([{ key: '7' }, ...held, enter], 33))).toEqual([]);
  });

  it('passes over Shift, which scanners send for capital letters', () => {
    const shifted = Array.from('LC').flatMap((key): Press[] => [{ key: 'Shift' }, { key, shift: true }]);
    expect(scansIn(press([...shifted, ...keys('-1001'), enter]))).toEqual(['LC-1001']);
  });

  it('reads the keys themselves when the keyboard speaks Arabic', () => {
    const arabic: Press[] = [
      { key: 'م', code: 'KeyL', shift: true },
      { key: 'ؤ', code: 'KeyC', shift: true },
      { key: '-', code: 'Minus' },
      { key: '١', code: 'Digit1' },
      { key: '٠', code: 'Digit0' },
      { key: '٠', code: 'Digit0' },
      { key: '١', code: 'Numpad1' },
    ];
    expect(scansIn(press([...arabic, enter]))).toEqual(['LC-1001']);
  });
});

describe('scans in a row', () => {
  it('are two when the codes differ', () => {
    expect(scansIn(press([...keys('LC-1001'), enter, ...keys('LC-1002'), enter]))).toEqual(['LC-1001', 'LC-1002']);
  });

  it('are one when the same code comes again within 2 s', () => {
    const effects = press([...keys('LC-1001'), enter, ...keys('LC-1001'), enter]);
    expect(scansIn(effects)).toEqual(['LC-1001']);
    expect(effects.at(-1)).toEqual({ kind: 'swallow', restore: true });
  });

  it('are two when a person has pressed Escape between them, and one when it came with the code', () => {
    const again = [...keys('LC-1001'), enter];
    const back: Press = { key: 'Escape' };
    const byPerson = press([...again, { ...back, atMs: 1700 }, { key: 'L', atMs: 2200 }, ...again.slice(1)]);
    expect(scansIn(byPerson)).toEqual(['LC-1001', 'LC-1001']);
    expect(scansIn(press([...again, back, ...again]))).toEqual(['LC-1001']);
  });

  it('are two when the same code comes again later', () => {
    const again = [...Array.from('LC-1001'), 'Enter'].map((key, index): Press => ({ key, atMs: 3200 + index * 10 }));
    expect(scansIn(press([...keys('LC-1001'), enter, ...again]))).toEqual(['LC-1001', 'LC-1001']);
  });

  it('leave no second Enter behind, as a scanner with CR and LF sends', () => {
    const effects = press([...keys('LC-1001'), enter, enter]);
    expect(effects.at(-1)).toEqual({ kind: 'swallow', restore: false });
    expect(press([...keys('LC-1001'), enter, { key: 'Enter', atMs: 9000 }]).at(-1)?.kind).toBe('pass');
  });
});

describe('a code', () => {
  it('loses framing, control characters and blanks around it', () => {
    expect(cleanCode('\u0002LC-1001\u0003')).toBe('LC-1001');
    expect(cleanCode(' LC-1001\u001d')).toBe('LC-1001');
    expect(cleanCode(']C1LC-1001')).toBe('LC-1001');
  });

  it('has control characters that arrive as Ctrl and a key taken out and swallowed', () => {
    const effects = press([...keys('LC-'), { key: ']', chord: true }, ...keys('1001'), enter]);
    expect(scansIn(effects)).toEqual(['LC-1001']);
    expect(effects[3]).toEqual({ kind: 'swallow', restore: false });
  });
});
