/** Imports of Python. */
import type { FactSink, NodeView } from '../roles/relations.js';

export function importStatement({ start, end, text }: NodeView, sink: FactSink): void {
  for (const part of text.replace(/^import\s/, '').split(',')) {
    const match = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
    if (match === null) continue;
    const [, specifier, alias] = match;
    sink.import(start, end, kindAt(start, sink), specifier, [{ name: '*', alias: alias ?? specifier }]);
  }
}

export function importFrom({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^from\s+([\w.]+|[.\s]+[\w.]*)\s*import\b/.exec(text);
  if (match === null) return;
  const list = text
    .slice(match[0].length)
    .replace(/#[^\n]*/g, '')
    .replace(/[()\\]/g, '');
  const names = [];
  for (const part of list.split(',')) {
    const named = /^\s*([\w*]+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
    if (named !== null) names.push({ name: named[1], alias: named[1] === '*' ? '' : (named[2] ?? named[1]) });
  }
  sink.import(start, end, kindAt(start, sink), match[1].replace(/\s+/g, ''), names);
}

/** Indented imports under `if TYPE_CHECKING:` are for types only. */
function kindAt(start: number, { source }: FactSink): 'import' | 'type' {
  let lineStart = source.lastIndexOf('\n', start - 1) + 1;
  if (lineStart === start) return 'import';
  const before = source.slice(Math.max(0, lineStart - 3_000), lineStart).split('\n');
  const indent = start - lineStart;
  for (let i = before.length - 2; i >= 0; i--) {
    const line = before[i];
    lineStart = line.length - line.trimStart().length;
    if (line.trim() === '' || lineStart >= indent) continue;
    return /^\s*if\s+(?:\w+\.)?TYPE_CHECKING\s*:/.test(line) ? 'type' : 'import';
  }
  return 'import';
}
