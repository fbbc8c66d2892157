/** Signatures of Go's methods, as far as their text tells them apart: a type fits an interface only with the same ones, those of interfaces in it included. */
import type { FactSink, NodeView } from '../roles/relations.js';
import { skipSpace, splitList } from '../roles/scan.js';

/** Longest list of parameters or results that is read. */
const MAX_LENGTH = 600;

/** Types that mean the same everywhere, since no package declares them: of them alone, or of slices, maps and pointers of them. */
const BUILT_IN =
  /^(?:\.\.\.|\[\d*\]|\*|map\[(?:string|u?int\d*|bool|any)\])*(?:any|bool|complex(?:64|128)|error|float(?:32|64)|string|u?int(?:8|16|32|64)?|uintptr)$/;
/** A word before a type that belongs to it, and is no name of a parameter. */
const OF_TYPE = /^(?:chan|func|interface|map|struct)\b/;
const NAMED = /^[\p{L}_][\p{L}\p{N}_]*\s+(?=\S)/u;

/**
 * Number of results of a method, the type of its first result and that of its first parameter, each empty where types of packages make
 * it uncertain: an alias can give one type two names. `open`: of the list of parameters; `to`: end of the signature.
 */
export function signatureParts(sink: FactSink, open: number, to: number): string[] {
  const { source } = sink;
  const close = sink.closing(open, to);
  if (source[close - 1] !== ')') return [];
  const at = skipSpace(source, close, to, sink.rules.lexical);
  const isList = source[at] === '(';
  const results = isList ? partsIn(sink, at, to) : [source.slice(at, Math.min(to, at + MAX_LENGTH)).trim()];
  if (results.length === 1 && results[0] === '') results.pop();
  return [`${results.length}`, firstType(results), firstType(partsIn(sink, open, to))];
}

function partsIn(sink: FactSink, open: number, to: number): string[] {
  const close = sink.closing(open, to);
  if (close - open > MAX_LENGTH) return [''];
  const parts = splitList(sink.source, open + 1, close - 1, ',', sink.rules.lexical, true);
  return parts.map(({ start, end }) => sink.source.slice(start, end).trim()).filter((part) => part !== '');
}

/** Type of the first of some parameters or results (`a, b string`, `n int`, `error`), if it is a built-in one. */
function firstType(parts: readonly string[]): string {
  const named = parts.find((part) => NAMED.test(part) && !OF_TYPE.test(part));
  const written = named === undefined ? (parts[0] ?? '') : named.replace(NAMED, '');
  const type = written
    .replace(/\s+/g, '')
    .replaceAll('interface{}', 'any')
    .replace(/\bbyte\b/g, 'uint8')
    .replace(/\brune\b/g, 'int32');
  return BUILT_IN.test(type) ? type : '';
}

/** An interface in an interface. */
export function embeddedInterface({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const before = source.slice(Math.max(0, start - 200), start);
  if (!/(?:\{|\n|;)\s*$/.test(before) || !/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(text)) return;
  sink.reference(start + text.lastIndexOf('.') + 1, end, 'extends', text);
}
