import { maxPrefixLength, maxTokenNameLength } from './limits.ts';

// Beside the limits they would be in the first load of the page, which asks for neither.

export const tokenNameShape = shapeUpTo(maxTokenNameLength);
export const prefixShape = shapeUpTo(maxPrefixLength);

function shapeUpTo(maxLength: number): RegExp {
  return new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${maxLength - 1}}$`);
}
