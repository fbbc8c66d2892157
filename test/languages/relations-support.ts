/** Relations as lines of text, so that tests are tables that can be read. */
import { type BlobFacts, qualifiedName } from '../../src/extract/extract.js';
import type { Reference } from '../../src/languages/roles/relation-facts.js';
import { factsOf } from '../extract/helpers.js';

export interface RelationLines {
  imports: string[];
  exports: string[];
  references: string[];
  /** Reads and writes of names, which are no `references` here. */
  mentions: string[];
  bindings: string[];
}

/**
 * imports: `line kind specifier name=alias,…`; exports: `name = local`; references and mentions: `line kind receiver.name/args @symbol`,
 * with the literal in quotes behind; bindings: `scope: name: type = value`. Nothing stands for what is empty, `-` for the file.
 */
export function relationLines(source: string, language: string): RelationLines {
  const facts = factsOf(source, language);
  const { imports, exports, references, bindings } = facts.relations;
  const isMention = ({ kind }: Reference) => kind === 'read' || kind === 'write';
  const lineOf = ({ startLine, kind, receiver, name, args, literal, symbol }: Reference) => {
    const chain = receiver === '' ? name : `${receiver}.${name}`;
    const count = args === -1 ? '' : `/${args}`;
    return `${startLine} ${kind} ${chain}${count} @${nameOf(facts, symbol)}${literal === '' ? '' : ` "${literal}"`}`;
  };
  return {
    imports: imports.map(({ startLine, kind, specifier, names }) => {
      const list = names.map(({ name, alias }) => (name === alias ? name : `${name}=${alias}`)).join(',');
      return `${startLine} ${kind} ${specifier}${list === '' ? '' : ` ${list}`}`;
    }),
    exports: exports.map(({ name, local }) => `${name} = ${local}`.trim()),
    references: references.filter((reference) => !isMention(reference)).map(lineOf),
    mentions: references.filter(isMention).map(lineOf),
    bindings: bindings.map(({ scope, name, type, value }) => {
      const typed = type === '' ? '' : `: ${type}`;
      return `${nameOf(facts, scope)}: ${name}${typed}${value === '' ? '' : ` = ${value}`}`;
    }),
  };
}

function nameOf(facts: BlobFacts, index: number): string {
  return index === -1 ? '-' : qualifiedName(facts.symbols, index);
}
