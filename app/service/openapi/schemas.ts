import { z } from 'zod';

/** JSON Schema as it stands in an OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a schema tells what a caller may send, or what the service answers (its defaults filled in). */
type Direction = 'input' | 'output';

/** Gathers the named schemas of a document while its parts are made. */
export interface SchemaBook {
  /** The schema, or a reference to it when it has a name. */
  use(schema: z.ZodType, direction: Direction): JsonSchema;
  /** All that was used, by name, in the order of the names. */
  components(): Readonly<Record<string, JsonSchema>>;
}

const localPrefix = '#/$defs/';
const componentPrefix = '#/components/schemas/';

/** Made from the very schemas that check requests and answers. */
export function createSchemaBook(): SchemaBook {
  const named = new Map<string, JsonSchema>();
  return {
    use(schema, direction) {
      const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io: direction, override: plain });
      for (const [name, definition] of Object.entries($defs)) named.set(name, toComponents(definition));
      return toComponents(own);
    },
    components: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** What a reader is better off without: the pattern behind a format that has a name. */
function plain({ jsonSchema }: { readonly jsonSchema: { format?: string; pattern?: string } }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

function toComponents(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${localPrefix}`, `"${componentPrefix}`));
}
