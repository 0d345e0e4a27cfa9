/** A request that may be asked again under one reference is a new operation each time: only the service knows its answer. */
export function referenceOfEach(reference: string, operationId: string): string {
  return `${reference}#${operationId}`;
}

/** The reference as the caller gave it. */
export function askedReference(operation: { readonly externalRef: string; readonly operationId: string }): string {
  const end = referenceOfEach('', operation.operationId);
  return operation.externalRef.endsWith(end) ? operation.externalRef.slice(0, -end.length) : operation.externalRef;
}
