import { schemaTextOf } from '../../sql/schema-text.ts';
import { migrations } from './index.ts';

/** What all steps of the schema leave in an empty database. */
export const newDatabase = { sql: schemaTextOf(migrations.map(({ sql }) => sql)) };
