/** What one folder may, or may not, import. */
export type LayerRule = {
  /** Path prefixes of the importing modules, relative to the root. */
  readonly from: readonly string[];
  /** Path prefixes that the rule does not hold for. */
  readonly exceptFrom?: readonly string[];
  /** Imports that are allowed; everything else breaks the rule. */
  readonly only?: readonly string[];
  /** Imports that break the rule. */
  readonly never?: readonly string[];
  /** Imports that `never` does not hold for. */
  readonly except?: readonly string[];
  /** The same, as long as they are types. */
  readonly exceptTypesOf?: readonly string[];
  readonly why: string;
};

// A target is a path from the root (`shared/`, a prefix), a package (`npm:zod`) or a Node module (`node:fs`); a
// trailing `*` stands for any rest.
const http = ['npm:undici', 'npm:ws', 'node:http', 'node:https'];
const schemas = ['app/store/schema/schema.ts', 'app/store/schema/people-schema.ts', 'app/service/store/schema.ts'];
/** What is there for the statements alone: of all this the build takes what comes out. */
const describedTables = [
  ...schemas,
  'app/store/schema/operation-columns.ts',
  'app/store/statements/',
  'app/service/store/statements/',
];
const outsideTheProduct = ['test/', 'tools/', 'demo/'];

/** What imports a module again that another one has named: the one import whose name is computed. */
export const importsAgain: ReadonlySet<string> = new Set(['renderer/shell/fetch-code.ts']);

/** Who may import whom: the one place that says it (docs: the architecture). */
export const layerRules: readonly LayerRule[] = [
  { from: ['shared/'], only: ['shared/', 'npm:zod'], why: 'shared runs anywhere' },
  {
    from: ['app/'],
    never: ['main/', 'renderer/', 'npm:electron', 'npm:preact', 'npm:@preact/*', ...outsideTheProduct],
    why: 'the agent runs in plain Node, with no window and no page',
  },
  {
    from: ['app/service/'],
    only: ['shared/', 'app/service/', 'app/sql/', 'npm:*', 'node:*'],
    why: 'the sandbox service knows nothing of the agent',
  },
  {
    from: ['app/sql/'],
    only: ['app/sql/', 'npm:drizzle-orm', 'npm:better-sqlite3'],
    why: 'how statements are compiled knows nothing of what is stored',
  },
  {
    from: ['app/'],
    exceptFrom: ['app/store/', 'app/service/store/', 'app/sql/'],
    never: ['app/sql/'],
    why: 'only the stores speak SQL',
  },
  {
    from: ['app/'],
    exceptFrom: [...describedTables, 'app/sql/compile.ts'],
    never: ['npm:drizzle-orm', 'app/sql/compile.ts', ...schemas],
    exceptTypesOf: ['app/sql/compile.ts', ...schemas],
    why: 'the build compiles the statements, so that the query layer is not in the program',
  },
  {
    from: ['app/'],
    exceptFrom: ['app/service/', 'app/agent/open-embedded-sandbox.ts', 'app/cli.ts', 'app/commands/sandbox'],
    never: ['app/service/'],
    why: 'only the composition roots put the sandbox service in',
  },
  {
    from: ['app/service/rules/', 'app/service/store/', 'app/service/time/'],
    never: ['app/service/calls/', 'app/service/faces/', 'app/service/control/', 'app/service/openapi/'],
    why: 'the rules of the service know neither how a call comes nor who tests it',
  },
  {
    from: ['app/service/store/', 'app/service/time/'],
    never: ['app/service/calls/', 'app/service/faces/', ...http],
    why: 'what the service keeps, and its time, know no HTTP',
  },
  { from: ['app/store/'], never: http, why: 'store knows SQL and no HTTP' },
  { from: ['app/client/'], never: ['npm:better-sqlite3', 'app/store/'], why: 'client knows HTTP and no SQL' },
  {
    from: ['app/operations/'],
    never: [...http, 'app/client/'],
    // The words for what became of a call, without the call.
    except: ['app/client/outcome.ts'],
    why: 'operations knows no transport',
  },
  {
    from: ['renderer/'],
    only: [
      'shared/',
      'renderer/',
      'npm:preact',
      'npm:@preact/signals',
      // A QR code's drawing.
      'npm:uqr',
      'npm:lucide-static',
      'npm:@fontsource/*',
      'npm:@fontsource-variable/*',
    ],
    why: 'the page reaches the agent through TillApi alone',
  },
  { from: ['main/'], never: ['renderer/', ...outsideTheProduct], why: 'main loads the page as files, not as modules' },
];

/** The folders that the rules are about. */
export const layeredFolders: readonly string[] = ['shared', 'app', 'main', 'renderer'];

/** Fewer modules than this means that the walk missed some. Raise it as the project grows. */
export const leastModuleCount = 270;
