/** Kotlin. */
import { calls } from '../../roles/call-rules.js';
import { angleEnd, declarationsIn, MAX_HEAD_LENGTH } from '../../roles/declarations.js';
import type { NodeRule, RelationRules } from '../../roles/relations.js';
import { skipSpace } from '../../roles/scan.js';
import { definition, LEXICAL, typed } from './declarations.js';
import { NAMES } from './names.js';

/** The node may reach to the end of a comment that follows it: only what the import itself says counts. */
const importRule: NodeRule = ({ start, text }, sink) => {
  const match = /^import\s+([\w.`]+?)(\.\*)?(?:[ \t]+as[ \t]+([\w`]+))?(?=[\s;/]|$)/.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  const path = match[1].replaceAll('`', '');
  const dot = path.lastIndexOf('.');
  const name = path.slice(dot + 1);
  const stop = start + match[0].length;
  if (match[3] !== undefined) sink.declared(stop - match[3].length);
  if (match[2] !== undefined) sink.import(start, stop, 'import', path, [{ name: '*', alias: '' }]);
  else sink.import(start, stop, 'import', dot === -1 ? path : path.slice(0, dot), [{ name, alias: match[3] ?? name }]);
};

const packageRule: NodeRule = ({ start, text }, sink) => {
  const match = /\bpackage\s+([\w.`]+)/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null)
    sink.import(start, start + match.index + match[0].length, 'declare', match[1].replaceAll('`', ''));
};

const callRule = calls({
  special: ({ name, receiver, callee, list, end }, sink) => {
    const { source } = sink;
    if (receiver === '' && (name === 'this' || name === 'super')) return true;
    // Annotations have a rule of their own.
    if (/@(?:\w+:)?$/.test(source.slice(Math.max(0, callee.start - 10), callee.start))) return true;
    // `f(x) { … }` has one argument more than its list.
    if (!/^[ \t]*\{/.test(source.slice(end, end + 10)) || list.count === -1) return false;
    const literal = ROUTES.has(name) ? list.literal : '';
    const accessPath = receiver === '' ? name : `${receiver}.${name}`;
    sink.reference(callee.nameStart, end, 'call', accessPath, { args: list.count + 1, literal });
    return true;
  },
});

/** Calls whose first argument names a route or a test. */
const ROUTES = new Set([
  'get',
  'post',
  'put',
  'delete',
  'patch',
  'head',
  'options',
  'route',
  'test',
  'it',
  'describe',
  'should',
]);

/** `f { … }` is a call without an argument list; of `f(x) { … }` the list has been read already. */
const trailingLambdaRule: NodeRule = ({ start, end }, sink) => {
  const { accessPath, start: from, nameStart } = sink.accessPathBefore(start);
  if (accessPath === '' || accessPath === '?') return;
  const isCalled = accessPath.endsWith('()');
  sink.remember(end, from, isCalled ? accessPath : `${accessPath}()`);
  if (!isCalled) sink.reference(nameStart, end, 'call', accessPath, { args: 1 });
};

const typeRule: NodeRule = ({ start, end, text }, sink) => {
  const { source } = sink;
  // Packages, and what `cart::total` is called on.
  if ((source[end] === '.' || source[end] === ':') && /^[a-z]/.test(text)) return;
  sink.reference(start, end, 'type', source[start - 1] === '.' ? sink.accessPathBefore(end).accessPath : text);
};

const OWN_ANNOTATIONS = new Set([
  'Suppress',
  'Deprecated',
  'JvmStatic',
  'JvmField',
  'JvmName',
  'JvmOverloads',
  'OptIn',
  'Throws',
  'PublishedApi',
]);

const annotationRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const match = /^@(?:\w+:)?\s*([\w.]+)/.exec(source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH)));
  // `@return` in a comment that the grammar takes for code is no annotation.
  if (match === null || OWN_ANNOTATIONS.has(match[1]) || match[1] === 'return') return;
  const open = start + match[0].length;
  const list = source[open] === '(' ? sink.arguments(open, end) : null;
  const at = open - match[1].length + match[1].lastIndexOf('.') + 1;
  sink.reference(at, end, 'decorator', match[1], { args: list?.count ?? -1, literal: list?.literal ?? '' });
};

/** `val x: T = v` in functions and types, `val (a, b) = v`. */
const propertyRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const head = /\b(?:val|var)\s+/g;
  head.lastIndex = start;
  const match = head.exec(source);
  if (match === null || match.index - start > MAX_HEAD_LENGTH || head.lastIndex >= end) return;
  let at = head.lastIndex;
  if (source[at] === '(') {
    for (const name of source.slice(at, sink.closing(at, end)).matchAll(/(?<![:.\w]\s*)\b\w+/g))
      sink.local(at + name.index, name[0], '', '');
    return;
  }
  if (source[at] === '<') at = skipSpace(source, angleEnd(source, at, end), end, LEXICAL);
  const receiver = /^[\w.<>?, ]+\.(?=\w+\s*(?::|=|$|\n))/.exec(
    source.slice(at, Math.min(end, at + 200)).split('\n')[0],
  )?.[0];
  if (receiver !== undefined) at += receiver.length;
  // A getter or setter is no part of the value.
  const accessor = source
    .slice(at, Math.min(end, at + MAX_HEAD_LENGTH))
    .search(/\n\s*(?:private\s+|internal\s+)?(?:get|set)\b/);
  const { name, type, value } = typed(sink, at, accessor === -1 ? end : at + accessor);
  if (name === '') return;
  if (receiver !== undefined) sink.variable(at + name.length, 'this', receiver.slice(0, -1), '');
  sink.variable(at, name, type, value);
};

/** `for (x in xs)`, `for ((a, b) in xs)`. */
const forRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const open = source.indexOf('(', start);
  const close = sink.closing(open, end) - 1;
  const match = /^\(\s*(?:(\w+)(?:\s*:\s*([\w.<>?]+))?|\(([\w\s,:]*)\))\s+in\s/.exec(
    source.slice(open, Math.min(close, open + MAX_HEAD_LENGTH)),
  );
  if (match === null) return;
  const list = sink.accessPath(open + match[0].length, close);
  if (match[1] === undefined)
    for (const name of match[3].matchAll(/\w+/g)) sink.local(open + name.index, name[0], '', '');
  else sink.local(open + match[0].indexOf(match[1]), match[1], match[2] ?? '', list === '' ? '' : `${list}[]`);
};

/** Calls that give each element of a list to a lambda; of those in the second list the lambda gets the receiver itself. */
const EACH =
  /^(?:map|mapNotNull|mapIndexed|flatMap|filter|filterNot|forEach|onEach|any|all|none|count|find|first|firstOrNull|last|lastOrNull|single|singleOrNull|sumOf|maxByOrNull|minByOrNull|sortedBy|sortedByDescending|groupBy|associateBy|associateWith|partition|takeWhile|dropWhile)$/;
const ITSELF = /^(?:let|also|takeIf|takeUnless)$/;

/** Parameters of a lambda, `it` included, where the call says what they are. */
const lambdaRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  sink.closure(start, end);
  const text = source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH));
  const match = /^\{\s*((?:[\w(),:.<>?\s])*?)\s*->/.exec(text);
  const { accessPath } = sink.accessPathBefore(start);
  const call = /^(.+)\.(\w+)(?:\(\))?$/.exec(accessPath);
  const given = call === null ? '' : EACH.test(call[2]) ? `${call[1]}[]` : ITSELF.test(call[2]) ? call[1] : '';
  if (match === null || match[1].includes('when')) {
    sink.local(start + 1, 'it', '', given);
    return;
  }
  const parts = declarationsIn(sink, start, start + match[0].length - 1);
  for (const part of parts) {
    if (source[part.start] === '(')
      for (const name of source.slice(part.start, part.end).matchAll(/\w+/g))
        sink.local(part.start + name.index, name[0], '', '');
    const { name, type } = typed(sink, part.start, part.end);
    if (name !== '') sink.local(part.start, name, type, parts.length === 1 && type === '' ? given : '');
  }
};

const catchRule: NodeRule = ({ start, end }, sink) => {
  const match = /\(\s*(\w+)\s*:\s*([\w.]+)/.exec(sink.source.slice(start, Math.min(end, start + 200)));
  if (match !== null) sink.local(start + match.index + 1, match[1], match[2], '');
};

const whenRule: NodeRule = ({ start, end }, sink) => {
  const match = /^\(\s*val\s+(?=\w)/.exec(sink.source.slice(start, Math.min(end, start + 100)));
  if (match === null) return;
  const { name, type, value } = typed(sink, start + match[0].length, end - 1);
  sink.local(start + match[0].length, name, type, value);
};

/** `::show`, `Cart::total`, `Cart::class`. */
const callableRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const text = source.slice(start, end).replace(/\s+/g, '');
  if (text.length > 200 || text.endsWith('::class')) return;
  const accessPath = text.replace(/^::/, '').replaceAll('::', '.');
  if (/^[\w.]+$/.test(accessPath))
    sink.reference(end - (/\w+$/.exec(accessPath)?.[0].length ?? 0), end, 'value', accessPath);
};

/** States the type of a cast: `(x as Cart).total()`. */
const castRule: NodeRule = ({ start, end, text }, sink) => {
  const type = /\bas\??\s+([\w.]+)[^()]*$/.exec(text.slice(-MAX_HEAD_LENGTH))?.[1];
  if (type !== undefined) sink.remember(end, start, `new ${type}()`);
};

/** `by inner { … }`: what the grammar takes for a lambda is the body of the class. */
const delegationRule: NodeRule = ({ start, text }, sink) => {
  const match = /\bby\s+(?:\w+\.)*(\w+)\s*\{/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null) sink.declared(start + match.index + match[0].lastIndexOf(match[1]));
};

export const kotlin: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    import_header: importRule,
    package_header: packageRule,
    value_arguments: callRule,
    annotated_lambda: trailingLambdaRule,
    lambda_literal: lambdaRule,
    type_identifier: typeRule,
    annotation: annotationRule,
    property_declaration: propertyRule,
    for_statement: forRule,
    catch_block: catchRule,
    when_subject: whenRule,
    callable_reference: callableRule,
    as_expression: castRule,
    explicit_delegation: delegationRule,
  },
  brackets: ['value_arguments'],
  definition,
  values: /[(,=]\s*((?:this\.)?[A-Za-z_]\w*(?:\.\w+)*)\s*(?=[,)\n])/g,
  ignoredTypes: new Set(
    'String Int Long Short Byte Float Double Boolean Char Unit Any Nothing Number CharSequence Throwable Exception'.split(
      ' ',
    ),
  ),
};
