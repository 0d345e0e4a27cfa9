import { listenOnLoopback, PortUnavailableError } from '../http/loopback-server.ts';
import { type Finding, warning, well } from './finding.ts';

/**
 * Of an agent that does not run: whether it would get its port. It is taken for that moment, and given back.
 *
 * @param port `bridge.port`; 0: any free one
 */
export async function checkPort(port: number): Promise<readonly Finding[]> {
  if (port === 0) return [];
  try {
    const taken = await listenOnLoopback(port, (_incoming, response) => response.destroy());
    await taken.close(0);
    return [well('port', `${port} is free for the bridge`)];
  } catch (error) {
    if (!(error instanceof PortUnavailableError)) throw error;
    const advice = 'End what uses it, or set another bridge.port';
    return [warning('port', `the agent would not start: ${error.message.replace(/\.$/, '')}`, advice)];
  }
}
