/** Turns rule tables into native ast-grep rules, one list per language, and finds the rule of a node kind again. */
import type { Definition, DefinitionRules, NodeRule, Wrapper } from '../languages/roles/definitions.js';

export interface Matcher {
  /** Alternatives of the native query, and the kinds in them. */
  native: readonly NodeRule[];
  nativeKinds: readonly string[];
  definitions: ReadonlyMap<string, Definition>;
  wrappers: ReadonlyMap<string, Wrapper>;
  /** Kinds to report when walking, and kinds to walk into. */
  walked: ReadonlySet<string>;
  entered: ReadonlySet<string>;
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
    const found = definition.found ?? 'native';
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
    native: any,
    nativeKinds: any.map(({ kind }) => String(kind)),
    definitions,
    wrappers,
    walked,
    entered: new Set(rules.walk),
  };
}

function constrained(kind: string, definition: Definition): NodeRule {
  const { parents, where } = definition;
  if (parents === undefined) return { kind, ...where };
  const inside = { any: parents.map((parent) => ({ kind: parent })) };
  return where === undefined ? { kind, inside } : { kind, all: [{ inside }, where] };
}
