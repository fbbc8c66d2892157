/** Blocks of Ruby: what each is given, and what a method yields. */
import type { FactSink, NodeView } from '../roles/relations.js';
import { localsOf, shadow } from './scopes.js';

/** Methods of collections whose block is given one element. */
const EACH =
  /(?:&?\.)\s*(?:each|map|select|reject|find|detect|flat_map|sum|any\?|all\?|none\?|each_with_index|each_with_object|group_by|sort_by|min_by|max_by|partition|filter|filter_map|collect|find_all|index_by|reverse_each|find_each|to_h|count|uniq|take_while|drop_while|each_entry)\s*(?:\([^()]*\)\s*)?(?:\{|do)\s*$/;

/** `xs.each { |x, (y, z)| … }`: the first is an element. */
export function blockParameters({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const before = source.slice(Math.max(0, start - 150), start);
  const method = EACH.exec(before);
  const names = [
    ...text
      .slice(0, 300)
      .replace(/=[^,|]*/g, (value) => ' '.repeat(value.length))
      .matchAll(/[a-z_]\w*/g),
  ];
  for (const [index, match] of names.entries()) {
    let value = '';
    if (index === 0 && /^\|\s*$/.test(text.slice(0, match.index))) {
      if (method !== null) {
        const { accessPath } = sink.accessPathBefore(start - before.length + method.index);
        value = accessPath === '?' || accessPath === '' ? '' : `${accessPath}[]`;
      } else value = givenTo(start, before, sink);
    }
    shadow(Math.min(start + match.index, end), match[0], value, sink);
  }
}

/** `Ledger.open(name) do |book|`: what the method yields. */
function givenTo(start: number, before: string, sink: FactSink): string {
  const opened = /(?:\bdo|\{)\s*$/.exec(before);
  if (opened === null) return '';
  const { accessPath } = sink.accessPathBefore(start - before.length + opened.index);
  return accessPath === '?' || accessPath === '' || accessPath.startsWith('new ')
    ? ''
    : `${accessPath.replace(/\(\)$/, '')}{}`;
}

/** `map(&:total)` calls `total` of each element. */
export function symbolBlock({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^&:([a-z_]\w*[?!]?)$/.exec(text);
  if (match === null) return;
  const before = sink.source.slice(Math.max(0, start - 150), start);
  const method = /(?:&?\.)\s*\w+[?!]?\s*\((?:[^()]*,\s*)?$/.exec(before);
  const found = method === null ? '' : sink.accessPathBefore(start - before.length + method.index).accessPath;
  sink.reference(start + 2, end, 'call', `${found === '' || found === '?' ? '?' : `${found}[]`}.${match[1]}`, {
    args: 0,
  });
}

/** `yield entry` */
export function yielded({ start, end }: NodeView, sink: FactSink): void {
  const given = /^yield[ (]\s*(?:(@?)([a-z_]\w*)|((?:[A-Z]\w*::)*[A-Z]\w*)\.new\b)/.exec(
    sink.source.slice(start, Math.min(end, start + 200)),
  );
  if (given === null) return;
  const [whole, at, name, type] = given;
  if (type !== undefined) localsOf(sink).yields.push({ at: start, value: `new ${type.replace(/::/g, '.')}()` });
  // The name of a local or a variable of the instance, and nothing after it.
  else if (/^\s*(?:[,)]|$)/.test(sink.source.slice(start + whole.length, end)))
    localsOf(sink).yields.push({ at: start, value: at === '' ? name : `this.${name}` });
}
