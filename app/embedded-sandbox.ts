/** What the sandbox inside the agent is called where an address is needed; nothing listens there. */
export const embeddedSandboxOrigin = 'http://embedded-sandbox.localhost';
