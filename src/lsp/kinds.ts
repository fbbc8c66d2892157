/** Kinds of symbols in the protocol's numbers. */
import type { SymbolKind } from 'vscode-languageserver-types';

/** https://microsoft.github.io/language-server-protocol: `SymbolKind`. */
const KINDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ file: 1, module: 2, namespace: 3, class: 5, method: 6, property: 7, field: 8, constructor: 9, enum: 10 },
    ...{ interface: 11, trait: 11, function: 12, macro: 12, variable: 13, constant: 14, section: 15, table: 18 },
    ...{ object: 19, key: 20, selector: 20, 'enum-member': 22, struct: 23, impl: 23, type: 26 },
  }),
);
const VARIABLE = 13;

export const symbolKind = (kind: string): SymbolKind => (KINDS.get(kind) ?? VARIABLE) as SymbolKind;

/** Kinds that others call or build on: what stands above them says who. */
export const WITH_LENS: ReadonlySet<string> = new Set([
  ...['function', 'method', 'constructor', 'class', 'interface', 'trait', 'struct', 'enum', 'type', 'macro'],
]);
