/**
 * All languages, by id: those with a folder, and those that are known by name only. Light; rules are loaded when the first file of a
 * language turns up.
 */
import * as c from './c/index.js';
import { csharp } from './csharp/index.js';
import { dart } from './dart/index.js';
import * as data from './data/index.js';
import * as ecmascript from './ecmascript/index.js';
import { elixir } from './elixir/index.js';
import { go } from './go/index.js';
import { haskell } from './haskell/index.js';
import { LANGUAGE_IDS, type LanguageId } from './ids.js';
import * as jvm from './jvm/index.js';
import { type Conventions, type Language, type ParsingRules, type Semantics, semantics, words } from './language.js';
import { lua } from './lua/index.js';
import { blade, php, twig } from './php/index.js';
import { python } from './python/index.js';
import type { PlainChunkKind } from './roles/definitions.js';
import { erb, haml, ruby } from './ruby/index.js';
import { rust } from './rust/index.js';
import { bash } from './shell/index.js';
import { sql } from './sql/index.js';
import { swift } from './swift/index.js';
import * as tagged from './tagged/index.js';
import * as web from './web/index.js';

// Languages that are known by name only, one row each: their files are cut by lines, and nothing links them. A language that gets rules,
// imports or semantics moves into a folder of its own.

type Row = [
  plain: PlainChunkKind,
  extensions: string,
  names?: string,
  interpreters?: string,
  more?: Pick<Language, 'namePattern' | 'contentStart' | 'contentLanguage' | 'sharedExtensions' | 'conventions'>,
];

const DATA = { pathClass: 'data' } as const;
const DOCUMENT = { pathClass: 'document' } as const;

/** Lists are separated by spaces. */
const ROWS = {
  raku: ['code', 'raku rakumod p6 pm6', '', 'raku'],
  gleam: ['code', 'gleam'],
  reason: ['code', 're rei res resi'],
  fsharp: ['code', 'fs fsi fsx'],
  visualbasic: [
    'code',
    'vb vbs bas frm',
    '',
    '',
    { sharedExtensions: ['cls'], contentStart: /^VERSION [\d.]+ (?:CLASS|FORM)\b|^Attribute VB_Name\b/ },
  ],
  nim: ['code', 'nim nims nimble'],
  d: ['code', 'd di'],
  v: [
    'code',
    'vsh',
    '',
    '',
    { sharedExtensions: ['v'], contentStart: /^\s*(?:\/\/[^\n]*\n\s*)*module [a-z_]\w*\r?\n/ },
  ],
  crystal: ['code', 'cr', '', 'crystal'],
  cobol: ['code', 'cob cbl cpy'],
  pascal: ['code', 'pas pp dpr lpr'],
  ada: ['code', 'adb ads'],
  vhdl: ['code', 'vhd vhdl'],
  lisp: ['code', 'lisp lsp cl asd', '', 'sbcl'],
  scheme: ['code', 'scm ss rkt'],
  emacslisp: ['code', 'el', '.emacs'],
  prolog: [
    'code',
    'prolog',
    '',
    '',
    {
      sharedExtensions: ['pro'],
      contentStart: /^(?:\s|%[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?::-|[a-z]\w*\([^()\n]*\)\s*(?::-|\.))/,
    },
  ],
  tcl: ['code', 'tcl', '', 'tclsh wish'],
  awk: ['code', 'awk', '', 'awk gawk'],
  fish: ['code', 'fish', '', 'fish'],
  batch: ['code', 'bat cmd'],
  applescript: ['code', 'applescript', '', 'osascript'],
  vim: ['code', 'vim', '.vimrc .gvimrc _vimrc'],
  move: ['code', 'move'],
  cairo: ['code', 'cairo'],
  apex: [
    'code',
    'apex trigger',
    '',
    '',
    {
      sharedExtensions: ['cls'],
      contentStart:
        /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n|@\w+(?:\([^()]*\))?)*(?:global|(?:public|private)\s+(?:(?:virtual|abstract)\s+)?(?:with|without|inherited)\s+sharing)\s/i,
    },
  ],
  haxe: ['code', 'hx'],
  purescript: ['code', 'purs'],
  agda: ['code', 'agda'],
  lean: ['code', 'lean'],
  livescript: ['code', 'ls'],
  actionscript: ['code', 'as'],
  gdscript: ['code', 'gd'],
  wgsl: ['code', 'wgsl'],
  metal: ['code', 'metal'],
  matlab: ['code', 'mlx'],
  thrift: ['code', 'thrift'],
  capnp: ['code', 'capnp'],
  flatbuffers: ['code', 'fbs'],
  prisma: ['code', 'prisma'],
  bicep: ['code', 'bicep'],
  starlark: ['code', 'bazel'],
  meson: ['code', '', 'meson.build meson_options.txt meson.options'],
  autoconf: ['code', 'ac am m4', 'configure.ac configure.in makefile.am'],
  ninja: ['code', 'ninja'],
  just: ['code', 'just', 'justfile .justfile'],
  earthly: ['code', '', 'earthfile'],
  procfile: ['data', '', 'procfile'],
  regex: ['code', 'rl'],
  // A drawing has no definitions, and an icon set of two megabytes takes seconds to parse.
  svg: ['markup', 'svg', '', '', { conventions: DATA }],
  handlebars: ['markup', 'hbs handlebars mustache'],
  ejs: ['markup', 'ejs eta'],
  pug: ['markup', 'pug jade'],
  eex: ['markup', 'eex leex heex'],
  razor: ['markup', 'cshtml razor aspx ascx jsp jspx'],
  stylus: ['style', 'styl'],
  dotenv: ['data', 'env', '.env .env.example .env.sample .env.template', '', { namePattern: /^\.env\./ }],
  ignore: [
    'data',
    '',
    '.gitignore .gitattributes .dockerignore .npmignore .eslintignore .prettierignore .hgignore .gcloudignore .helmignore codeowners .mailmap .git-blame-ignore-revs',
    '',
    { conventions: DATA },
  ],
  csv: ['data', 'csv tsv psv'],
  gomod: ['data', '', 'go.mod go.sum go.work go.work.sum'],
  lockfile: ['data', 'lock lockb', 'yarn.lock gemfile.lock mix.lock pubspec.lock podfile.lock package.resolved'],
  requirements: [
    'data',
    '',
    'requirements.txt constraints.txt requirements-dev.txt',
    '',
    { namePattern: /^requirements[\w.-]*\.txt$/ },
  ],
  cddl: ['code', 'cddl'],
  ebnf: ['code', 'ebnf bnf abnf g4 peg pest lalrpop'],
  org: ['text', 'org'],
  typst: ['text', 'typ'],
  man: ['text', '1 2 3 4 5 6 7 8 man mdoc'],
  texinfo: ['text', 'texi texinfo'],
  diff: ['data', 'diff patch'],
  po: ['data', 'po pot'],
  subtitles: ['text', 'srt vtt'],
  log: ['text', 'log'],
  text: [
    'text',
    'txt text',
    'license licence copying notice authors contributors maintainers todo news install version patents copyright unlicense',
    '',
    { namePattern: /^(?:licen[cs]e|copying|notice)[.-]/, conventions: DOCUMENT },
  ],
} satisfies Partial<Record<LanguageId, Row>>;

type NamedOnly = keyof typeof ROWS;

const NAMED_ONLY = Object.fromEntries(
  Object.entries<Row>(ROWS).map(([id, [plain, extensions, names = '', interpreters = '', more]]) => [
    id,
    { id, plain, extensions: words(extensions), names: words(names), interpreters: words(interpreters), ...more },
  ]),
) as Record<NamedOnly, Language>;

export { LANGUAGE_IDS, type LanguageId } from './ids.js';
export type { Language } from './language.js';

const { ECMASCRIPT_SEMANTICS: _, ...SCRIPTS } = ecmascript;
/** The compiler checks that every id has its declaration. */
const DECLARED: Readonly<Record<LanguageId, Language>> = {
  ...NAMED_ONLY,
  ...{ ...c, ...data, ...SCRIPTS, ...jvm, ...tagged, ...web },
  ...{ bash, blade, csharp, dart, elixir, erb, go, haml, haskell, lua, php, python, ruby, rust, sql, swift, twig },
};

const BY_ID = new Map<string, Language>(LANGUAGE_IDS.map((id) => [id, DECLARED[id]]));

/** The language of files of which nothing else is known. */
export const PLAIN_TEXT: LanguageId = 'text';

/** In the order of their ids. */
export function allLanguages(): Iterable<Language> {
  return BY_ID.values();
}

/** The language with that id; undefined for an unknown id, since records and settings can hold any. */
export function languageOf(id: string): Language | undefined {
  return BY_ID.get(id);
}

/** Adds a language, after all others. Tests add made-up ones; ids of real languages are in `ids.ts`. */
export function register(language: Omit<Language, 'id'> & { id: string }): void {
  if (BY_ID.has(language.id)) throw new Error(`the language ${language.id} exists`);
  BY_ID.set(language.id, language as Language);
}

const NO_CONVENTIONS: Conventions = {};

export function conventionsOf(id: string): Conventions {
  return BY_ID.get(id)?.conventions ?? NO_CONVENTIONS;
}

/** Languages without semantics of their own are linked within each file. */
export function semanticsOf(id: string): Semantics {
  return BY_ID.get(id)?.semantics ?? semantics({ family: id });
}

/** Do two languages use each other's definitions? */
export function sameFamily(id: string, other: string): boolean {
  return id === other || familyOf(id) === familyOf(other);
}

function familyOf(id: string): string {
  return BY_ID.get(id)?.semantics?.family ?? id;
}

/** Are imports and uses collected from files of that language? Of other files a graph only knows that they exist. */
export function hasRelations(id: string): boolean {
  return relationsOf(id) === true;
}

/** Templates whose code is not read, each with languages of the code that it may use. A graph only knows that such files exist. */
const UNREAD_PAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['razor', ['csharp', 'java', 'kotlin']],
  ['ejs', ['javascript']],
  ['handlebars', ['javascript']],
  ['pug', ['javascript']],
  ['eex', ['elixir']],
]);

/** Is `page` the language of templates that may use code in another language, and that are not read? */
export const isUnreadPage = (page: string, id: string): boolean =>
  UNREAD_PAGES.get(page)?.some((code) => sameFamily(code, id)) ?? false;

export function relationsOf(id: string): NonNullable<Language['relations']> {
  return BY_ID.get(id)?.relations ?? false;
}

// Rules for parsing, loaded when the first file of a language turns up: loading all takes longer than a search

const LOADED = new Map<string, ParsingRules>();
const NO_RULES: ParsingRules = {};

/** Loads the rules of a language and of the scripts in its files. Must be awaited before `rulesOf`. */
export async function loadRules(id: string): Promise<void> {
  if (LOADED.has(id)) return;
  const language = languageOf(id);
  const [rules] = await Promise.all([language?.rules?.(), ...(language?.scripts ?? []).map(loadRules)]);
  LOADED.set(id, rules ?? NO_RULES);
}

export async function loadAllRules(): Promise<void> {
  await Promise.all([...allLanguages()].map(({ id }) => loadRules(id)));
}

/** Rules that `loadRules` has loaded; none for a language that is cut by lines. */
export function rulesOf(id: string): ParsingRules {
  const rules = LOADED.get(id);
  if (rules === undefined && languageOf(id)?.rules !== undefined) throw new Error(`rules of ${id} are not loaded`);
  return rules ?? NO_RULES;
}
