/**
 * Facts of C# read from the text of declarations, and namespaces that one file, or the project's own file, imports into
 * all files of a project.
 */
import {
  angleEnd,
  declarationsIn,
  MAX_HEAD_LENGTH,
  nameFrom,
  parents,
  skipModifiers,
  typeBeforeName,
  typeEnd,
  typeParameters,
  typeReferences,
} from '../roles/declarations.js';
import { append, directoryOf, type Project } from '../roles/project.js';
import type { DefinitionView, FactSink, LexicalConventions } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';

export const LEXICAL: LexicalConventions = {
  joins: ['?.', '::', '.'],
  nameExtra: '@',
  postfix: '!',
  prefixes: ['await', 'ref'],
  newWord: 'new',
  typeArguments: '<>',
  literals: true,
  root: (name) => (name === 'base' ? 'super' : name),
  quotes: '"\'',
  lineComments: ['//', '#'],
  blockComment: ['/*', '*/'],
};

export const MODIFIER =
  /\[|(?:public|protected|private|internal|static|readonly|const|abstract|virtual|override|sealed|async|partial|extern|unsafe|volatile|required|file|ref|out|in|params|this|scoped|fixed|using|await|event|new)\b(?!\s*[=,;)(.])/y;

/** `Money x = new(1)` makes an instance of the declared type. */
export function targetTyped(sink: FactSink, at: number, to: number, type: string): string {
  const match = /^\s*=\s*(new\s*\()/.exec(sink.source.slice(at, Math.min(to, at + 100)));
  const name = /^[\w.]+/.exec(type)?.[0];
  if (match === null || name === undefined) return '';
  const open = at + match[0].length - 1;
  const close = sink.closing(open, to);
  const where = at + match[0].length - match[1].length;
  sink.reference(where, close, 'new', name, { args: sink.arguments(open, close).count });
  sink.remember(close, where, `new ${name}()`);
  return `new ${name}()`;
}

/** Types of functions whose first type argument is the type of the argument that the function gets. */
const FUNCTIONAL =
  /^(?:\w+\.)*(?:Expression<)?(?:Action|Predicate|Comparison|Func(?=<[^<>]*(?:<[^<>]*>)?[^<>]*,))<\s*([\w@.]+(?:<[^<>]*>)?)/;

export function addParameters(sink: FactSink, open: number, close: number, place: 'local' | 'field'): void {
  const { source } = sink;
  let functional: { at: number; type: string } | null = null;
  for (const part of declarationsIn(sink, open, close)) {
    const declared = typeBeforeName(sink, part.start, part.end, MODIFIER);
    if (declared === null || declared.name === '') {
      const name = nameFrom(source, part.start);
      if (name.length === part.end - part.start) sink.local(part.start, name, '', '');
      continue;
    }
    const { nameAt, name, type } = declared;
    typeReferences(sink, source.lastIndexOf(type, nameAt), nameAt - 1);
    sink[place](nameAt, name, type, '');
    const given = FUNCTIONAL.exec(type)?.[1];
    if (given !== undefined) functional = { at: nameAt, type: given };
    // An extension method is called on its first parameter.
    if (/^(?:\[[^\]]*\]\s*)?this\b/.test(source.slice(part.start, nameAt))) sink.local(nameAt, 'this', type, '');
  }
  if (functional !== null) sink.given(functional.at, '{}', functional.type);
}

const GLOBAL_TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'enum', 'type']);

/** Does the file have a namespace with braces? A type at top level is outside of it. */
function hasBlockNamespace(source: string): boolean {
  return /^[ \t]*namespace\s+[\w.]+\s*\{/m.test(source);
}

export function definition(view: DefinitionView, sink: FactSink): void {
  const { kind, name, start, nameStart, nameEnd, signatureEnd, end } = view;
  const { source } = sink;
  if (kind === 'namespace') sink.import(nameStart, nameEnd, 'declare', name.replace(/\s+/g, ''));
  else if (kind === 'class' || kind === 'interface' || kind === 'struct') typeDefinition(view, sink);
  else if (kind === 'enum-member') sink.field(nameStart, name, '', 'this');
  if (view.container === null && GLOBAL_TYPES.has(kind) && hasBlockNamespace(source))
    sink.import(nameStart, nameEnd, 'declare', GLOBAL_NAMESPACE);
  if (kind !== 'method' && kind !== 'function' && kind !== 'property') return;
  const from = skipModifiers(sink, start, nameStart, MODIFIER);
  const to = typeEnd(sink, from, nameStart);
  const type = source.slice(from, to);
  if (type === '' || type === 'void') return;
  typeReferences(sink, from, to);
  if (kind === 'property') {
    const assigned = /\}\s*(=)\s*new\s*\(/.exec(source.slice(nameEnd, Math.min(end, nameEnd + MAX_HEAD_LENGTH)));
    const value = assigned === null ? '' : targetTyped(sink, nameEnd + assigned.index + 1, end, type);
    sink.field(nameStart, name, type, value);
    return;
  }
  if (source[nameEnd] === '<') typeParameters(sink, nameEnd, signatureEnd);
  sink.result(nameStart, type, '');
}

/** `class A<T>(Db db) : B<T>(db), IC where T : D`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(signatureEnd, nameEnd + MAX_HEAD_LENGTH);
  let at = nameEnd;
  if (source[at] === '<') at = typeParameters(sink, at, limit);
  at = skipSpace(source, at, limit, LEXICAL);
  if (source[at] === '(') {
    const close = sink.closing(at, limit);
    addParameters(sink, at, close, 'field');
    at = skipSpace(source, close, limit, LEXICAL);
  }
  if (source[at] !== ':') return;
  const where = source.slice(at, limit).search(/\bwhere\s+\w+\s*:/);
  const to = where === -1 ? limit : at + where;
  typeReferencesOfArguments(sink, at + 1, to);
  parents(sink, at + 1, to).forEach(({ accessPath, at: from, end }, index) => {
    // The grammar of the language does not show it, but the convention for names does.
    const isInterface =
      index > 0 || kind === 'struct' || /^I[A-Z]/.test(accessPath.slice(accessPath.lastIndexOf('.') + 1));
    // `: Base(x)` makes no second edge: the declaration already states the edge to the parent.
    const isMade = source[skipSpace(source, typeEnd(sink, from, to), to, LEXICAL)] === '(';
    if (isMade) sink.declared(from);
    const relation = kind !== 'interface' && isInterface ? 'implements' : 'extends';
    sink.reference(isMade ? end : from, end, relation, accessPath.replace(/^global\./, ''));
  });
}

function typeReferencesOfArguments(sink: FactSink, from: number, to: number): void {
  for (let open = sink.source.indexOf('<', from); open !== -1 && open < to; ) {
    const close = angleEnd(sink.source, open, to);
    if (close === -1) return;
    typeReferences(sink, open, close);
    open = sink.source.indexOf('<', close);
  }
}

/** Beginning of the specifier by which a file declares a `global using`. */
export const GLOBAL_USING = 'global using ';

/** Specifier of files with types in the global namespace beside types in others. */
export const GLOBAL_NAMESPACE = 'global::';

const INCLUDED = /<Using\s+Include="([\w.]+)"\s*\/?>/g;
/** Most usings of a project; one with more is generated. */
const MAX_USINGS = 500;

/** Namespaces by the directory below which they are imported. */
export function globalUsings(project: Project, language: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of project.filesOfLanguages([language])) {
    for (const declared of project.input.declared(file)) {
      if (!declared.startsWith(GLOBAL_USING)) continue;
      const directory = directoryOf(project.path(file)).replace(/(?:^|\/)Properties$/, '');
      append(found, directory, declared.slice(GLOBAL_USING.length));
    }
  }
  for (const [path, text] of project.input.manifests) {
    if (!/\.(?:csproj|props)$/.test(path)) continue;
    for (const [, namespace] of [...text.matchAll(INCLUDED)].slice(0, MAX_USINGS))
      append(found, directoryOf(path), namespace);
  }
  return found;
}
