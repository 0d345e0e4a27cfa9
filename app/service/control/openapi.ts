import { done, type Result } from '../answer.ts';
import { servicePrefix } from '../calls/paths.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

/** The service's own description, with the address by which the caller reached it. */
export function readOpenApi(_context: ControlContext, call: ControlCall): Result {
  return done(200, openApiDocument(`${call.origin}${servicePrefix}`));
}
