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

type OverrideContext = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0];

/** Made from the very schemas that check requests and answers. */
export function createSchemaBook(): SchemaBook {
  const named = new Map<string, JsonSchema>();
  return {
    use(schema, direction) {
      const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io: direction, override: tellWords });
      for (const [name, definition] of Object.entries($defs)) named.set(name, toComponents(definition));
      return toComponents(own);
    },
    components: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/**
 * A check of our own has no keyword in JSON Schema (or one that tools read wrongly: many refuse 2.675 as a multiple of
 * 0.001). It is told in the very words with which it refuses.
 */
function tellWords({ zodSchema, jsonSchema }: OverrideContext): void {
  const words = (zodSchema._zod.def.checks ?? []).flatMap((check) => {
    const said =
      check instanceof z.core.$ZodCustom ? check._zod.def.error?.({ code: 'custom', input: undefined }) : null;
    return typeof said === 'string' ? [`“${said}”`] : [];
  });
  if (words.length > 0) jsonSchema.description = `Refused, too: ${words.join(', ')}.`;
}

function toComponents(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${localPrefix}`, `"${componentPrefix}`));
}
