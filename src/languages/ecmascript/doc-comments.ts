/** Types in comments: `@param {Cart} cart`. */
import type { DefinitionView, FactSink } from '../roles/relations.js';

/** A comment that is read for types. UTF-16 units. */
const MAX_DOC_LENGTH = 5_000;
const MAX_SIGNATURE_LENGTH = 2_000;
/** Parameters with a type in one comment. */
const MAX_TAGS = 50;
const TAG = /@(param|returns?|type)\s*\{([^{}\n]{1,200})\}(?:\s*\[?([\w$]+))?/g;

/** `@param {Cart} cart`, `@returns {Cart}`, `@type {Cart}`. */
export function documented(view: DefinitionView, sink: FactSink): void {
  const { doc, nameStart, nameEnd, name, signatureEnd, kind } = view;
  if (doc === null) return;
  const { source } = sink;
  const comment = source.slice(doc.start, Math.min(doc.end, doc.start + MAX_DOC_LENGTH));
  const signature = source.slice(nameEnd, Math.min(signatureEnd, nameEnd + MAX_SIGNATURE_LENGTH));
  let count = 0;
  for (const [, tag, type, parameter] of comment.matchAll(TAG)) {
    if (++count > MAX_TAGS) break;
    const written = plainType(type);
    if (tag === 'type') {
      if (kind === 'field' || kind === 'property') sink.field(nameStart, name, written, '');
      else sink.local(nameStart, name, written, '');
    } else if (tag !== 'param') sink.result(nameStart, written, '');
    else if (parameter !== undefined) {
      const at = positionIn(signature, parameter);
      if (at !== -1) sink.local(nameEnd + at, parameter, written, '');
    }
  }
}

/** As TypeScript would write it: `?Cart`, `!Cart` and `Cart=` are about null and optional. */
function plainType(type: string): string {
  return type
    .trim()
    .replace(/^(?:\.\.\.)?[?!]?/, '')
    .replace(/=$/, '')
    .replace(/^import\([^)]*\)\./, '');
}

function positionIn(signature: string, name: string): number {
  for (let at = signature.indexOf(name); at !== -1; at = signature.indexOf(name, at + 1)) {
    const before = signature[at - 1] ?? ' ';
    const after = signature[at + name.length] ?? ' ';
    if (!/[\w$]/.test(before) && !/[\w$]/.test(after)) return at;
  }
  return -1;
}
