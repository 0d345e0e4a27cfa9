import { schemaTextOf } from '../../sql/schema-text.ts';
import { migrations } from './migrations.ts';

/** What all steps of the schema leave in an empty database. */
export const newDatabase = { sql: schemaTextOf(migrations) };
