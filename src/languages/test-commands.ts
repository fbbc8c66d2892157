/**
 * How tests are run: commands that run chosen test files, by the test runner that a repository uses, and the files that a test comes to
 * without an import. Paths are untrusted: each is quoted for a shell.
 */
import { shellWord } from '../base/printable.js';

/** A test to run; `symbol`: the test function, where one is known. */
export interface RunnableTest {
  path: string;
  language: string;
  symbol: string | null;
}

export interface TestCommand {
  /** Name of the runner, as people call it. */
  runner: string;
  /** For a shell in the top directory. */
  command: string;
  files: number;
}

/** Files of a repository that say which runner it uses. `read`: text of a file, null for none. */
export interface Project {
  has: (path: string) => boolean;
  read: (path: string) => Promise<string | null>;
}

/** Makes the arguments of a command from tests of one folder with a manifest (`''`: the top), whose paths start there. */
interface Runner {
  name: string;
  command: (tests: readonly RunnableTest[], folder: string) => string;
}

/** Most files that one command names: shells limit the length of a line. */
const MOST_FILES = 500;

/** Commands for the tests, in the order of the first test of each; tests without a known runner have none. */
export async function testCommands(tests: readonly RunnableTest[], project: Project): Promise<TestCommand[]> {
  const groups = new Map<string, { runner: Runner; folder: string; tests: RunnableTest[] }>();
  const runners = new Map<string, Promise<{ runner: Runner; folder: string } | null>>();
  for (const test of tests) {
    const folder = test.path.slice(0, Math.max(0, test.path.lastIndexOf('/')));
    const key = `${test.language} ${folder}`;
    const found = await (runners.get(key) ?? runnerFor(test, folder, project));
    runners.set(key, Promise.resolve(found));
    if (found === null) continue;
    const id = `${found.runner.name} ${found.folder}`;
    const group = groups.get(id) ?? { ...found, tests: [] };
    groups.set(id, group);
    if (group.tests.length < MOST_FILES) group.tests.push(test);
  }
  return [...groups.values()].map(({ runner, folder, tests: own }) => {
    const inside = own.map((test) => ({
      ...test,
      path: folder === '' ? test.path : test.path.slice(folder.length + 1),
    }));
    const command = runner.command(inside, folder);
    const change = folder === '' ? '' : `cd ${argument(folder)} && `;
    return { runner: runner.name, command: change + command, files: new Set(own.map(({ path }) => path)).size };
  });
}

/** A path that no program takes for an option. */
const argument = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path);
const paths = (tests: readonly RunnableTest[]): string =>
  [...new Set(tests.map(({ path }) => argument(path)))].join(' ');
const onPaths = (name: string, start: string): Runner => ({ name, command: (tests) => `${start} ${paths(tests)}` });
const stem = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
const stems = (tests: readonly RunnableTest[]): string[] => [...new Set(tests.map(({ path }) => stem(path)))];

const PYTEST = onPaths('pytest', 'python -m pytest');
const NODE = onPaths('node:test', 'node --test');
const RSPEC = onPaths('RSpec', 'bundle exec rspec');
const MINITEST: Runner = {
  name: 'minitest',
  command: (tests) =>
    `ruby -Ilib -Itest -e ${shellWord('ARGV.each { |file| require File.expand_path(file) }')} ${paths(tests)}`,
};
const GO: Runner = {
  name: 'go test',
  command: (tests) => {
    const folders = new Set(tests.map(({ path }) => `./${path.slice(0, Math.max(0, path.lastIndexOf('/')))}`));
    return `go test ${[...folders].map(shellWord).join(' ')}`;
  },
};
const MAVEN: Runner = {
  name: 'JUnit (Maven)',
  command: (tests) => `mvn test ${shellWord(`-Dtest=${stems(tests).join(',')}`)}`,
};
const GRADLE: Runner = {
  name: 'JUnit (Gradle)',
  command: (tests) =>
    `gradle test ${stems(tests)
      .map((name) => `--tests ${shellWord(`*${name}`)}`)
      .join(' ')}`,
};
const PHPUNIT: Runner = {
  name: 'PHPUnit',
  command: (tests) =>
    tests.length === 1
      ? `vendor/bin/phpunit ${paths(tests)}`
      : `vendor/bin/phpunit --filter ${shellWord(`\\b(${stems(tests).join('|')})::`)}`,
};

/** Runners of scripts, the most telling first: by a dependency, or by a word of the script `test`. */
const SCRIPTS: readonly [word: string, runner: Runner][] = [
  ['vitest', onPaths('vitest', 'npx vitest run')],
  ['jest', onPaths('jest', 'npx jest')],
  ['react-scripts', onPaths('jest', 'npx react-scripts test --watchAll=false')],
  ['ava', onPaths('ava', 'npx ava')],
  ['mocha', onPaths('mocha', 'npx mocha')],
  ['tape', onPaths('tape', 'npx tape')],
  ['tap', onPaths('tap', 'npx tap')],
  ['jasmine', onPaths('jasmine', 'npx jasmine')],
];
const PLAYWRIGHT = onPaths('Playwright', 'npx playwright test');
const BUN = onPaths('bun', 'bun test');

/** Cargo names targets, not files: a file of `tests/` is one, tests beside the code are modules of the library. */
const CARGO: Runner = {
  name: 'cargo test',
  command: (tests) => {
    const targets = new Set<string>();
    const modules = new Set<string>();
    for (const { path } of tests) {
      const outer = /^tests\/([^/]+?)(?:\.rs)?(?:\/|$)/.exec(path);
      if (outer !== null) targets.add(`--test ${shellWord(outer[1])}`);
      else modules.add(shellWord(moduleOf(path)));
    }
    const outside = targets.size === 0 ? [] : [`cargo test ${[...targets].join(' ')}`];
    const inside = modules.has("''") ? ['cargo test --lib'] : [`cargo test --lib -- ${[...modules].join(' ')}`];
    return [...outside, ...(modules.size === 0 ? [] : inside)].join(' && ');
  },
};

/** Module of a file of the library: `shop::cart` of `src/shop/cart.rs`; '' for the whole. */
const moduleOf = (path: string): string =>
  path
    .replace(/^src\//, '')
    .replace(/(?:^|\/)(?:mod|lib|main)\.rs$|\.rs$/, '')
    .replaceAll('/', '::');

/** By language: names of manifests, and the runner of a folder that has one. Null: look further up. */
type Finder = (at: { folder: string; test: RunnableTest; project: Project }) => Promise<Runner | null>;

const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const withFile =
  (names: readonly string[], runner: Runner): Finder =>
  async ({ folder, project }) =>
    names.some((name) => project.has(inFolder(folder, name))) ? runner : null;

const inPackage: Finder = async ({ folder, test, project }) => {
  const text = await project.read(inFolder(folder, 'package.json'));
  if (text === null) return folder === '' ? NODE : null;
  const { scripts, dependencies, devDependencies } = objectIn(text);
  const script = Object.entries(objectOf(scripts)).map(([name, value]) => (/^test/.test(name) ? String(value) : ''));
  const words = new Set(script.join(' ').split(/[^\w@/.-]+/));
  const installed = { ...objectOf(dependencies), ...objectOf(devDependencies) };
  if (/\.(?:e2e|pw)\.|(?:^|\/)e2e\//.test(test.path) && '@playwright/test' in installed) return PLAYWRIGHT;
  const named = SCRIPTS.find(([word]) => words.has(word)) ?? null;
  if (named !== null) return named[1];
  if (/\bbun test\b/.test(script.join(' '))) return BUN;
  if (/\bnode\b.*--test\b/.test(script.join(' '))) return NODE;
  const found = SCRIPTS.find(([word]) => word in installed);
  // Packages of a workspace often leave their tools to the top.
  return found?.[1] ?? (folder === '' ? NODE : null);
};

function objectIn(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const inGems: Finder = async ({ folder, test, project }) => {
  if (!project.has(inFolder(folder, 'Gemfile')) && folder !== '') return null;
  return /(?:^|\/)spec\/|_spec\.rb$/.test(test.path) ? RSPEC : MINITEST;
};
const inJvm: Finder = async ({ folder, project }) => {
  if (folder !== '' && !hasAny(project, '', ['pom.xml', 'build.gradle', 'build.gradle.kts'])) return null;
  const isMaven = project.has('pom.xml') || project.has(inFolder(folder, 'pom.xml'));
  return withWrapper(isMaven ? MAVEN : GRADLE, project);
};
const hasAny = (project: Project, folder: string, names: readonly string[]): boolean =>
  names.some((name) => project.has(inFolder(folder, name)));

function withWrapper(runner: Runner, project: Project): Runner {
  const [plain, wrapper] = runner === MAVEN ? ['mvn', 'mvnw'] : ['gradle', 'gradlew'];
  if (!project.has(wrapper)) return runner;
  return { ...runner, command: (tests, folder) => runner.command(tests, folder).replace(plain, `./${wrapper}`) };
}

const FINDERS: Readonly<Record<string, Finder>> = {
  python: async ({ folder }) => (folder === '' ? PYTEST : null),
  javascript: inPackage,
  typescript: inPackage,
  tsx: inPackage,
  go: withFile(['go.mod'], GO),
  rust: withFile(['Cargo.toml'], CARGO),
  java: inJvm,
  kotlin: inJvm,
  scala: inJvm,
  groovy: inJvm,
  ruby: inGems,
  php: withFile(['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml', 'composer.json'], PHPUNIT),
};

/** The runner of the nearest folder, from that of the test upwards. A build of the JVM is run at the top. */
async function runnerFor(
  test: RunnableTest,
  start: string,
  project: Project,
): Promise<{ runner: Runner; folder: string } | null> {
  const find = FINDERS[test.language];
  if (find === undefined) return null;
  for (let folder = find === inJvm ? '' : start; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const runner = await find({ folder, test, project });
    if (runner !== null) return { runner, folder };
    if (folder === '') return null;
  }
}

// Files that a program loads or reads without an import that a graph could follow: those that it names in texts, those that it lists, and
// those that its language loads by itself. Every name is a guess on the safe side: too many files cost a run of a test, too few a failure
// that nobody sees.

/** How files of a language come to other files. */
export interface LoadingRules {
  /** Names of files that run before all others of their folder and of the folders below. */
  before: readonly string[];
  /** Are all files of a folder one unit, with the folder `testdata` below? */
  isFolderUnit: boolean;
  /** Do texts name modules with dots between folders? */
  isDotted: boolean;
  /** Ends that a name may leave out. */
  ends: readonly string[];
  /** Code that loads a file whose name it computes. */
  loads: RegExp;
  /** Such code that says below which folder. */
  loadsBelow?: RegExp;
}

/** Code that lists folders. */
const LISTS =
  /\b(?:readdir|readdirSync|opendir|glob|iglob|globSync|globby|rglob|fast-glob|tinyglobby|klaw|walk|walkSync|listdir|scandir|iterdir|ReadDir|WalkDir|include_str)\b/;
/** Code that starts programs. */
const STARTS =
  /\b(?:child_process|execa|cross-spawn|nano-spawn|tinyexec|zx|shelljs|worker_threads|Worker|cluster|subprocess|Popen|popen|check_output|check_call|create_subprocess_exec|pexpect|runpy|os\.system|os\.exec\w{1,3}|exec\.Command)\b/;
/** Code that knows where its own file or the current directory is, or that reads files. */
const READS =
  /\b(?:__dirname|__filename|import\.meta\.(?:url|dirname|filename|resolve)|__file__|process\.cwd|getcwd|pkg_resources|importlib\.resources|pkgutil|runtime\.Caller|Getwd|rootdir|rootpath|fspath|readFile(?:Sync)?|createReadStream|pathlib|os\.path|read_text|read_bytes|loadtxt|os\.ReadFile|os\.Open|open\(|Path\()|['"](?:node:)?(?:fs|path|fs\/promises|fs-extra|graceful-fs)['"]/;

/** Code that drives a program from outside, such as a browser that shows it. */
const DRIVES =
  /['"](?:@playwright\/test|playwright(?:-core)?|puppeteer(?:-core)?|cypress|selenium-webdriver|webdriverio|nightwatch|testcafe|detox)['"]|\b(?:from|import) (?:selenium|playwright|splinter)\b|\bcy\.visit\(|github\.com\/(?:chromedp|playwright-community)/;

const ECMASCRIPT: LoadingRules = {
  before: [],
  isFolderUnit: false,
  isDotted: false,
  ends: ['.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.jsx', '.tsx', '.json', '.node'],
  loads:
    /\b(?:require(?:\.resolve)?|import)\s{0,9}\(\s{0,9}(?:[^\s'"`)]|`[^`\n]{0,200}\$\{|(['"])[^'"\n]{0,200}\1\s{0,9}\+)|\b(?:require\.context|import\.meta\.glob|createRequire|requireIndex|require-directory|require-all|proxyquire)\b/,
  loadsBelow:
    /\b(?:require|import)\s{0,9}\(\s{0,9}(?:`\.{1,2}\/[\w@.~-]{1,100}\/[^`$\n]{0,100}\$\{|(['"])\.{1,2}\/[\w@.~-]{1,100}\/[^'"\n]{0,100}\1\s{0,9}\+)/g,
};

const RULES: Readonly<Record<string, LoadingRules>> = {
  javascript: ECMASCRIPT,
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  python: {
    before: ['__init__.py', 'conftest.py'],
    isFolderUnit: false,
    isDotted: true,
    ends: ['.py', '.pyi'],
    loads: /\b(?:import_module|__import__|exec_module|load_module|iter_modules|walk_packages|entry_points|execfile)\b/,
  },
  go: {
    before: [],
    isFolderUnit: true,
    isDotted: false,
    ends: ['.go'],
    loads: /\bplugin\.Open\b/,
  },
};

/** Null for a language in which files come to others in ways that nobody has written down here. */
export const loadingRulesOf = (language: string): LoadingRules | null => RULES[language] ?? null;

/** Other files that a text speaks of. */
export interface NamedFiles {
  /** Texts that may be paths or names of files: `./a`, `../data/b.json`, `fixtures`, `shop.cart`. */
  names: readonly string[];
  /** Texts that go on with something computed: `./locales/` + name. */
  starts: readonly string[];
  loads: boolean;
  lists: boolean;
  startsPrograms: boolean;
  drivesPrograms: boolean;
  /** It knows its place, or reads files. */
  reads: boolean;
}

/** A text between quotes, or up to something that is put in. The end is not taken, since it can begin another text. */
const QUOTED = /['"`]([\w@.~/+-]{1,200})(?=(\$\{|\{)|['"`?*:])/g;
/** A path anywhere, as in a command. */
const PATH = /(?<![\w@./-])\.{0,2}[\w@-][\w@.-]{0,100}(?:\/[\w@.-]{1,100}){1,20}/g;
/** A text that is added to. */
const JOINED = /['"`]([\w@.~/+-]{1,200})['"`]\s{0,9}[+%]/g;
/** Names that one file may give. */
const MAX_NAMES = 20_000;

export function readNamedFiles(text: string, { loads, loadsBelow }: LoadingRules): NamedFiles {
  const names = new Set<string>();
  const starts = new Set<string>();
  for (const [, name, put] of text.matchAll(QUOTED)) {
    if (names.size + starts.size >= MAX_NAMES) break;
    (put === undefined ? names : starts).add(name);
  }
  for (const [, name] of text.matchAll(JOINED)) starts.add(name);
  for (const [name] of text.matchAll(PATH)) if (names.size < 2 * MAX_NAMES) names.add(name);
  const [startsPrograms, lists] = [STARTS.test(text), LISTS.test(text)];
  return {
    names: [...names],
    starts: [...starts],
    loads: loads.test(loadsBelow === undefined ? text : text.replace(loadsBelow, '')),
    lists,
    startsPrograms,
    drivesPrograms: DRIVES.test(text),
    reads: READS.test(text) || lists || startsPrograms,
  };
}

/** Files that people read and programs seldom do, by their names. */
const DOCUMENTS =
  /(?:^|\/)(?:readme|changelog|changes|history|news|authors|contributors|contributing|license|licence|copying|notice|security|codeowners|code_of_conduct|funding)[^/]*$|\.(?:md|mdx|rst|adoc)$/i;
export const isForPeople = (path: string): boolean => DOCUMENTS.test(path);

/** Names of code that sets a runner, a build or an environment up. */
const SETTINGS =
  /(?:^|\/)(?:\.[^/]*|[^/]*(?:config|conf|setup|settings|preset|globals)[^/]*|(?:babel|jest|vite|vitest|mocha|karma|ava|tap|wallaby)[^/]*|(?:gulp|grunt|nox|fab|make|rake|build|tasks?)(?:file)?\.[^/]*)$/i;
export const isSettingCode = (path: string): boolean => SETTINGS.test(path);

/** Names of files that a test runner loads, or that tell it what to load. A recipe of a build is none of them. */
const RUNNER_SETTINGS =
  /(?:^|\/)(?:\.(?:mocharc|taprc|nycrc|swcrc|babelrc)[^/]*|[^/]*\.config\.[a-z]+|[^/]*setup[^/]*|(?:pytest|tox)\.ini|setup\.cfg|pyproject\.toml)$/i;
/** Settings of programs that look at code and run none of it, and of those whose tests reach everything. */
const LOOKED_AT =
  /(?:^|\/)\.?(?:playwright|cypress|wdio|nightwatch|eslint|prettier|stylelint|commitlint|lint-staged|xo|knip|cspell|typedoc|docusaurus|release|renovate)[^/]*$/i;
export const isLoadedByRunner = (path: string): boolean => RUNNER_SETTINGS.test(path) && !LOOKED_AT.test(path);
const RUNNERS = ['mocha', 'jest', 'ava', 'tap', 'vitest', 'nyc', 'babel'];
/** Options of runners that name code which is loaded first. */
const LOADED_FIRST =
  /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|--file|--setupFiles?|-p)[ =]([^\s'"]{1,200})/g;

/** The part of a settings file that tells a test runner what to load; null for none. */
export function runnerSettingsIn(path: string, text: string): string | null {
  if (isLoadedByRunner(path)) return text;
  if (!/(?:^|\/)package\.json$/.test(path)) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return text;
  }
  const fields = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const scripts = Object.values((fields.scripts ?? {}) as Record<string, unknown>).join('\n');
  const loaded = [...scripts.matchAll(LOADED_FIRST)].map(([, name]) => name);
  return JSON.stringify([loaded, ...RUNNERS.map((name) => fields[name] ?? null)]);
}
