/** Turns rule tables into conditions on nodes, one list per language, and finds the rule of a node kind again. */
import type { Definition, DefinitionRules, NodeRule, Wrapper } from '../languages/roles/definitions.js';

export interface Matcher {
  /** Alternatives of the query over the whole tree; each has a kind. */
  found: readonly NodeRule[];
  definitions: ReadonlyMap<string, Definition>;
  wrappers: ReadonlyMap<string, Wrapper>;
  /** Kinds to report when walking, and kinds to walk into. */
  walked: ReadonlySet<string>;
  entered: ReadonlySet<string>;
  /** Kinds to walk into under some parents, with these. */
  enteredUnder: ReadonlyMap<string, readonly string[]>;
}

const compiled = new WeakMap<DefinitionRules, Matcher>();

export function matcherOf(rules: DefinitionRules): Matcher {
  let matcher = compiled.get(rules);
  if (matcher === undefined) {
    matcher = compile(rules);
    compiled.set(rules, matcher);
  }
  return matcher;
}

function compile(rules: DefinitionRules): Matcher {
  const any: NodeRule[] = [];
  const definitions = new Map<string, Definition>();
  const walked = new Set<string>();
  for (const definition of rules.definitions) {
    const found = definition.found ?? 'query';
    for (const kind of [definition.node].flat()) {
      if (definitions.has(kind)) throw new Error(`two definitions for the node kind ${kind}`);
      definitions.set(kind, definition);
      if (found === 'walk') walked.add(kind);
      else any.push(constrained(kind, definition));
    }
  }
  const wrappers = new Map(Object.entries(rules.wrappers ?? {}));
  for (const [kind, wrapper] of wrappers) {
    if (wrapper.walk) walked.add(kind);
    else any.push({ kind });
  }
  for (const kind of rules.values?.kinds ?? []) any.push({ kind });
  return {
    found: any,
    definitions,
    wrappers,
    walked,
    entered: new Set(rules.walk),
    enteredUnder: new Map(Object.entries(rules.walkUnder ?? {})),
  };
}

function constrained(kind: string, definition: Definition): NodeRule {
  const { parents, where } = definition;
  if (parents === undefined) return { kind, ...where };
  const inside = { any: parents.map((parent) => ({ kind: parent })) };
  return where === undefined ? { kind, inside } : { kind, all: [{ inside }, where] };
}
