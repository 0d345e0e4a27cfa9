import { maxBodyBytes } from '../../../shared/contract/primitives.ts';
import { specificationVersion } from '../../../shared/contract/version.ts';
import { commonResponses, pathsOf, sharedParts, tags } from './operations.ts';
import { createSchemaBook } from './schemas.ts';

const about = `Partners (point-of-sale systems, shops) identify a customer, enroll one, earn, redeem and reverse, and hold value against a cart.

Amounts are integers in minor units: 12.500 KWD is 12500. Every POST is idempotent on its source (from the key), external_ref and intent: after a lost connection, send the identical request again.

A body has at most ${maxBodyBytes} bytes and is not compressed: a Content-Encoding is answered 415. Lengths of text count code points, as JSON Schema does. A name that stands twice in an object or in a query is refused. Unknown fields are ignored, but refused in an Identifier.`;

/**
 * The specification as an OpenAPI 3.1 document, made from the schemas that check every request (design "The sandbox").
 *
 * @param baseUrl where the service is, up to and with the version segment
 */
export function openApiDocument(baseUrl: string): object {
  const book = createSchemaBook();
  const paths = pathsOf(book);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loyalty Integration Service',
      version: specificationVersion,
      summary: 'The calls of a customer loyalty service for tills and shops.',
      description: about,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The partner API key. Keys that begin with loyalty_pk_test_ work in the sandbox only.',
        },
      },
      ...sharedParts,
      responses: commonResponses(book),
      schemas: book.components(),
    },
  };
}
