import { whatHasPort } from '../http/loopback-server.ts';
import { type Finding, warning, well } from './finding.ts';

/**
 * Of an agent that does not run: whether it would get its port.
 *
 * @param port `bridge.port`; 0: any free one
 */
export async function checkPort(port: number): Promise<readonly Finding[]> {
  if (port === 0) return [];
  const inTheWay = await whatHasPort(port);
  if (inTheWay === null) return [well('port', `${port} is free for the bridge`)];
  const advice = 'End what uses it, or set another bridge.port';
  return [warning('port', `the agent would not start: ${inTheWay.message.replace(/\.$/, '')}`, advice)];
}
