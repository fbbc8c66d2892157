/**
 * Templates that servers fill: ERB, Haml and Slim with code of Ruby, Blade with code of PHP, Twig. Their code is read by the rules of its
 * language, in a text of the same length. A template has no name of its own but its path, so a name of one is an import that may be missing.
 */
import { baseName, directoryOf, getOrMake, type Project, type Resolution, UNRESOLVED } from '../roles/project.js';
import type { FactSink } from '../roles/relations.js';

// Names of templates

/** Longest name of a template. */
const MAX_NAME = 150;
const ENDING = /(?:\.[a-z][a-z\d+]{1,9}){0,3}$/;

/** States that code uses the template of that name: `orders/show`, `orders.show`, `@Shop/show.html.twig`. */
export function useView(at: number, end: number, written: string, sink: FactSink): void {
  const path = written.replace(/^@?[\w!-]*::|^@[\w!-]+\/|^\/+/, '');
  const whole = path.includes('/') || /\.(?:twig|html|php|erb|haml|slim|txt)$/.test(path);
  const name = whole ? path.replace(ENDING, '') : path.replaceAll('.', '/');
  if (name.length > MAX_NAME || !/^[\w$/-]+$/.test(name)) return;
  named(at, end, name, '*', sink);
}

/** States that code uses the class in a file of that path, if there is one: `View/Components/Alert`. */
export function useClassAt(at: number, end: number, path: string, sink: FactSink): void {
  if (/^[\w/]{1,150}$/.test(path)) named(at, end, `/${path}`, path.slice(path.lastIndexOf('/') + 1), sink);
}

/** An import that may be missing, and a use of what it gives: the mark leaves it out where it gives nothing. */
function named(at: number, end: number, path: string, name: string, sink: FactSink): void {
  const alias = `|#${path}`;
  sink.import(at, end, 'dynamic', `|${path}`, [{ name, alias }]);
  sink.reference(at, end, name === '*' ? 'value' : 'new', alias);
}

/** `FormInput` of `form-input`. */
export function classOfTag(tag: string): string {
  return tag.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Folders in which the names of templates begin. */
const ROOT = /(?:^|\/)(?:views?|templates?|themes?\/[\w-]+|partials|components)$/;
const TEMPLATES: ReadonlySet<string> = new Set(['erb', 'haml', 'blade', 'twig', 'ruby', 'php', 'html']);

const known = new WeakMap<Project, Map<string, number[]>>();

/** Files by their names up to the first dot, without the mark of a partial one. */
function byStem(project: Project): Map<string, number[]> {
  return getOrMakeWeak(project, () => {
    const found = new Map<string, number[]>();
    for (const [file, { path, language }] of project.input.files.entries())
      if (TEMPLATES.has(language)) getOrMake(found, stemOf(path).replace(/^_/, ''), (): number[] => []).push(file);
    return found;
  });
}

function getOrMakeWeak(project: Project, make: () => Map<string, number[]>): Map<string, number[]> {
  const found = known.get(project) ?? make();
  known.set(project, found);
  return found;
}

const stemOf = (path: string): string => baseName(path).replace(/\..*$/, '');

/** Most files of one name that are looked at. */
const MAX_FILES = 500;

/** The files that the name of a template means in a file: those in its own folder of templates, else the nearest; also of a class. */
export function viewNamed(project: Project, file: number, specifier: string): Resolution {
  const from = project.path(file);
  const isClass = specifier.startsWith('|/');
  const name = specifier.slice(isClass ? 2 : 1);
  const stem = stemOf(name).replace(/^_/, '');
  const candidates = (byStem(project).get(stem) ?? []).slice(0, MAX_FILES).filter((other) => other !== file);
  if (candidates.length === 0) return UNRESOLVED;
  const fitting = candidates.filter((other) => isTemplate(project, other) !== isClass);
  const own = `${ownFolder(from)}/`.replace(/^\//, '');
  for (const wanted of isClass || name.includes('/')
    ? [name]
    : [own + name, `application/${name}`, `layouts/${name}`]) {
    const folder = directoryOf(wanted);
    const ending = folder === '' ? '/' : `/${folder}/`;
    const placed = fitting.filter((other) => `/${directoryOf(project.path(other))}/`.endsWith(ending));
    const rooted = isClass ? placed : placed.filter((other) => isRooted(project.path(other), ending));
    const usable = rooted.length > 0 ? rooted : placed.length === 1 ? placed : [];
    const found = project.nearest(from, ofForm(project, usable, name, isTemplate(project, file)));
    if (found.length > 0) return project.toFiles(found, 'path');
  }
  return UNRESOLVED;
}

/** `orders` for `app/controllers/orders_controller.rb` and for a template in that folder: below the folder where names begin. */
function ownFolder(path: string): string {
  const controller = /(?:^|\/)(?:controllers\/(.+)_controller|(?:mailers|cells)\/(.+))\.rb$/.exec(path);
  if (controller !== null) return controller[1] ?? controller[2];
  return /(?:^|\/)(?:views|templates)\/(?:(.+)\/)?[^/]+$/.exec(path)?.[1] ?? directoryOf(path);
}

/** Do names of templates begin in the folder around one whose path ends so? */
function isRooted(path: string, ending: string): boolean {
  const whole = `/${directoryOf(path)}/`;
  return ROOT.test(whole.slice(0, whole.length - ending.length));
}

/** Templates use parts (`_line`), other code whole ones. */
function ofForm(project: Project, files: readonly number[], name: string, fromTemplate: boolean): readonly number[] {
  const wantsPart = fromTemplate || stemOf(name).startsWith('_');
  const fitting = files.filter((file) => stemOf(project.path(file)).startsWith('_') === wantsPart);
  return fitting.length > 0 ? fitting : files;
}

function isTemplate(project: Project, file: number): boolean {
  const language = project.language(file);
  return (
    (language !== 'ruby' && language !== 'php') || /\.(?:jbuilder|builder|html\.php|phtml)$/.test(project.path(file))
  );
}

// Their code, in texts of the same length

/** A part of a text that is code; `by`: text of the same length in its place. */
type Code = readonly [start: number, end: number, by?: string];

/** Keeps the parts of a text that are code, each a statement of its own, and blanks the rest. */
function onlyCode(text: string, parts: readonly Code[]): string {
  const blank = text.replace(/[^\n\r]/g, ' ');
  const kept: string[] = [];
  let at = 0;
  for (const [start, end, by] of parts) {
    // The mark before a part gives its place to the end of the statement before.
    if (start <= at || blank[start - 1] !== ' ') continue;
    kept.push(blank.slice(at, start - 1), ';', by ?? text.slice(start, end));
    at = end;
  }
  return kept.join('') + blank.slice(at);
}

const ERB = /<%(?![%#])[=-]*((?:[^%]|%(?!>)){0,8000})%>/g;

/** The code of a text in ERB. */
export function rubyOfErb(text: string): string {
  const parts: Code[] = [];
  for (const { 0: whole, 1: code, index } of text.matchAll(ERB)) {
    const close = index + whole.length - 2;
    // The mark behind it ends the statement.
    parts.push([close - code.length, close - (code.endsWith('-') ? 1 : 0)], [close + 1, close + 1]);
  }
  return onlyCode(text, parts);
}

const TAG =
  /[ \t]*(?:[%.#][\w.#:%-]*|(?:a|abbr|address|article|aside|b|body|button|caption|code|dd|div|dl|dt|em|figure|footer|form|h[1-6]|header|i|img|input|label|legend|li|link|main|nav|ol|option|p|pre|script|section|small|span|strong|table|tbody|td|th|thead|time|title|tr|u|ul)\b[\w.#-]*)?/y;
/** Attributes of Slim: `a href=cart_path(cart) class="open"`. */
const SLIM_ATTRIBUTES = /(?:[ \t]+[\w:-]{1,40}=(?:"[^"\n]*"|'[^'\n]*'|[\w.@]+(?:\([^()\n]*\))?))*/y;
/** Marks that print or run the rest of a line. */
const RUNS = /[<>]*[ \t]*(?:(?:==?|[&!]=|~)['<>]*(?=[ \t@\w"'(])|-(?=[ \t@]))/y;
const LINE_BLOCK = /^([^\n]*)\bdo[ \t]*(\|[^|\n]*\|)[ \t]*$/;
const LINE_WORD = /^[ \t]*(?:if|elsif|unless|else|case|when|while|until|begin|rescue|ensure|end)\b/;
const INTERPOLATION = /#\{([^{}\n]{1,500})\}/g;

/** Adds the code in the attributes of a tag, `{ class: kind }` or `href=cart_path(cart)`, and returns the offset behind them. */
function attributes(text: string, from: number, parts: Code[]): number {
  if (text[from] === '{') {
    const end = closing(text, from + 1);
    if (end === -1) return from;
    parts.push([from, end]);
    return end;
  }
  SLIM_ATTRIBUTES.lastIndex = from;
  const written = SLIM_ATTRIBUTES.exec(text)?.[0] ?? '';
  for (const { 1: code, index } of written.matchAll(/=([a-z@][^\s"']*)/g))
    parts.push([from + index + 1, from + index + 1 + code.length]);
  return from + written.length;
}

/** The code of a text in Haml or Slim, where blocks have no end: each line is a statement. */
export function rubyOfHaml(text: string): string {
  const parts: Code[] = [];
  for (let at = 0; at < text.length; ) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text)?.[0] ?? '';
    let from = at + tag.length;
    const isComment = text.startsWith('/', from) || text.startsWith('-#', from);
    if (tag.trim() !== '' && !isComment) from = attributes(text, from, parts);
    let end = endOfLine(text, from);
    RUNS.lastIndex = from;
    const runs = isComment ? null : RUNS.exec(text);
    if (runs !== null) {
      // A list of arguments goes on behind a comma.
      while (/[,(]\s*$/.test(text.slice(Math.max(from, end - 20), end)) && end < text.length && end - from < MAX_LIST)
        end = endOfLine(text, end + 1);
      parts.push(statementOf(text, from + runs[0].length, end));
    } else if (!isComment)
      for (const { 1: code, index } of text.slice(from, end).matchAll(INTERPOLATION))
        parts.push([from + index + 2, from + index + 2 + code.length]);
    at = end + 1;
  }
  return onlyCode(text, parts);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The code between two offsets, without the word of a condition, and with its block closed. */
function statementOf(text: string, start: number, end: number): Code {
  const written = text.slice(start, end);
  const code = written.replace(LINE_WORD, (word) => ' '.repeat(word.length));
  const block = LINE_BLOCK.exec(code);
  const by = block === null ? code.replace(/\bdo[ \t]*$/, '') : `${block[1]}{${block[2]}}`;
  return [start, end, by.padEnd(written.length)];
}

const BLADE =
  /\{\{--|@?\{\{|@?\{!!|@(?:@|php\b(?!\s*\()|verbatim\b)|(?<![\w@])@(\w{2,40})[ \t]*\(|<\?(?:php\b|=)|<(?:x[-:]|livewire:)([\w.:-]{1,100})/g;
/** Ends of marks. */
const ENDS: Readonly<Record<string, string>> = {
  ...{ '{{--': '--}}', '{{': '}}', '@{{': '}}', '{!!': '!!}', '@{!!': '!!}' },
  ...{ '@php': '@endphp', '@verbatim': '@endverbatim', '<?php': '?>', '<?=': '?>' },
};
const NO_CODE: ReadonlySet<string> = new Set(['{{--', '@{{', '@{!!', '@verbatim', '@@']);
/** Directives with the name of a statement that can stand alone. */
const STATEMENTS: ReadonlySet<string> = new Set(['if', 'for', 'foreach', 'while']);
const OTHER_STATEMENTS: ReadonlyMap<string, string> = new Map([
  ['elseif', 'if'],
  ['forelse', 'foreach'],
]);
const WORDS =
  /^(?:switch|case|empty|isset|unset|class|include|extends|use|list|print|echo|const|declare|default|function|static|var|yield|php|unless|env)$/;
/** Longest list of a directive, and longest attribute. */
const MAX_LIST = 4_000;

/** The code of a text in Blade: directives are calls or statements. */
export function phpOfBlade(text: string): string {
  const parts: Code[] = [];
  const never = new Set<string>();
  BLADE.lastIndex = 0;
  for (let match = BLADE.exec(text); match !== null; match = BLADE.exec(text)) {
    const [mark, directive, tag] = match;
    const from = match.index + mark.length;
    if (tag !== undefined) BLADE.lastIndex = attributesOf(text, from, parts);
    else if (directive !== undefined) {
      const end = closing(text, from);
      if (end === -1) continue;
      const start = match.index + 1;
      const word = OTHER_STATEMENTS.get(directive) ?? (WORDS.test(directive) ? 'x' : directive);
      const by = word === directive || STATEMENTS.has(directive) ? undefined : word.padEnd(directive.length);
      parts.push([start, end, by === undefined ? undefined : by + text.slice(start + directive.length, end)]);
      BLADE.lastIndex = end;
    } else if (mark !== '@@') {
      const ending = ENDS[mark];
      const end = never.has(ending) ? -1 : text.indexOf(ending, from);
      if (end === -1) {
        never.add(ending);
        continue;
      }
      if (!NO_CODE.has(mark)) parts.push([from, end]);
      BLADE.lastIndex = end + ending.length;
    }
  }
  return onlyCode(text, parts);
}

/** Offset behind the bracket that closes the one before `from`; -1 if it is far away. */
function closing(text: string, from: number): number {
  let depth = 1;
  const last = Math.min(text.length, from + MAX_LIST);
  for (let at = from; at < last; at++) {
    const char = text[at];
    if (char === '"' || char === "'") {
      const end = text.indexOf(char, at + 1);
      if (end === -1 || end > last) return -1;
      at = end;
    } else if (char === '(' || char === '{') depth++;
    else if ((char === ')' || char === '}') && --depth === 0) return at + 1;
  }
  return -1;
}

const ATTRIBUTE = /\s+(:{0,2})([\w.@:-]+)(?:=(?:"([^"]{0,2000})"|'([^']{0,2000})'))?/y;

/** Adds the attributes of a component that are code: `:total="$cart->total()"`. */
function attributesOf(text: string, from: number, parts: Code[]): number {
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (match === null) return at;
    const code = match[3] ?? match[4] ?? '';
    at = ATTRIBUTE.lastIndex;
    if (match[1] === ':' && code !== '') parts.push([at - 1 - code.length, at - 1]);
    else if (code.includes('{{')) return at - 1 - code.length;
  }
}
