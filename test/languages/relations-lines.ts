/** Relations as lines of text, for tests to compare. */
import { qualifiedName } from '../../src/extract/extract.js';
import { factsOf } from '../extract/helpers.js';

export interface RelationLines {
  imports: string[];
  references: string[];
  bindings: string[];
}

/** Without reads and writes of names. `kind specifier [name alias]`, `symbol: kind receiver.name/args "literal"`, `scope: name: type = value`. */
export function relationLines(source: string, language: string): RelationLines {
  const { symbols, relations } = factsOf(source, language);
  const named = (index: number) => (index < 0 ? '' : qualifiedName(symbols, index));
  return {
    imports: relations.imports.map(
      ({ kind, specifier, names }) =>
        `${kind} ${specifier} [${names.map(({ name, alias }) => (name === alias ? name : `${name} ${alias}`.trim())).join(', ')}]`,
    ),
    references: relations.references
      .filter(({ kind }) => kind !== 'read' && kind !== 'write')
      .map(({ kind, name, receiver, args, literal, symbol }) => {
        const chain = receiver === '' ? name : `${receiver}.${name}`;
        return `${named(symbol)}: ${kind} ${chain}${args < 0 ? '' : `/${args}`}${literal === '' ? '' : ` "${literal}"`}`;
      }),
    bindings: relations.bindings.map(
      ({ scope, name, type, value }) =>
        `${named(scope)}: ${name}${type === '' ? '' : `: ${type}`}${value === '' ? '' : ` = ${value}`}`,
    ),
  };
}
