/**
 * Symbols of SCIP as text: `<scheme> <manager> <package> <version> <descriptors>`, where descriptors name the way from
 * the package to the symbol. The grammar is that of the message `Symbol` in `scip.proto`.
 */

/** Suffix of a descriptor in the text of a symbol; parameters and type parameters are enclosed instead. */
export type ScipSuffix = '/' | '#' | '.' | '().' | ':' | '!' | '()' | '[]';

export interface ScipDescriptor {
  name: string;
  suffix: ScipSuffix;
  /** Tells apart methods of one name; only with the suffix `().`. */
  disambiguator?: string;
}

export interface ScipSymbolName {
  scheme: string;
  /** Package manager, name and version; empty where they are not known. */
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

/** Text in front of the descriptors, with the space behind it. */
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

/** Finds the space that ends a part; two spaces stand for one within it. */
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
