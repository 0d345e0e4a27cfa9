import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFault, jsonFaultInWords } from '../../app/machine/json-fault.ts';

const deployed = '{\n  "device_name": "Front till",\n  "bridge": { "port": 7425 }\n}\n';

describe('a mistake in a file of JSON', () => {
  it.each([
    ['a missing comma', deployed.replace('till",', 'till"'), 'line 3, column 3: a comma or } is missing'],
    ['a comma too many', deployed.replace(' }\n', ',}\n'), 'line 3, column 27: the comma before the end is too much'],
    [
      'a comment',
      deployed.replace('  "bridge"', '  // the port\n  "bridge"'),
      'line 3, column 3: JSON has no comments',
    ],
    ['a name without quotes', deployed.replace('"bridge"', 'bridge'), 'line 3, column 3: a name in double quotes'],
    ['single quotes', deployed.replaceAll('"', "'"), 'line 2, column 3: texts stand in straight double quotes'],
    ['a path of Windows', '{"folder": "D:\\Users\\till"}', 'line 1, column 15: a backslash is written twice'],
    ['a text over two lines', deployed.replace('Front ', 'Front\n'), 'line 2, column 24: the closing double quote'],
    ['a missing colon', '{"port" 1}', 'line 1, column 9: a colon is missing'],
    ['a word', '{"port": yes}', 'line 1, column 10: a value is missing'],
    ['a number with a zero in front', '{"port": 07}', 'line 1, column 11: a comma or } is missing'],
    ['a brace too many', `${deployed}}`, 'line 5, column 1: the object ended before'],
  ])('has its line and column: %s', (_, text, said) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFaultInWords(text)).toContain(`is not JSON: the mistake is in ${said}`);
  });

  it('is told as half a file wherever the file was cut off', () => {
    const whole = deployed.trimEnd();
    for (let length = 1; length < whole.length; length += 1) {
      const text = whole.slice(0, length);
      expect([text, jsonFaultInWords(text)]).toEqual([text, expect.stringContaining('half of the file is missing')]);
    }
  });

  it('of a file that is empty, or was never written, says that', () => {
    expect(jsonFaultInWords(' \n')).toContain('is empty');
    expect(jsonFaultInWords('\0'.repeat(64))).toContain('was not written to its end');
  });

  it('never tells what stands in the file: it may be a key', () => {
    expect(jsonFaultInWords('{"api_key": "loyalty_pk_live_abc" "x"}')).not.toContain('loyalty');
  });

  it('is found where JSON.parse finds one, and nowhere else', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2, unit: 'binary-ascii' }), (json, at, put) => {
        const place = at % (json.length + 1);
        for (const text of [json, `${json.slice(0, place)}${put}${json.slice(place + 1)}`]) {
          expect([text, jsonFault(text) === null]).toEqual([text, isJson(text)]);
        }
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
