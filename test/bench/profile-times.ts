import { z } from 'zod';

/** A CPU profile as Node's `--cpu-prof` writes it, as far as it is read here. */
export const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      /** Line and column count from 0. */
      callFrame: z.object({
        functionName: z.string(),
        url: z.string(),
        lineNumber: z.int(),
        columnNumber: z.int(),
      }),
      children: z.array(z.int()).optional(),
    }),
  ),
  samples: z.array(z.int()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.int()),
});

export type CpuProfile = z.infer<typeof profileSchema>;
export type CallFrame = CpuProfile['nodes'][number]['callFrame'];

/** Of the time that a program was busy. */
export interface NamedTime {
  readonly name: string;
  readonly ms: number;
}

const idle = '(idle)';
/** What no function has called: V8 and the system by themselves. */
const ofTheMachine: ReadonlySet<string> = new Set([idle, '(garbage collector)', '(program)']);

/**
 * How long a program was busy with each of the project's files, the longest first. What a file has SQLite, Node or a
 * package do is its own time; what it has another file of the project do is that one's.
 *
 * @param fileOf the project's file that a frame stands in; null for a frame of anything else
 */
export function timeByFile(profile: CpuProfile, fileOf: (frame: CallFrame) => string | null): readonly NamedTime[] {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const callers = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const names = new Map<number, string>();

  function nameOf(id: number): string {
    const known = names.get(id);
    if (known !== undefined) return known;
    const frame = nodes.get(id)?.callFrame;
    const name = frame === undefined ? 'node' : (ownName(frame) ?? nameOfCaller(id));
    names.set(id, name);
    return name;
  }
  const ownName = (frame: CallFrame) => (ofTheMachine.has(frame.functionName) ? frame.functionName : fileOf(frame));
  function nameOfCaller(id: number): string {
    const caller = callers.get(id);
    return caller === undefined ? 'node' : nameOf(caller);
  }

  return sumOf(profile, nameOf);
}

/** How long a program was busy in each function itself, the longest first. */
export function timeByFunction(profile: CpuProfile): readonly NamedTime[] {
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }): [number, string] => {
      const file = url.split('/').slice(-3).join('/');
      return [id, `${functionName || '(anonymous)'}${file === '' ? '' : `  ${file}:${lineNumber + 1}`}`];
    }),
  );
  return sumOf(profile, (id) => names.get(id) ?? 'node');
}

function sumOf({ samples, timeDeltas }: CpuProfile, nameOf: (id: number) => string): readonly NamedTime[] {
  const msOf = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = nameOf(id);
    if (name !== idle) msOf.set(name, (msOf.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  return [...msOf].map(([name, ms]) => ({ name, ms })).sort((left, right) => right.ms - left.ms);
}
