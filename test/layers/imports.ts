import { parseSync } from 'vite';

/** One import as written. `specifier` is null when it is computed, so that nobody can check it. */
export type WrittenImport = {
  readonly specifier: string | null;
  readonly isTypeOnly: boolean;
  /** An import or export declaration, which says what it takes; everything else takes the whole module. */
  readonly isDeclaration: boolean;
  readonly line: number;
};

type Node = { readonly type: string; readonly [key: string]: unknown };

/**
 * Every import of a module: import and export declarations, `import()`, `import('x').Type`, `require()`,
 * `import x = require()`, `import.meta.glob()` and `new URL('./x', import.meta.url)`. Throws when it does not parse.
 */
export function importsOf(fileName: string, text: string): WrittenImport[] {
  const { program, errors } = parseSync(fileName, text);
  if (errors.length > 0)
    throw new Error(`${fileName} does not parse: ${errors.map(({ message }) => message).join('; ')}`);
  const found: WrittenImport[] = [];
  visit(program, (node) => {
    const source = importSource(node);
    if (source === undefined) return;
    const offset = typeof node.start === 'number' ? node.start : 0;
    found.push({
      specifier: literalText(source),
      isTypeOnly: isTypeOnly(node),
      isDeclaration: node.type.endsWith('Declaration'),
      line: text.slice(0, offset).split('\n').length,
    });
  });
  return found;
}

// The node that holds the imported name, or undefined when `node` is no import.
function importSource(node: Node): unknown {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source;
    case 'ExportNamedDeclaration':
      return node.source ?? undefined;
    case 'TSExternalModuleReference':
      return node.expression;
    case 'CallExpression':
      return isRequire(node.callee) || isMetaProperty(node.callee, 'glob') ? (argument(node, 0) ?? null) : undefined;
    case 'NewExpression':
      return isName(node.callee, 'URL') && isMetaProperty(argument(node, 1), 'url') ? argument(node, 0) : undefined;
    default:
      return undefined;
  }
}

function isTypeOnly(node: Node): boolean {
  if (node.type === 'TSImportType') return true;
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const { specifiers } = node;
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every((one) => isNode(one) && (one.importKind === 'type' || one.exportKind === 'type'));
}

function literalText(source: unknown): string | null {
  if (!isNode(source)) return null;
  if (source.type === 'Literal') return typeof source.value === 'string' ? source.value : null;
  if (source.type !== 'TemplateLiteral' || !Array.isArray(source.quasis) || source.quasis.length !== 1) return null;
  const [quasi]: unknown[] = source.quasis;
  if (!isNode(quasi) || typeof quasi.value !== 'object' || quasi.value === null) return null;
  return 'cooked' in quasi.value && typeof quasi.value.cooked === 'string' ? quasi.value.cooked : null;
}

// `require(...)` and `require.resolve(...)`.
function isRequire(callee: unknown): boolean {
  if (isName(callee, 'require')) return true;
  return (
    isNode(callee) &&
    callee.type === 'MemberExpression' &&
    isName(callee.object, 'require') &&
    isName(callee.property, 'resolve')
  );
}

function isMetaProperty(node: unknown, property: string): boolean {
  if (!isNode(node) || node.type !== 'MemberExpression' || !isName(node.property, property)) return false;
  return isNode(node.object) && node.object.type === 'MetaProperty';
}

function isName(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node.name === name;
}

function argument(call: Node, index: number): unknown {
  return Array.isArray(call.arguments) ? call.arguments[index] : undefined;
}

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, onNode);
  if (!isNode(value)) return;
  onNode(value);
  for (const child of Object.values(value)) if (typeof child === 'object') visit(child, onNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
