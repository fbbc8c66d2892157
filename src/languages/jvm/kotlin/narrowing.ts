/** Kotlin: types that a name has where a check has told: `when (x) { is Cart -> … }`, `if (x is Cart) …`. */
import type { FactSink, NodeRule } from '../../roles/relations.js';
import type { SyntaxNode } from '../../roles/syntax-node.js';

const MAX_CHECK_LENGTH = 300;
/** Conditions in conditions. */
const MAX_CONDITIONS = 10;

/** `name` is a local, or `this`. */
function narrow(sink: FactSink, name: string, type: string, start: number, end: number): void {
  if (name === 'this') {
    sink.implied(start, end, `new ${type}().run{=}`);
    return;
  }
  if (!/^\w+$/.test(name)) return;
  sink.closure(start, end);
  sink.local(start, name, type, '');
}

export const whenEntryRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const text = sink.source.slice(start, Math.min(end, start + MAX_CHECK_LENGTH));
  const check = /^is\s+([\w.]+)(?:<[^<>]*>)?\s*(?=->)/.exec(text);
  if (check !== null) {
    const subject = node.parent?.children.find(({ kind }) => kind === 'when_subject');
    const name = /^\(\s*(?:val\s+)?(\w+)/.exec(subject?.text ?? '')?.[1];
    if (name !== undefined) narrow(sink, name, check[1], start, end);
    return;
  }
  const own = /^(\w+)\s+is\s+([\w.]+)(?:<[^<>]*>)?\s*(?=->|&&)/.exec(text);
  if (own !== null) narrow(sink, own[1], own[2], start, end);
};

export const checkRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const check = /^(\w+)\s+(!?)is\s+([\w.]+)/.exec(sink.source.slice(start, Math.min(end, start + MAX_CHECK_LENGTH)));
  if (check === null) return;
  const [, name, negated, type] = check;
  const [holder, last] = conditionOf(node);
  if (negated === '') {
    const until = holder?.kind === 'if_expression' ? firstBody(holder) : last;
    narrow(sink, name, type, end, Math.max(end, until));
  } else if (holder?.kind === 'if_expression' && /^\{?\s*(?:return|throw|continue|break)\b/.test(bodyText(holder))) {
    if (name !== 'this') sink.local(holder.end, name, type, '');
  }
};

/** The statement whose condition a check is part of, by `&&`; and the end of that condition. */
function conditionOf(node: SyntaxNode): [SyntaxNode | null, number] {
  let at = node;
  let last = node.end;
  for (let depth = 0; depth < MAX_CONDITIONS; depth++) {
    const { parent }: SyntaxNode = at;
    if (parent === null) return [null, last];
    if (parent.kind !== 'conjunction_expression' && parent.kind !== 'parenthesized_expression') return [parent, last];
    at = parent;
    last = parent.end;
  }
  return [null, last];
}

function firstBody(node: SyntaxNode): number {
  return bodyOf(node)?.end ?? 0;
}

function bodyText(node: SyntaxNode): string {
  return bodyOf(node)?.text ?? '';
}

function bodyOf(node: SyntaxNode): SyntaxNode | undefined {
  return node.children.find(({ kind }) => kind === 'control_structure_body');
}
