import { describe, expect, it } from 'vitest';
import { PortUnavailableError } from '../../app/http/loopback-server.ts';

const told = (code: string, platform: NodeJS.Platform) =>
  new PortUnavailableError(7425, Object.assign(new Error('listen'), { code }), platform).message;

describe('a port that cannot be listened on', () => {
  it('is told to be reserved on Windows, with the command that shows which ones are', () => {
    expect(told('EACCES', 'win32')).toMatch(
      /^Port 7425 is not available: Windows has reserved it.*netsh interface ipv4 show excludedportrange protocol=tcp\.$/,
    );
    expect(told('EACCES', 'linux')).toBe('Port 7425 is not available: this user may not use it.');
    expect(told('EADDRINUSE', 'win32')).toBe('Port 7425 is not available: another program is using it.');
  });
});
