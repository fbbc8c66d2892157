/**
 * Classes of files that rank lower unless the query asks for them, recognised by path and by the shard's flags, the order in which a reader
 * wants files, and the paths to rules of who may do what.
 */
import { addTo } from '../base/lists.js';
import { detectLanguage } from '../languages/detect.js';
import { allLanguages, conventionsOf, PLAIN_TEXT } from '../languages/registry.js';
import { UNIT_FORWARDING, UNIT_GENERATED } from '../shard/lexical-format.js';
import type { CatalogFile, LiveSet } from '../shard/live-set.js';
import type { PathClass } from './corpus.js';

interface Rule {
  class: PathClass;
  pattern: RegExp;
}

/** The first match wins. Directory names are whole segments, so neither `latest/` nor `contest.py` is a test. */
const RULES: readonly Rule[] = [
  {
    class: 'vendored',
    pattern:
      /\/(?:node_modules|vendor|vendored|third[_-]?party|3rd[_-]?party|bower_components|single[_-]?(?:include|header)s?|amalgamation)\//,
  },
  {
    class: 'generated',
    pattern: oneOf([
      /\/(?:generated|__generated__|gen)\/|[._-](?:generated|pb2?|g)\.[a-z]+$/,
      ...pathsOf('generatedPath'),
    ]),
  },
  // Files that autoconf, automake and libtool leave in a release: thousands of lines about everything.
  {
    class: 'generated',
    pattern:
      /\/(?:configure|config\.(?:guess|sub|h\.in)|aclocal\.m4|ltmain\.sh|install-sh|depcomp|missing|compile|ylwrap|test-driver|makefile\.in)$/,
  },
  {
    class: 'test',
    pattern:
      /\/(?:tests?|__tests(?:__)?|specs?|testing|testdata|test[_-]?(?:data|utils?|helpers?|fixtures?|suite)|unit[_-]?tests?|e2e|integration[_-]?tests?|fixtures?|__fixtures__|__mocks__|mocks?|(?:common|jvm|js|native|android|ios|desktop)test)\/|[._-](?:test|tests|spec|e2e|test-d|mock)\.[a-z]+$|\/(?:test_|tests?\.|conftest\.)[^/]*$|_(?:(?:unit|browser)?tests?|spec)\.[a-z]+$/,
  },
  {
    class: 'example',
    pattern:
      /\/(?:examples?|samples?|demos?|tutorials?|playgrounds?|docs?_src|benchmarks?|bench|www|website)\/|\.stories\.[a-z]+$/,
  },
  // Libraries that were copied as they were released: a folder or script with a whole version in its name, and what sites are served with.
  {
    class: 'vendored',
    pattern:
      /\/[a-z][^/]{0,60}[-_@]v?\d{1,3}\.\d{1,3}\.\d{1,3}(?:\.[a-z]{1,9}){0,3}(?:\/|\.[cm]?js$)|\/(?:public|static|assets|plugins|wwwroot)\/(?:[^/]{1,60}[-_@]v?\d{1,3}\.\d{1,3}|vendors|pods)\//,
  },
  {
    class: 'legacy',
    pattern:
      /\/(?:legacy|compat|deprecated|old|obsolete|polyfills?|v\d+-compat)\/|[._-](?:legacy|compat|deprecated)\.[a-z]+$/,
  },
  { class: 'declaration', pattern: oneOf(pathsOf('declarationPath')) },
  {
    class: 'document',
    pattern:
      /\/(?:docs?|documentation|changelogs?)\/|\.(?:md|mdx|rst|adoc|txt|html?)$|\/(?:changelog|changes|history|news|authors|license|copying)(?:[-_][^/.]*)?$/,
  },
  {
    class: 'data',
    pattern:
      /\.(?:json|jsonc|json5|ya?ml|toml|xml|csv|tsv|properties|ini|lock|lockfile|svg|po|pot|strings|stringsdict|xcstrings|resx|resw|arb|xlf|xliff|ftl)$|\/(?:go\.sum|package\.resolved)$/,
  },
  // Sources that a program reads as its resources.
  {
    class: 'data',
    pattern: /\/src\/(?:[^/]{1,60}\/)?resources\/(?:[^/]{1,100}\/){0,20}[^/]{1,100}\.(?:java|kts?|scala|groovy)$/,
  },
  // Catalogues of translations that are written as code. Their texts have the words of every question.
  {
    class: 'data',
    pattern:
      /\/(?:locales?|i18n|l10n|translations?|lang|langs)\/(?:[^/]*\/)?(?:messages[._-])?(?:de|en|es|fr|it|ja|ko|nl|pt|ru|zh|[a-z]{2}[-_](?:[a-z]{2}|hans|hant))(?:\/[^/]+)?\.[a-z]+$/,
  },
];

/** Case-sensitive suffixes of test classes, such as `UserTest.java`, so that `latest.kt` and `contest.java` stay source. */
const CAPITAL_TEST = oneOf(pathsOf('testPath'));

/** Folders in which Maven and Gradle keep the product: `src/main/java/TypeSpec.java` is no test, whatever its name. */
const PRODUCT = /(?:^|\/)src\/(?:main|\w{1,20}Main)\//;

/** Patterns of one sort, of all languages. */
function pathsOf(sort: 'testPath' | 'generatedPath' | 'declarationPath'): RegExp[] {
  return [...allLanguages()].flatMap(({ conventions }) => conventions?.[sort] ?? []);
}

/** Joins patterns into one expression, since every path of a snapshot is tried. */
function oneOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp([...new Set(patterns.map(({ source }) => source))].join('|'));
}

/** Returns the class of every file of the live set. `entries`: their catalog entries. */
export function classifyFiles(live: LiveSet, entries: readonly CatalogFile[]): PathClass[] {
  const superseded = supersededDirectories(entries);
  return entries.map((entry, file) => {
    const own = classifyPath(entry, live.files.unitFlags(file), live.files.language(file));
    return own === 'source' && superseded.some((directory) => `/${entry.path}`.startsWith(directory)) ? 'legacy' : own;
  });
}

const VERSION_DIRECTORY = /^(.*\/)v(\d+)\/([^/]+)/;

/**
 * Returns the directories named after a version that another one replaces: `v3/` next to `v4/`, or `v1/` if most of its files have a
 * namesake in the parent directory.
 */
export function supersededDirectories(files: readonly Pick<CatalogFile, 'path'>[]): string[] {
  const versions = new Map<string, Set<number>>();
  const names = new Map<string, string[]>();
  const paths = new Set(files.map((file) => `/${file.path}`));
  for (const path of paths) {
    const match = VERSION_DIRECTORY.exec(path);
    if (match === null) continue;
    const [, parent, version, name] = match;
    versions.set(parent, (versions.get(parent) ?? new Set()).add(Number(version)));
    addTo(names, `${parent}v${version}/`, name);
  }
  const found: string[] = [];
  for (const [parent, numbers] of versions) {
    for (const number of numbers) {
      const directory = `${parent}v${number}/`;
      const twins = (names.get(directory) ?? []).filter((name) => paths.has(parent + name)).length;
      const replaced = number < Math.max(...numbers) || twins * 2 > (names.get(directory) ?? []).length;
      if (replaced) found.push(directory);
    }
  }
  return found;
}

/** Class of one file. `flags` and `language` are those of its unit. */
export function classifyPath(file: CatalogFile, flags: number, language = file.language ?? ''): PathClass {
  if (file.vendored) return 'vendored';
  if (file.generated || (flags & UNIT_GENERATED) !== 0) return 'generated';
  const named = classByName(file.path);
  if (named !== null) return named;
  if ((flags & UNIT_FORWARDING) !== 0) return 'forwarding';
  return conventionsOf(language).pathClass ?? 'source';
}

/** Class by path alone; null if the path does not show it. */
export function classByName(path: string): PathClass | null {
  if (CAPITAL_TEST.test(path) && !PRODUCT.test(path)) return 'test';
  const lower = `/${path.toLowerCase()}`;
  return RULES.find(({ pattern }) => pattern.test(lower))?.class ?? null;
}

/** Accepts paths of one of the classes, and of none with "!". */
export function classTest(classes: readonly string[]): (path: string) => boolean {
  const wanted = new Set(classes.filter((each) => !each.startsWith('!')));
  const excluded = new Set(classes.filter((each) => each.startsWith('!')).map((each) => each.slice(1)));
  return (path) => {
    const own = classByName(path) ?? 'source';
    return (wanted.size === 0 || wanted.has(own)) && !excluded.has(own);
  };
}

/** Classes in the order in which a reader wants them. All other classes come last. */
const TURNS: readonly PathClass[] = ['source', 'declaration', 'test', 'example', 'legacy', 'document'];

/** Names of files that are not code, in any folder, though a language claims some of them. */
const PLAIN = /\.(?:lock|sum|cfg|conf|env|mod)$|(?:^|\/)(?:[A-Z]+|[A-Z]\w+file)$/;

/** Folders and files that programs keep their settings in: `.github/workflows/test.yml` is no test. */
const HIDDEN = /(?:^|\/)\./;

/** Sorts code first, then its tests, then text about it. The sort is stable, so that the order within a class stays. */
export function codeFirst<T>(all: readonly T[], pathOf: (each: T) => string): T[] {
  const placed = all.map((each) => ({ each, turn: turnOf(pathOf(each)) }));
  return placed.sort((a, b) => a.turn - b.turn).map(({ each }) => each);
}

function turnOf(path: string): number {
  const turn = HIDDEN.test(path) ? -1 : TURNS.indexOf(classByName(path) ?? classByLanguage(path));
  return turn < 0 ? TURNS.length : turn;
}

/** Data is also what no language claims, such as `MANIFEST.in`, and what only describes a package, such as `cart.gemspec`. */
function classByLanguage(path: string): PathClass {
  const language = detectLanguage(path) ?? PLAIN_TEXT;
  const { pathClass, toolPath } = conventionsOf(language);
  const isCode = language !== PLAIN_TEXT && !PLAIN.test(path) && toolPath?.test(path) !== true;
  return isCode ? (pathClass ?? 'source') : 'data';
}

/** Words of paths to rules of who may do what; the others have more meanings. */
const PERMISSION = partsOfNames(
  'polic(?:y|ies) abilit(?:y|ies) permissions? privileges? acls? authori(?:ty|[sz]ation|[sz]ers?) authz rbac voters? guards?',
);
const LIKELY = partsOfNames('access roles? rules? casl gates?');
/** These set permissions once, for what is stored. */
const MIGRATION = /(?:^|\/)(?:db\/migrate|migrations|upgrades)\//;

/** Matches words as parts of names in any style: `AlbumPolicy.php`, `space-ability.factory.ts`. */
function partsOfNames(words: string): RegExp {
  const each = (word: string) => `(?:(?<![A-Za-z])${word[0]}|${word[0].toUpperCase()})${word.slice(1)}(?![a-z])`;
  return new RegExp(words.split(' ').map(each).join('|'));
}

/** How surely a path is one to rules of who may do what, 0 to 1. */
export const saysPermission = (path: string): number =>
  MIGRATION.test(path) ? 0 : PERMISSION.test(path) ? 1 : LIKELY.test(path) ? 0.5 : 0;
