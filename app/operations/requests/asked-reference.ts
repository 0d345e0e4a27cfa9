/** What may be asked again under the same reference is an operation each time: the service alone knows its answer. */
export function referenceOfEach(reference: string, operationId: string): string {
  return `${reference}#${operationId}`;
}

/** The reference as the caller gave it. */
export function askedReference(operation: { readonly externalRef: string; readonly operationId: string }): string {
  const end = referenceOfEach('', operation.operationId);
  return operation.externalRef.endsWith(end) ? operation.externalRef.slice(0, -end.length) : operation.externalRef;
}
