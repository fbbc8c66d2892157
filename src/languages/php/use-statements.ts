/** How files of PHP get at each other. */
import type { FactSink, NodeView } from '../roles/relations.js';

const MAX_HEAD_LENGTH = 600;
const MAX_LIST_LENGTH = 4_000;

/** `use A\B as C;`, `use A\{B, C as D};`, `use function A\f;` */
export function useDeclaration({ start, end, text }: NodeView, sink: FactSink): void {
  const body = text
    .slice(0, MAX_LIST_LENGTH)
    .replace(/^use\s+(?:(?:function|const)\s+)?/, '')
    .replace(/\s*;\s*$/, '');
  const group = /^\\?([\w\\]*?)\\?\s*\{([\s\S]*)\}$/.exec(body);
  const prefix = group === null ? '' : `${group[1]}\\`;
  const bySpecifier = new Map<string, { name: string; alias: string }[]>();
  for (const part of (group === null ? body : group[2]).split(',')) {
    const match = /^\s*(?:(?:function|const)\s+)?\\?((?:\w+\\)*)(\w+)(?:\s+as\s+(\w+))?\s*$/i.exec(part);
    if (match === null) continue;
    const specifier = (prefix + match[1]).replace(/\\$/, '');
    const names = bySpecifier.get(specifier) ?? [];
    names.push({ name: match[2], alias: match[3] ?? match[2] });
    bySpecifier.set(specifier, names);
  }
  for (const [specifier, names] of bySpecifier)
    sink.import(start, end, 'import', specifier === '' ? '\\' : specifier, names);
}

export function namespace({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^namespace\s+([\w\\]+)/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null) sink.import(start, Math.min(end, start + match[0].length), 'declare', match[1]);
}

/** `require __DIR__ . '/x.php';` */
export function include({ start, end, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:require|include)(?:_once)?[\s(]*(__DIR__\s*\.\s*|dirname\(__FILE__\)\s*\.\s*)?(["'])([^"'$\n]+)\2[\s)]*$/.exec(
      text.slice(0, MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  sink.import(start, end, 'include', match[1] === undefined ? match[3] : `./${match[3].replace(/^\//, '')}`);
}
