/** Lambdas, method references, types without a name and labels of Java: what each is given, or stands for. */
import { MAX_HEAD_LENGTH } from '../../roles/declarations.js';
import type { FactSink, NodeRule, NodeView } from '../../roles/relations.js';
import { skipSpaceBack } from '../../roles/scan.js';
import { LEXICAL } from './lexical.js';

export const lambdaRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  sink.closure(start, end);
  const { source } = sink;
  const head = /^(?:([\w$]+)|\(\s*([\w$]+)\s*(?:,\s*([\w$]+)\s*)?\))\s*->/.exec(
    source.slice(start, start + MAX_LAMBDA_HEAD),
  );
  if (head === null) return;
  const given = givenTo(sink, start, node);
  const [, bare, first = bare, second] = head;
  const isElement = (index: number) =>
    second === undefined || BOTH.test(given) || (LATER.test(given) ? 1 : 0) === index;
  const at = start + head[0].indexOf(first);
  if (given !== '' && isElement(0)) sink.local(at, first, '', given);
  else if (bare !== undefined) sink.local(start, bare, '', '');
  if (given !== '' && second !== undefined && isElement(1))
    sink.local(start + head[0].lastIndexOf(second), second, '', given);
};

/** The parent of a class without a name: `new Cart() { … }`. */
export const anonymousRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const { source } = sink;
  if (source[end - 1] !== '}') return;
  const type = /^new\s+([\w$.]+)/.exec(source.slice(start, Math.min(end, start + MAX_LAMBDA_HEAD)))?.[1];
  const body = node.children.find(({ kind }) => kind === 'class_body');
  if (type !== undefined && body !== undefined) sink.implied(body.start, end, `new ${type}().run{=}`);
};

/** `case OPEN`: a constant of the type of what is switched on, which needs no import. */
export const switchLabelRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const { source } = sink;
  const names = /^case\s+([A-Z_][\w$]*(?:\s*,\s*[A-Z_][\w$]*)*)\s*(?=->|:|$)/.exec(
    source.slice(start, Math.min(end + 1, start + MAX_HEAD_LENGTH)),
  );
  if (names === null) return;
  let at: NodeView | null = node;
  for (let depth = 0; at !== null && depth < 4 && !/^switch_(?:expression|statement)$/.test(at.kind); depth++)
    at = at.parent;
  const subject = at?.field('condition');
  const path = subject == null ? '' : sink.accessPath(subject.start + 1, subject.end - 1);
  if (path === '') return;
  for (const match of names[1].matchAll(/[\w$]+/g)) {
    const from = start + names[0].indexOf(names[1]) + match.index;
    sink.reference(from, from + match[0].length, 'read', `${path}.run{=}.${match[0]}`);
  }
};

const MAX_LAMBDA_HEAD = 120;
/** Calls that give two elements, and calls that give the element second. */
const BOTH = /\.(?:sort|sorted|reduce|max|min|merge|compare)\{\}$/;
const LATER = /\.(?:forEach|compute|computeIfPresent|replaceAll)\{\}$/;

/** Access path of what a lambda gets: from the call that it is an argument of, or the interface that it is assigned to. */
function givenTo(sink: FactSink, start: number, node: NodeView): string {
  const { source } = sink;
  const before = skipSpaceBack(source, start, 0, LEXICAL);
  if (source[before - 1] === '=') {
    const declared = /([\w$.]+)(?:<[^<>=;]*>)?\s+[\w$]+\s*=$/.exec(
      source.slice(Math.max(0, before - MAX_LAMBDA_HEAD), before),
    );
    return declared === null ? '' : `${declared[1]}{}`;
  }
  const list = node.parent;
  if (list?.kind !== 'argument_list') return '';
  const { accessPath, isNew } = sink.accessPathBefore(list.start);
  return isNew || accessPath === '' || accessPath.startsWith('?') ? '' : `${accessPath}{}`;
}

export const methodReferenceRule: NodeRule = ({ start, end }, sink) => {
  const { accessPath, nameStart } = sink.accessPathBefore(end);
  const isNew = accessPath.endsWith('.new');
  const written = isNew ? accessPath.slice(0, -4) : accessPath;
  const colons = sink.source.lastIndexOf('::', end);
  const at = isNew ? colons - (/[\w$]*$/.exec(written)?.[0].length ?? 0) : nameStart;
  sink.reference(Math.max(start, at), end, 'read', written);
};
