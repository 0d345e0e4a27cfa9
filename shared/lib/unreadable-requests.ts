/** How a server answers what never became a request. */
interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

const refusals: ReadonlyMap<string, Refusal> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: 431, reason: 'Request Header Fields Too Large', message: 'The headers are too large.' },
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    { status: 413, reason: 'Payload Too Large', message: 'The chunk extensions are too large.' },
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, reason: 'Request Timeout', message: 'The request did not end in time.' }],
]);
const malformed: Refusal = { status: 400, reason: 'Bad Request', message: 'This is not a well-formed HTTP request.' };

/** @param code what Node's parser or timers have found; anything but these is a malformed request */
export function refusalOfUnreadable(code: string | undefined): Refusal {
  return refusals.get(code ?? '') ?? malformed;
}

/** To an `Expect` header that no server can meet. */
export const refusalOfExpectation = { status: 417, message: 'No expectation but 100-continue can be met.' } as const;
