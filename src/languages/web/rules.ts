/**
 * Rules of HTML and CSS: definitions, scripts, style sheets and other files that a page loads, and `@import`. SCSS and LESS have no grammar
 * here and are read by their braces.
 */
import { Packages, Probe } from '../ecmascript/packages.js';
import { templateFile, usesOf } from '../ecmascript/templates.js';
import { homes, splitPackage } from '../ecmascript/tsconfig.js';
import type { ParsingRules } from '../language.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { withoutMarks } from '../roles/masks.js';
import {
  baseName,
  directoryOf,
  external,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  join,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
  under,
} from '../roles/project.js';
import type { ImportedName, StatedImport } from '../roles/relation-facts.js';
import type { FactSink, RelationRules } from '../roles/relations.js';

const TAG = /<!--|<(script|link|style)\b([^<>]{1,2000})>/gi;
const SOURCE = /(?:^|\s)src\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const TARGET = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const LOADS = /(?:^|\s)rel\s*=\s*["']?[^"'>]*(?:stylesheet|preload|prefetch|icon|manifest|import)/i;
const MODULE = /(?:^|\s)type\s*=\s*["']?module/i;
/** Paths that a template engine writes, or that are no file. */
const NO_FILE = /\{\{|<%|\$\{|^#|^(?:data|javascript|about|blob):|^$/i;

/** Path that a tag with these attributes loads, null for none. */
export function loadedBy(tag: string, attributes: string): string | null {
  const isLink = tag.toLowerCase() === 'link';
  if (isLink && !LOADS.test(attributes)) return null;
  const match = (isLink ? TARGET : SOURCE).exec(attributes);
  const path = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  return NO_FILE.test(path) ? null : path;
}

/** `onclick="save(cart)"` */
const HANDLER = /\son[a-z]{3,30}\s*=\s*(?:"([^"<>]{1,1000})"|'([^'<>]{1,1000})')/gi;
const WORDS =
  /^(?:if|for|while|switch|return|function|typeof|catch|with|void|new|this|event|window|document|alert|confirm)\b/;

/** Functions that the handlers of a page call. */
function handlers(sink: FactSink): void {
  for (const match of sink.source.matchAll(HANDLER)) {
    const code = match[1] ?? match[2];
    const from = match.index + match[0].length - 1 - code.length;
    for (const { at, end, kind, path } of usesOf(code, from, (name) => (WORDS.test(name) ? null : name)))
      if (kind === 'call') sink.reference(at, end, kind, path);
  }
}

function text(sink: FactSink): void {
  const { source } = sink;
  handlers(sink);
  templateFile(sink);
  TAG.lastIndex = 0;
  for (let match = TAG.exec(source); match !== null; match = TAG.exec(source)) {
    const [all, tag, attributes] = match;
    if (tag === undefined) {
      const close = source.indexOf('-->', match.index);
      if (close === -1) return;
      TAG.lastIndex = close;
      continue;
    }
    const loaded = loadedBy(tag, attributes);
    if (loaded === null) continue;
    // All names of a plain script are known in the page.
    const isPlain = tag.toLowerCase() === 'script' && !MODULE.test(attributes);
    sink.import(match.index, match.index + all.length, isPlain ? 'include' : 'import', loaded);
  }
}

const htmlRelations: RelationRules = {
  lexical: { joins: [], quotes: '"\'', lineComments: [], blockComment: ['<!--', '-->'] },
  nodes: {},
  text,
};

const IMPORT = /^@import\s+(?:url\(\s*)?(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"');]+))/i;

const cssRelations: RelationRules = {
  lexical: { joins: [], quotes: '"\'', lineComments: [], blockComment: ['/*', '*/'] },
  nodes: {
    import_statement: ({ start, end, text }, sink) => {
      const match = IMPORT.exec(text);
      const specifier = match?.[1] ?? match?.[2] ?? match?.[3];
      if (specifier !== undefined) sink.import(start, end, 'import', specifier);
    },
  },
};

/** Longest import statement that is read to its end. UTF-16 units. */
const MAX_STATEMENT_LENGTH = 5_000;
/** Most files of one statement. */
const MAX_FILES = 200;
const STATEMENT = /^@(use|forward|import|plugin)\b\s*(?:\([\w\s,-]*\)\s*)?/;
const FILE = /\s*(?:url\(\s*)?(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"',;()]{1,200}))\s*\)?/y;

/** Imports of the statement `text`, which starts at `at`. */
export function styleImports(text: string, at: number): StatedImport[] {
  const statement = STATEMENT.exec(text);
  if (statement === null) return [];
  const imports: StatedImport[] = [];
  const head = text.slice(0, MAX_STATEMENT_LENGTH);
  FILE.lastIndex = statement[0].length;
  for (let match = FILE.exec(head); match !== null && imports.length < MAX_FILES; match = FILE.exec(head)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    const end = FILE.lastIndex;
    const kind = statement[1] === 'forward' ? 'reexport' : 'import';
    imports.push({
      at,
      end: at + text.length,
      kind,
      specifier,
      names: namesOf(statement[1], specifier, head.slice(end)),
    });
    const next = /\s*,/y;
    next.lastIndex = end;
    if (statement[1] !== 'import' || !next.test(head)) break;
    FILE.lastIndex = next.lastIndex;
  }
  return imports;
}

/** `@use` puts the names of a file behind its own; other imports make them usable as they are. */
function namesOf(word: string, specifier: string, rest: string): ImportedName[] {
  if (word === 'plugin') return [];
  if (word !== 'use') return [{ name: '*', alias: '' }];
  const written = /^\s*as\s+(\*|[\w-]+)/.exec(rest)?.[1];
  const last = specifier.split(/[/:]/).pop() ?? '';
  return [{ name: '*', alias: written === '*' ? '' : (written ?? last.replace(/^_|\.\w+$/g, '')) }];
}

/** Most sections of a page; more are of no use. */
const MAX_SECTIONS = 200;

const cssDefinitions: DefinitionRules = {
  definitions: [
    { node: 'rule_set', kind: 'selector', nameText: /([^{]{1,200}?)\s*\{/y, body: '>block', limit: 2_000 },
    {
      node: ['media_statement', 'supports_statement', 'at_rule'],
      kind: 'selector',
      nameText: /(@[^{;]{1,200}?)\s*\{/y,
      body: '>block',
      limit: 500,
    },
    {
      node: 'keyframes_statement',
      kind: 'selector',
      nameText: /(@[\w-]*keyframes\s+[^\s{]+)/y,
      body: '>keyframe_block_list',
    },
  ],
  imports: ['import_statement', 'charset_statement', 'namespace_statement'],
  comments: ['comment'],
  docs: { block: ['/*', '*/'] },
  exported: {},
};

/** Most characters that the grammar may read in vain: it looks for the end of each comment up to the end of the text. */
const MAX_SCANNED = 1_000_000;

/** Blanks an open comment that nothing closes, if it may take long: it goes to the end of the text, and nothing in it is read. */
function withoutOpenComments(text: string): string {
  const open = text.indexOf('<!--', Math.max(0, text.lastIndexOf('-->')));
  if (open === -1) return text;
  const most = MAX_SCANNED / (text.length - open);
  let count = 0;
  for (let at = open; at !== -1 && count <= most; at = text.indexOf('<!--', at + 1)) count++;
  return count <= Math.max(1, most) ? text : text.slice(0, open) + ' '.repeat(text.length - open);
}

const htmlDefinitions: DefinitionRules = {
  parsed: (text) => withoutOpenComments(withoutMarks(text)),
  definitions: [
    {
      node: 'element',
      kind: 'section',
      nameText:
        /<(?:h[1-6]\b[^>]{0,300}>\s*([^<\s](?:[^<]{0,148}[^<\s])?|(?<=\s))\s*<|[a-z][\w-]*\b[^>]{0,300}?\sid\s*=\s*["']([\w:.-]{1,100})["'])/iy,
      limit: MAX_SECTIONS,
    },
  ],
  comments: ['comment'],
  docs: {},
  exported: {},
};

export const html: ParsingRules = { definitions: htmlDefinitions, relations: htmlRelations };

export const css: ParsingRules = { definitions: cssDefinitions, relations: cssRelations };

/** Endings that the name of a style can leave out. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['scss', ['.scss', '.sass', '.css']],
  ['sass', ['.sass', '.scss', '.css']],
  ['less', ['.less', '.css']],
  ['css', ['.css', '.pcss']],
]);
const LOAD_ROOTS = ['', 'src', 'styles', 'src/styles', 'scss', 'src/scss', 'sass', 'assets', 'src/assets', 'app'];
const SERVED = ['', 'public', 'static', 'src', 'assets'];
/** `http:`, `data:`, `sass:math`; and `//host/x`. */
const URL_SCHEME = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i;

export const STYLES: ImportRules = {
  readsNames: false,
  create: (project) => new Styles(project),
};

export class Styles implements ImportResolver {
  private readonly packages: Packages;
  private readonly probe: Probe;
  private readonly known = new Map<string, Map<string, Resolution>>();

  constructor(private readonly project: Project) {
    this.packages = new Packages(project);
    this.probe = new Probe(project, 'javascript');
  }

  resolve(file: number, { specifier }: Specified): Resolution {
    const language = this.project.language(file);
    const byKey = getOrMake(this.known, this.project.directory(file), () => new Map<string, Resolution>());
    return getOrMake(byKey, `${language} ${specifier}`, () =>
      this.find(this.project.directory(file), language, specifier),
    );
  }

  /** `language`: its rules apply; the style blocks of a component may be in any. */
  find(directory: string, language: string, written: string): Resolution {
    if (URL_SCHEME.test(written)) return external(written.startsWith('//') ? written : written.split('/', 1)[0]);
    const specifier = written.split(/[?#]/, 1)[0];
    if (specifier === '') return UNRESOLVED;
    if (specifier.startsWith('/'))
      return this.below(homes(this.project, directory), SERVED, language, specifier) ?? UNRESOLVED;
    const isPackage = specifier.startsWith('~');
    const adjacent = isPackage ? null : this.at(directory, language, specifier);
    if (adjacent !== null) return adjacent;
    if (language === 'html' || specifier.startsWith('.')) return UNRESOLVED;
    const path = specifier.replace(/^~\/?/, '');
    const loaded = this.below(homes(this.project, directory), LOAD_ROOTS, language, path);
    return (
      (isPackage ? null : loaded) ?? this.inPackage(directory, language, path) ?? loaded ?? outside(specifier, path)
    );
  }

  private below(places: Iterable<string>, roots: readonly string[], language: string, path: string): Resolution | null {
    for (const home of places) {
      for (const root of roots) {
        const found = this.at(under(home, root), language, path);
        if (found !== null) return found;
      }
    }
    return null;
  }

  private inPackage(directory: string, language: string, path: string): Resolution | null {
    const [name, rest] = splitPackage(path);
    const found = name === '' ? null : this.packages.find(name, directory);
    if (found === null) return null;
    return (
      this.at(found.directory, language, rest) ??
      this.packages.entry(found, rest === '' ? '.' : `./${rest}`, this.probe)
    );
  }

  private at(directory: string, language: string, specifier: string): Resolution | null {
    const path = join(directory, specifier);
    if (path === null || path === '') return null;
    const endings = ENDINGS.get(language) ?? [];
    return this.project.firstAt([path, ...partials(path, endings), ...partials(`${path}/index`, endings)]);
  }
}

/** `x.scss` and `_x.scss`. */
function partials(path: string, endings: readonly string[]): string[] {
  const partial = under(directoryOf(path), `_${baseName(path)}`);
  return [
    ...(endings.length === 0 ? [] : [partial]),
    ...endings.flatMap((ending) => [path + ending, partial + ending]),
  ];
}

function outside(specifier: string, path: string): Resolution {
  const [name] = splitPackage(path);
  // A plain name is a neighbouring file as often as a package; only `~` and a scope show which.
  return name !== '' && (specifier.startsWith('~') || path.startsWith('@')) ? external(name) : UNRESOLVED;
}
