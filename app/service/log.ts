/** Where the service tells what went wrong inside it; a pino logger is one. */
export interface ServiceLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const silentLog: ServiceLog = { info() {}, warn() {}, error() {} };
