/** Ready-made rules for nodes that most grammars have. */
import type { ReferenceKind } from './relation-facts.js';
import type { AccessPath, ArgumentList, FactSink, NodeRule, NodeView } from './relations.js';

export interface Call {
  /** The callee: what stands before the argument list. */
  callee: AccessPath;
  /** Last name of the callee, and the access path before it. */
  name: string;
  receiver: string;
  list: ArgumentList;
  /** From the callee's start to the end of the argument list. */
  start: number;
  end: number;
  view: NodeView;
}

interface CallOptions {
  /** An argument that is a class says of which type the result is: `get(Cart)` stays in access paths as it is written. */
  classes?: RegExp;
  /** Type arguments before an argument list: the first one stays in access paths, too (`load(<Cart>)`). */
  typed?: RegExp;
  /** Looks at a call before it becomes a reference; true: it is something else (`require`, `import`). Its value is remembered anyway. */
  special?: (call: Call, sink: FactSink) => boolean;
  /** Kind of the reference, where the text before the callee (`@`, …) or the name tells. Default: `new` after `newWord`, else `call`. */
  kind?: (call: Call, sink: FactSink) => ReferenceKind | null;
}

/** UTF-16 units of an argument list in which a class is looked for, and before it for type arguments. */
const MAX_CLASS_LENGTH = 60;
const MAX_TYPES_LENGTH = 120;

/**
 * For argument lists (list their kind in `RelationRules.brackets` too): the callee is the access path that ends before the list. What the call
 * stands for is remembered, so that access paths through it cost nothing.
 */
export function calls({ special, kind, ...told }: CallOptions = {}): NodeRule {
  return (view, sink) => {
    const callee = sink.accessPathBefore(view.start);
    const { accessPath, isNew } = callee;
    const made = isNew && !accessPath.startsWith('new ') ? 'new ' : '';
    const given = made === '' ? typeGiven(view.start, sink, told) : '';
    const value = accessPath === '' || accessPath.startsWith('?') ? '?' : `${made}${accessPath}(${given})`;
    sink.remember(view.end, callee.start, value);
    if (accessPath === '' || accessPath === '?') return;
    const dot = accessPath.lastIndexOf('.');
    const name = accessPath.slice(dot + 1);
    const list = sink.arguments(view.start, view.end);
    const receiver = dot === -1 ? '' : accessPath.slice(0, dot);
    const call: Call = { callee, name, receiver, list, start: callee.start, end: view.end, view };
    if (special?.(call, sink)) return;
    const usual = isNew && !accessPath.includes('()') ? 'new' : 'call';
    const found = kind === undefined ? usual : kind(call, sink);
    if (found === null) return;
    const literal = found === 'decorator' || sink.rules.literalCalls?.has(name) ? list.literal : '';
    sink.reference(callee.nameStart, view.end, found, accessPath, { args: list.count, literal });
  };
}

/** The type argument of the call whose argument list starts at `start`, else the class that it is given; '' for neither. */
function typeGiven(start: number, { source }: FactSink, { classes, typed }: CallOptions): string {
  const type =
    source[start - 1] === '>'
      ? typed?.exec(source.slice(Math.max(0, start - MAX_TYPES_LENGTH), start))?.[1]
      : undefined;
  if (type !== undefined) return `<${type}>`;
  return classes?.exec(source.slice(start, start + MAX_CLASS_LENGTH))?.[1] ?? '';
}

/** For names of types: a reference of kind `type`, with the access path before it where the type is qualified. */
export function typeNames(): NodeRule {
  return ({ start, end }, sink) => {
    const { joins } = sink.rules.lexical;
    const qualified = joins.some((join) => sink.source.startsWith(join, start - join.length));
    if (!qualified) sink.reference(start, end, 'type', sink.source.slice(start, end));
    else sink.reference(start, end, 'type', sink.accessPathBefore(end).accessPath);
  };
}
