/**
 * Parts of a SCIP index that this program reads and writes: documents with occurrences, facts about symbols, and symbols as
 * text. Names follow `scip.proto` of github.com/sourcegraph/scip; fields without a use here are left out.
 */

/** Name under which this program writes indexes. */
export const OWN_TOOL = 'git-socraticode';

/** Bits of `ScipOccurrence.roles`. */
export const SCIP_ROLES = {
  definition: 1,
  import: 2,
  write: 4,
  read: 8,
  generated: 16,
  test: 32,
  forwardDefinition: 64,
} as const;

/** Unit of columns: bytes of UTF-8, units of UTF-16, or code points. Indexers of before 2023 leave it unspecified. */
export const SCIP_COLUMNS = { unspecified: 0, utf8: 1, utf16: 2, utf32: 3 } as const;

/** Codes of `ScipSymbol.kind` for kinds of symbol that most languages have. */
export const SCIP_KINDS = {
  unspecified: 0,
  class: 7,
  constant: 8,
  constructor: 9,
  enum: 11,
  enumMember: 12,
  field: 15,
  file: 16,
  function: 17,
  interface: 21,
  macro: 25,
  method: 26,
  module: 29,
  namespace: 30,
  package: 35,
  parameter: 37,
  property: 41,
  protocol: 42,
  struct: 49,
  trait: 53,
  type: 54,
  typeAlias: 55,
  union: 59,
  variable: 61,
} as const;

/** Half-open range [start, end): line and column of its start, line and column of its end, all counted from 0. */
export type ScipRange = readonly [startLine: number, startColumn: number, endLine: number, endColumn: number];

export interface ScipMetadata {
  tool: { name: string; version: string; arguments: readonly string[] };
  /** URI of the folder that paths of documents start from, on the machine that made the index. */
  projectRoot: string;
}

export interface ScipOccurrence {
  range: ScipRange;
  symbol: string;
  /** Sum of SCIP_ROLES. */
  roles: number;
  /** Range of the whole definition, or of the expression around a reference. */
  enclosing?: ScipRange;
}

export interface ScipRelationship {
  symbol: string;
  /** True if references of the other symbol are references of this one as well: a method that overrides another. */
  isReference?: boolean;
  isImplementation?: boolean;
  isTypeDefinition?: boolean;
  isDefinition?: boolean;
}

export interface ScipSymbol {
  symbol: string;
  /** Documentation in Markdown. */
  documentation: readonly string[];
  relationships: readonly ScipRelationship[];
  /** One of SCIP's kinds, of which SCIP_KINDS lists some. */
  kind: number;
  displayName: string;
  /** Declaration as text, with SCIP's name of its language. */
  signature?: { language: string; text: string };
}

export interface ScipDocument {
  /** Path from the project root, with `/`. */
  path: string;
  /** Name of the language in SCIP's list; may be empty. */
  language: string;
  /** Value of SCIP_COLUMNS that columns of this document count in. */
  columns: number;
  occurrences: readonly ScipOccurrence[];
  /** Symbols that are defined in this document. */
  symbols: readonly ScipSymbol[];
}

// Symbols as text: `<scheme> <manager> <package> <version> <descriptors>`, where descriptors name the way from the package to
// the symbol. The grammar is that of the message `Symbol` in `scip.proto`.

/** Suffix of a descriptor; parameters and type parameters are enclosed in brackets instead. */
export type ScipSuffix = '/' | '#' | '.' | '().' | ':' | '!' | '()' | '[]';

export interface ScipDescriptor {
  name: string;
  suffix: ScipSuffix;
  /** Distinguishes methods of one name; only with the suffix `().`. */
  disambiguator?: string;
}

interface ScipSymbolName {
  scheme: string;
  /** Package manager, name and version; empty where they are unknown. */
  manager: string;
  name: string;
  version: string;
  descriptors: readonly ScipDescriptor[];
}

const LOCAL = /^local [\w+$-]+$/;
const SIMPLE = /^[\w+$-]+$/;

/** True for a symbol that only its own document knows. */
export function isLocalSymbol(symbol: string): boolean {
  return symbol.startsWith('local ');
}

export function formatSymbol({ scheme, manager, name, version, descriptors }: ScipSymbolName): string {
  return `${formatPackage({ scheme, manager, name, version })}${descriptors.map(formatDescriptor).join('')}`;
}

/** Text before the descriptors, with the space after it. */
export function formatPackage({ scheme, manager, name, version }: Omit<ScipSymbolName, 'descriptors'>): string {
  const parts = [scheme, manager, name, version].map((part) => (part === '' ? '.' : part.replaceAll(' ', '  ')));
  return `${parts.join(' ')} `;
}

export function formatDescriptor({ name, suffix, disambiguator = '' }: ScipDescriptor): string {
  const text = SIMPLE.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
  if (suffix === '()') return `(${text})`;
  if (suffix === '[]') return `[${text}]`;
  return suffix === '().' ? `${text}(${disambiguator}).` : `${text}${suffix}`;
}

/** Reads a symbol that is not local; null for a text outside of the grammar. */
export function parseSymbol(symbol: string): ScipSymbolName | null {
  const parts: string[] = [];
  let at = 0;
  while (parts.length < 4) {
    const end = endOfPart(symbol, at);
    if (end === -1 || end === at) return null;
    parts.push(symbol.slice(at, end).replaceAll('  ', ' '));
    at = end + 1;
  }
  if (parts[0].startsWith('local')) return null;
  const descriptors = parseDescriptors(symbol, at);
  if (descriptors === null || descriptors.length === 0) return null;
  const [scheme, ...rest] = parts;
  const [manager, name, version] = rest.map((part) => (part === '.' ? '' : part));
  return { scheme, manager, name, version, descriptors };
}

/** True for every symbol that the grammar allows, local ones included. */
export function isSymbol(symbol: string): boolean {
  return isLocalSymbol(symbol) ? LOCAL.test(symbol) : parseSymbol(symbol) !== null;
}

/** Finds the space that ends a part; two spaces stand for a space within it. */
function endOfPart(symbol: string, from: number): number {
  for (let at = symbol.indexOf(' ', from); at !== -1; at = symbol.indexOf(' ', at + 2))
    if (symbol[at + 1] !== ' ') return at;
  return -1;
}

const NAME = /(?:[\w+$-]+|`(?:[^`]|``)+`)/y;
const END = /[/#.:!]|\(([\w+$-]*)\)\./y;

function parseDescriptors(symbol: string, from: number): ScipDescriptor[] | null {
  const descriptors: ScipDescriptor[] = [];
  for (let at = from; at < symbol.length; ) {
    const bracket = symbol[at] === '(' ? ')' : symbol[at] === '[' ? ']' : '';
    NAME.lastIndex = bracket === '' ? at : at + 1;
    const text = NAME.exec(symbol)?.[0];
    if (text === undefined) return null;
    const name = text.startsWith('`') ? text.slice(1, -1).replaceAll('``', '`') : text;
    if (text.startsWith('`') && SIMPLE.test(name)) return null;
    at = NAME.lastIndex;
    if (bracket !== '') {
      if (symbol[at] !== bracket) return null;
      descriptors.push({ name, suffix: bracket === ')' ? '()' : '[]' });
      at++;
      continue;
    }
    END.lastIndex = at;
    const end = END.exec(symbol);
    if (end === null) return null;
    const isMethod = end[0].startsWith('(');
    descriptors.push(
      isMethod
        ? { name, suffix: '().', ...(end[1] === '' ? {} : { disambiguator: end[1] }) }
        : { name, suffix: end[0] as ScipSuffix },
    );
    at = END.lastIndex;
  }
  return descriptors;
}
