/** Ready-made rules for nodes that most grammars have. */
import type { ReferenceKind } from './relation-facts.js';
import type { ArgumentList, FoundChain, NodeRule, NodeView, Reading } from './relations.js';

export interface Call {
  /** The callee: what stands before the argument list. */
  callee: FoundChain;
  /** Last name of the callee, and the chain before it. */
  name: string;
  receiver: string;
  list: ArgumentList;
  /** From the callee's start to the end of the argument list. */
  start: number;
  end: number;
  view: NodeView;
}

export interface CallOptions {
  /** Looks at a call before it becomes a reference; true: it is something else (`require`, `import`). Its value is remembered anyway. */
  special?: (call: Call, reading: Reading) => boolean;
  /** Kind of the reference, where the text before the callee (`@`, …) or the name tells. Default: `new` after `newWord`, else `call`. */
  kind?: (call: Call, reading: Reading) => ReferenceKind | null;
}

/**
 * For argument lists (list their kind in `RelationRules.brackets` too): the callee is the chain that ends before the list. What the call
 * stands for is remembered, so that chains through it cost nothing.
 */
export function calls({ special, kind }: CallOptions = {}): NodeRule {
  return (view, reading) => {
    const callee = reading.chainBefore(view.start);
    const { chain, isNew } = callee;
    const value =
      chain === '' || chain.startsWith('?') ? '?' : `${isNew && !chain.startsWith('new ') ? 'new ' : ''}${chain}()`;
    reading.remember(view.end, callee.start, value);
    if (chain === '' || chain === '?') return;
    const dot = chain.lastIndexOf('.');
    const name = chain.slice(dot + 1);
    const list = reading.arguments(view.start, view.end);
    const receiver = dot === -1 ? '' : chain.slice(0, dot);
    const call: Call = { callee, name, receiver, list, start: callee.start, end: view.end, view };
    if (special?.(call, reading)) return;
    const made = isNew && !chain.includes('()') ? 'new' : 'call';
    const found = kind === undefined ? made : kind(call, reading);
    if (found === null) return;
    const literal = reading.rules.literalCalls?.has(name) ? list.literal : '';
    reading.reference(callee.nameStart, view.end, found, chain, { args: list.count, literal });
  };
}

/** For names of types: a reference of kind `type`, with the chain before it where the type is qualified. */
export function typeNames(): NodeRule {
  return ({ start, end }, reading) => {
    const { joins } = reading.rules.spelling;
    const qualified = joins.some((join) => reading.source.startsWith(join, start - join.length));
    if (!qualified) reading.reference(start, end, 'type', reading.source.slice(start, end));
    else reading.reference(start, end, 'type', reading.chainBefore(end).chain);
  };
}
