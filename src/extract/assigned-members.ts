/**
 * Members that methods of a type declare by assigning them: `self.total = 0`. They are symbols without a chunk of their own:
 * what is cut, and which definition a chunk is about, doesn't depend on them.
 */
import type { DefinitionRules } from '../languages/roles/definitions.js';
import { type Draft, FUNCTION_KINDS, TYPE_KINDS } from './draft.js';
import type { SymbolKind } from './facts.js';

/** More of one type tell nothing to anyone. */
const MAX_MEMBERS = 500;
/** A line looked at for a comment's start, backwards. */
const MAX_LINE_LENGTH = 200;

/** Symbols without those that are only assigned again: `total = 1` further down is a use of `total`. */
export function assignedOnce(drafts: readonly Draft[], { assigned }: DefinitionRules): Draft[] {
  if (assigned === undefined) return [...drafts];
  const known = new Map<Draft | null, Set<string>>();
  return drafts.filter(({ kind, container, name }) => {
    if (!VALUE_KINDS.has(kind)) return true;
    const names = known.get(container) ?? new Set();
    known.set(container, names);
    const before = names.size;
    return names.add(name).size > before;
  });
}

const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field']);

/** One member for each name and type, at its first assignment: in constructors, or else in other methods. */
export function assignedMembers(text: string, drafts: readonly Draft[], rules: DefinitionRules): Draft[] {
  const { assigned } = rules;
  if (assigned === undefined) return [];
  const known = new Map<Draft, Set<string>>();
  for (const { container, name } of drafts) if (container !== null) namesOf(known, container).add(name);
  const methods = drafts.filter(({ kind, container }) => FUNCTION_KINDS.has(kind) && isType(container));
  const makers = methods.filter(({ kind }) => kind === 'constructor');
  const found: Draft[] = [];
  for (const method of [...makers, ...methods]) {
    const { container } = method;
    if (container === null) continue;
    const names = namesOf(known, container);
    let count = 0;
    for (const match of text.slice(method.signatureEnd, method.end).matchAll(assigned)) {
      const [whole, name] = match;
      const start = method.signatureEnd + match.index;
      if (names.has(name) || isOpaque(text, start, method, rules) || ++count > MAX_MEMBERS) continue;
      names.add(name);
      found.push(memberOf({ container, method, start, whole, name, rules }));
    }
  }
  return found;
}

interface Assigned {
  container: Draft;
  method: Draft;
  start: number;
  whole: string;
  name: string;
  rules: DefinitionRules;
}

function memberOf({ container, start, whole, name, rules }: Assigned): Draft {
  const end = start + whole.trimEnd().length;
  return {
    ...{ name, kind: 'field', container, start, end, headStart: start, signatureEnd: end, doc: null },
    nameStart: start + whole.indexOf(name, whole.indexOf('.') + 1),
    exported: container.exported && (rules.exported.name?.test(name) ?? true),
    ...{ bodied: false, opens: false, owner: null, assigned: true },
  };
}

const isType = (draft: Draft | null): boolean => draft !== null && TYPE_KINDS.has(draft.kind);

function namesOf(known: Map<Draft, Set<string>>, container: Draft): Set<string> {
  let names = known.get(container);
  if (names === undefined) {
    names = new Set();
    known.set(container, names);
  }
  return names;
}

/** In the documentation of the method, or in a comment. */
function isOpaque(text: string, at: number, { doc }: Draft, { docs }: DefinitionRules): boolean {
  if (doc !== null && doc.start <= at && at < doc.end) return true;
  const line = text.slice(Math.max(0, at - MAX_LINE_LENGTH), at);
  return docs.line?.test(line.slice(line.lastIndexOf('\n') + 1).trimStart()) ?? false;
}
