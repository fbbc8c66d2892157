/** Composite literals of Go, and the fields and keys in them. */
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { FactSink, NodeView } from '../roles/relations.js';

export const HANDED_ON = /^(?:\w+\s*:\s*)?&?([\p{L}_][\p{L}\p{N}_.]*)$/u;
/** A longer text is taken for no type. */
const MAX_TYPE_LENGTH = 600;
/** `[]Item`, `map[string]*Item`: what the elements are. */
const COLLECTION = /^(?:\[[^\]]*\]|map\[([\p{L}_][\p{L}\p{N}_.]*)\])\s*\*?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*$/u;
const KEY = /^([\p{L}_][\p{L}\p{N}_]*)\s*:(?!=)/u;

/** `Cart{Name: x}` makes a cart; `[]Item{{…}}` and `map[Kind]Item{K: {…}}` name types, and leave them out further on. */
export function compositeLiteral({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const open = source.indexOf('{', start);
  if (open === -1 || open >= end) return;
  handedOn(open + 1, end - 1, HANDED_ON, sink);
  const written = source.slice(start, Math.min(open, start + MAX_TYPE_LENGTH));
  const collection = COLLECTION.exec(written);
  if (collection !== null) {
    elements(open, end, collection[1] !== undefined, collection[2], sink);
    return;
  }
  const type = madeType(written);
  if (type === '' || type === 'struct' || type === 'interface') return;
  sink.remember(end, start, `new ${type}()`);
  sink.reference(start + type.lastIndexOf('.') + 1, end, 'new', type);
  fields(open, end, type, sink);
}

export function madeType(text: string): string {
  return /^\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[.*\])?\s*$/u.exec(text.slice(0, MAX_TYPE_LENGTH))?.[1] ?? '';
}

function fields(open: number, end: number, type: string, sink: FactSink): void {
  for (const part of elementsOf(open + 1, end - 1, sink)) {
    const name = KEY.exec(sink.source.slice(part.start, part.end))?.[1];
    if (name !== undefined) sink.reference(part.start, part.start + name.length, 'write', `${type}.${name}`);
  }
}

function elements(open: number, end: number, isMap: boolean, type: string, sink: FactSink): void {
  for (const part of elementsOf(open + 1, end - 1, sink)) {
    const text = sink.source.slice(part.start, part.end);
    const key = KEY.exec(text);
    if (isMap && key !== null) sink.reference(part.start, part.start + key[1].length, 'read', key[1]);
    const inner = /^(?:[^{}:"`]*:\s*)?&?(?=\{)/.exec(text);
    if (inner !== null && text.endsWith('}')) fields(part.start + inner[0].length, part.end, type, sink);
  }
}
