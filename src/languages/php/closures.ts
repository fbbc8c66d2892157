/** PHP: parameters of functions without a name, where the call that they are given to says what they are. */
import { elementsOf } from '../roles/escaping-values.js';
import type { FactSink, NodeView } from '../roles/relations.js';

const MAX_HEAD_LENGTH = 120;
/** Functions whose function gets the elements of their second argument, and those whose function gets those of the first. */
const LIST_LAST = new Set(['array_map']);
const LIST_FIRST = new Set(
  'array_filter array_walk usort uasort array_reduce array_find array_any array_all iterator_apply'.split(' '),
);

/** `fn ($line) => …`, `function ($a, $b) { … }`: parameters without a type. */
export function closure(node: NodeView, sink: FactSink): void {
  const { start, end } = node;
  const head = /^(?:static\s+)?(?:fn|function)\s*&?\s*\(\s*&?\$(\w+)\s*(?:,\s*&?\$(\w+)\s*)?\)/.exec(
    sink.source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH)),
  );
  const list = node.parent?.parent;
  if (head === null || list?.kind !== 'arguments') return;
  const open = list.start;
  const { accessPath } = sink.accessPathBefore(open);
  const given = givenBy(accessPath, open, list.end, sink);
  if (given === '') return;
  const at = start + head[0].indexOf('$');
  if (accessPath !== 'array_reduce') sink.local(at, head[1], '', given);
  if (head[2] !== undefined && accessPath !== 'array_walk') sink.local(at + 1, head[2], '', given);
}

function givenBy(callee: string, open: number, close: number, sink: FactSink): string {
  const isLast = LIST_LAST.has(callee);
  if (!isLast && !LIST_FIRST.has(callee)) return callee.includes('.') && !callee.startsWith('?') ? `${callee}{}` : '';
  const values = elementsOf(open + 1, close - 1, sink)[isLast ? 1 : 0];
  const path = values === undefined ? '' : sink.accessPath(values.start, values.end);
  return path === '' ? '' : `${path}[]`;
}
