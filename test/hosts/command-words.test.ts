import { describe, expect, it } from 'vitest';
import { knownFlags, parseFlags } from '../../app/commands/flags.ts';
import { notACommand } from '../../app/commands/tillbridge.ts';

it('names what was typed as a command, without the flags and their values', () => {
  expect(notACommand(['setings', 'list', '--data-dir', './x'])).toContain('setings list: is not a command');
});

describe('a mistyped command', () => {
  it.each([
    ['queue lst', 'queue list'],
    ['queu list', 'queue list'],
    ['qeue show R-1', 'queue show'],
    ['stauts', 'status'],
    ['settings sett mode production', 'settings set'],
    ['docter --json', 'doctor'],
    ['tokens reovke kiosk', 'tokens revoke'],
  ])('%s is told the nearest one: %s', (given, nearest) => {
    const said = notACommand(given.split(' '));
    expect(said).toContain(`is not a command. Did you mean npm run --silent tillbridge -- ${nearest}?`);
    expect(said.length).toBeLessThan(160);
  });

  it('that is near nothing is told the groups, and a group alone its commands', () => {
    expect(notACommand(['bananas'])).toContain('bananas: is not a command. There are status, ');
    expect(notACommand(['queue', 'bananas'])).toContain('There are queue list, queue show,');
    expect(notACommand(['tokens'])).toBe(
      'tokens: what should it do? There are tokens list, tokens show, tokens create, tokens share, tokens revoke.',
    );
    expect(notACommand(['line'])).toBe('line: what should it do? There is line try.');
    expect(notACommand([])).toMatch(/^Name a command\. There are status, /);
  });

  it('has the nearest flag, too', () => {
    const specs = [{ name: 'state', value: 'STATES', help: '' }];
    expect(parseFlags(['--sate=refused'], specs)).toMatchObject({
      problems: [expect.stringContaining('--sate: is not a known flag; did you mean --state?')],
    });
  });
});

describe('a place that a script has not filled in', () => {
  const specs = [{ name: 'data-dir', value: 'FOLDER', help: '' }];

  it('is a missing value, and not the folder that the script stands in', () => {
    const wrong = { kind: 'wrong', problems: ['--data-dir: needs a value (FOLDER)'] };
    expect(parseFlags(['--data-dir', ''], specs)).toEqual(wrong);
    expect(parseFlags(['--data-dir='], specs)).toEqual(wrong);
    expect(knownFlags(['--data-dir', ''], specs)).toEqual(new Map());
  });

  it('is a missing value, and not the built-in sandbox in place of the service that was set', () => {
    const address = [{ name: 'base-url', value: 'URL', help: '' }];
    const wrong = { kind: 'wrong', problems: ['--base-url: needs a value (URL)'] };
    expect(parseFlags(['--base-url', ''], address)).toEqual(wrong);
    expect(parseFlags(['--base-url='], address)).toEqual(wrong);
    expect(knownFlags(['--base-url', ''], address)).toEqual(new Map());
  });

  it('is a missing value only where a place is named: an empty setting is its default', () => {
    const parsed = parseFlags(['--device-name', ''], [{ name: 'device-name', value: 'NAME', help: '' }]);
    expect(parsed).toMatchObject({ values: new Map([['device-name', '']]) });
  });
});

it('tells a negative number from a flag', () => {
  const parsed = parseFlags(['limits.max_points', '-5'], [], ['NAME', 'VALUE']);
  expect(parsed).toMatchObject({ kind: 'wrong' });
  expect(JSON.stringify(parsed)).toContain('-5: a number below zero is not possible here');
});

describe('a word that begins with a dash', () => {
  it('is the word that was asked for: identifiers are copied from lists', () => {
    expect(parseFlags(['-Xk2-a', '--json'], [{ name: 'json', value: null, help: '' }], ['SESSION'])).toMatchObject({
      kind: 'parsed',
      words: ['-Xk2-a'],
      switches: new Set(['json']),
    });
    expect(parseFlags(['-XX'], [], ['SESSION'])).toMatchObject({ words: ['-XX'] });
  });

  it('is told as a whole where no word is expected', () => {
    const wrong = { kind: 'wrong', problems: ['-abc: is not a known flag; --help lists them'] };
    expect(parseFlags(['-abc'], [])).toEqual(wrong);
    expect(parseFlags(['S-1', '-abc'], [], ['SESSION'])).toEqual(wrong);
  });
});
