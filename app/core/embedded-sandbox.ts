/** What the sandbox inside the agent is called where an address is needed; nothing listens there. */
export const embeddedSandboxOrigin = 'http://embedded-sandbox.localhost';

export const embeddedSandboxBaseUrl = `${embeddedSandboxOrigin}/v1`;

/** How a person is told where an agent's service is. */
export function serviceInWords(baseUrl: string): string {
  return isEmbeddedSandbox(baseUrl) ? 'the built-in sandbox' : baseUrl;
}

/** Whether the service is the sandbox inside the agent. */
export function isEmbeddedSandbox(baseUrl: string): boolean {
  return baseUrl.startsWith(`${embeddedSandboxOrigin}/`);
}
