/** Parents of classes and interfaces. */

import { PARENT } from '../roles/relation-facts.js';
import type { FactSink, NodeRule } from '../roles/relations.js';
import { splitList } from '../roles/scan.js';

/** `extends A<B> implements C, D`: of classes, and of interfaces. */
export const heritage: NodeRule = ({ start, end }, sink) => {
  const { source, rules } = sink;
  const implement = /\bimplements\s/g;
  implement.lastIndex = start;
  const match = implement.exec(source.slice(0, end));
  const split = match === null ? end : match.index;
  for (const [kind, from, to] of [
    ['extends', start, split],
    ['implements', split, end],
  ] as const) {
    const word = source.startsWith(kind, from) ? from + kind.length : from;
    for (const part of splitList(source, word, to, ',', rules.lexical, true)) {
      const { start: from, end: last } = withoutWrappers(sink, part.start, part.end);
      const found = sink.accessPathBefore(last);
      if (found.start < from) continue;
      sink.reference(found.nameStart, last, kind, found.accessPath);
      const type = source.slice(part.start, part.end);
      if (type.endsWith('>')) sink.field(found.nameStart, PARENT, type, '');
    }
  }
};

const WRAPPER = /(?:Required|Partial|Readonly|Omit|Pick|NonNullable)\s*</y;

/** `Required<Omit<Options, 'strict'>>` has the members of `Options`. */
function withoutWrappers({ source, rules }: FactSink, from: number, to: number): { start: number; end: number } {
  let part = { start: from, end: to };
  for (;;) {
    WRAPPER.lastIndex = part.start;
    const match = WRAPPER.exec(source);
    if (match === null || source[part.end - 1] !== '>') return part;
    const [first] = splitList(source, part.start + match[0].length, part.end - 1, ',', rules.lexical, true);
    if (first === undefined) return part;
    part = first;
  }
}
