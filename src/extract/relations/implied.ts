/** Bare names in functions whose bodies can leave out a receiver: `cart.apply { add(x) }`. */
import type { Draft } from '../draft.js';
import { inDocumentOrder } from '../symbols.js';
import { Enclosing } from './enclosing.js';
import type { RawReference, RawRelations } from './raw.js';

/** Functions in functions that are looked at for one name. */
const MAX_DEPTH = 50;

/** Puts the receiver that may be left out before bare names that are no locals. The innermost function counts. */
export function addImpliedReceivers(raw: RawRelations, drafts: readonly Draft[]): void {
  if (raw.implied.length === 0) return;
  const ranges = raw.implied.sort((a, b) => a.start - b.start || b.end - a.end);
  const locals = localsOf(raw);
  const around = new Enclosing([...drafts].sort(inDocumentOrder));
  const open: number[] = [];
  let next = 0;
  for (const reference of raw.references.sort((a, b) => a.at - b.at)) {
    const { at } = reference;
    for (; next < ranges.length && ranges[next].start <= at; next++) open.push(next);
    while (open.length > 0 && ranges[open[open.length - 1]].end <= at) open.pop();
    let inner = open.length - 1;
    for (let depth = 0; inner >= 0 && ranges[open[inner]].end <= at && depth < MAX_DEPTH; depth++) inner--;
    if (inner < 0 || ranges[open[inner]].end <= at || !canBeMember(reference)) continue;
    const { start, accessPath } = ranges[open[inner]];
    const first = around.function(at);
    const from = first === -1 ? start : around.drafts[first].start;
    if (locals.get(rootOf(reference))?.some((local) => local >= from && local <= at)) continue;
    const { receiver } = reference;
    reference.receiver = receiver === '' ? accessPath : `${accessPath}.${receiver}`;
  }
}

function localsOf({ bindings }: RawRelations): Map<string, number[]> {
  const locals = new Map<string, number[]>();
  for (const { place, of, name, at } of bindings) {
    if (place !== 'local' || of === 'assigned') continue;
    const list = locals.get(name);
    if (list === undefined) locals.set(name, [at]);
    else list.push(at);
  }
  return locals;
}

const KINDS: ReadonlySet<string> = new Set(['call', 'read', 'write', 'value']);

/** Types and the current instance are no members of the receiver. */
function canBeMember(reference: RawReference): boolean {
  const root = rootOf(reference);
  return KINDS.has(reference.kind) && !/^(?:this|super|new\b|\?|"|\p{Lu})/u.test(root);
}

function rootOf({ receiver, name }: RawReference): string {
  return receiver === '' ? name : (/^[^.()[\]{]*/.exec(receiver)?.[0] ?? '');
}
