/** C#: what stands in the text of declarations. */

import {
  angleEnd,
  declarationsIn,
  LONGEST_HEAD,
  nameFrom,
  parents,
  skipModifiers,
  typeBeforeName,
  typeEnd,
  typeParameters,
  typeReferences,
} from '../roles/declarations.js';
import type { DefinitionView, Reading, Spelling } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';

export const SPELLING: Spelling = {
  joins: ['?.', '::', '.'],
  nameExtra: '@',
  postfix: '!',
  prefixes: ['await', 'ref'],
  newWord: 'new',
  typeArguments: '<>',
  root: (name) => (name === 'base' ? 'super' : name),
  quotes: '"\'',
  lineComments: ['//', '#'],
  blockComment: ['/*', '*/'],
};

export const MODIFIER =
  /\[|(?:public|protected|private|internal|static|readonly|const|abstract|virtual|override|sealed|async|partial|extern|unsafe|volatile|required|file|ref|out|in|params|this|scoped|fixed|using|await|event|new)\b(?!\s*[=,;)(.])/y;

/** `Money x = new(1)`: makes what the declaration says. */
export function targetTyped(reading: Reading, at: number, to: number, type: string): string {
  const match = /^\s*=\s*(new\s*\()/.exec(reading.source.slice(at, Math.min(to, at + 100)));
  const name = /^[\w.]+/.exec(type)?.[0];
  if (match === null || name === undefined) return '';
  const open = at + match[0].length - 1;
  const close = reading.closing(open, to);
  const where = at + match[0].length - match[1].length;
  reading.reference(where, close, 'new', name, { args: reading.arguments(open, close).count });
  return `new ${name}()`;
}

export function addParameters(reading: Reading, open: number, close: number, place: 'local' | 'field'): void {
  const { source } = reading;
  for (const part of declarationsIn(reading, open, close)) {
    const declared = typeBeforeName(reading, part.start, part.end, MODIFIER);
    if (declared === null || declared.name === '') {
      const name = nameFrom(source, part.start);
      if (name.length === part.end - part.start) reading.local(part.start, name, '', '');
      continue;
    }
    const { nameAt, name, type } = declared;
    typeReferences(reading, source.lastIndexOf(type, nameAt), nameAt - 1);
    reading[place](nameAt, name, type, '');
    // The first parameter of an extension method is what it is called on.
    if (/^(?:\[[^\]]*\]\s*)?this\b/.test(source.slice(part.start, nameAt))) reading.local(nameAt, 'this', type, '');
  }
}

export function definition(view: DefinitionView, reading: Reading): void {
  const { kind, name, start, nameStart, nameEnd, signatureEnd, end } = view;
  const { source } = reading;
  if (kind === 'namespace') reading.import(nameStart, nameEnd, 'declare', name.replace(/\s+/g, ''));
  else if (kind === 'class' || kind === 'interface' || kind === 'struct') typeDefinition(view, reading);
  else if (kind === 'enum-member') reading.field(nameStart, name, '', 'this');
  if (kind !== 'method' && kind !== 'function' && kind !== 'property') return;
  const from = skipModifiers(reading, start, nameStart, MODIFIER);
  const to = typeEnd(reading, from, nameStart);
  const type = source.slice(from, to);
  if (type === '' || type === 'void') return;
  typeReferences(reading, from, to);
  if (kind === 'property') {
    const assigned = /\}\s*(=)\s*new\s*\(/.exec(source.slice(nameEnd, Math.min(end, nameEnd + LONGEST_HEAD)));
    const value = assigned === null ? '' : targetTyped(reading, nameEnd + assigned.index + 1, end, type);
    reading.field(nameStart, name, type, value);
    return;
  }
  if (source[nameEnd] === '<') typeParameters(reading, nameEnd, signatureEnd);
  reading.result(nameStart, type, '');
}

/** `class A<T>(Db db) : B<T>(db), IC where T : D`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, reading: Reading): void {
  const { source } = reading;
  const limit = Math.min(signatureEnd, nameEnd + LONGEST_HEAD);
  let at = nameEnd;
  if (source[at] === '<') at = typeParameters(reading, at, limit);
  at = skipSpace(source, at, limit, SPELLING);
  if (source[at] === '(') {
    const close = reading.closing(at, limit);
    addParameters(reading, at, close, 'field');
    at = skipSpace(source, close, limit, SPELLING);
  }
  if (source[at] !== ':') return;
  const where = source.slice(at, limit).search(/\bwhere\s+\w+\s*:/);
  const to = where === -1 ? limit : at + where;
  typeReferencesOfArguments(reading, at + 1, to);
  parents(reading, at + 1, to).forEach(({ chain, at: from, end }, index) => {
    // The grammar of the language does not tell; its users' names do.
    const isInterface = index > 0 || kind === 'struct' || /^I[A-Z]/.test(chain.slice(chain.lastIndexOf('.') + 1));
    // `: Base(x)`: that the parent is constructed goes without saying.
    const isMade = source[skipSpace(source, typeEnd(reading, from, to), to, SPELLING)] === '(';
    if (isMade) reading.declared(from);
    const relation = kind !== 'interface' && isInterface ? 'implements' : 'extends';
    reading.reference(isMade ? end : from, end, relation, chain.replace(/^global\./, ''));
  });
}

function typeReferencesOfArguments(reading: Reading, from: number, to: number): void {
  for (let open = reading.source.indexOf('<', from); open !== -1 && open < to; ) {
    const close = angleEnd(reading.source, open, to);
    if (close === -1) return;
    typeReferences(reading, open, close);
    open = reading.source.indexOf('<', close);
  }
}
