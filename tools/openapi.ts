// `npm run openapi`: writes the copy of the service's description that is kept with the documents.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../app/service/openapi/document.ts';
import { root } from './bundles.ts';

/** Relative to wherever the document is served from: the copy knows no host. */
const baseUrl = '/v1';

writeFileSync(join(root, 'docs', 'openapi.json'), `${JSON.stringify(openApiDocument(baseUrl), null, 2)}\n`);
