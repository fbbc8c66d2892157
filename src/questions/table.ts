/**
 * The questions, in the order of `help --all` and of the list of tools. A declaration is loaded when its question is asked; help and the list
 * load all.
 */
import type { AnyQuestion } from './question.js';

/** A module with one question, or with the command and the tools of one subject. */
type Declarations = { readonly question: AnyQuestion } | { readonly questions: readonly AnyQuestion[] };

/** Declarations by command, or by folder for those that only agents ask. */
const QUESTIONS: Readonly<Record<string, () => Promise<Declarations>>> = {
  search: () => import('./search/question.js'),
  grep: () => import('./grep/question.js'),
  similar: () => import('./similar/question.js'),
  show: () => import('./show/question.js'),
  'graph symbol': () => import('./graph/symbol/question.js'),
  'graph impact': () => import('./graph/impact/question.js'),
  'graph outline': () => import('./graph/outline/question.js'),
  'graph references': () => import('./graph/references/question.js'),
  'graph definition': () => import('./graph/definition/question.js'),
  'graph symbols': () => import('./graph/symbols/question.js'),
  'graph flow': () => import('./graph/flow/question.js'),
  'graph deps': () => import('./graph/deps/question.js'),
  'graph path': () => import('./graph/path/question.js'),
  'graph stats': () => import('./graph/stats/question.js'),
  'graph cycles': () => import('./graph/cycles/question.js'),
  'graph unused': () => import('./graph/unused/question.js'),
  'graph diff': () => import('./graph/diff/question.js'),
  'graph check': () => import('./graph/check/question.js'),
  'graph blame': () => import('./graph/blame/question.js'),
  'graph visualize': () => import('./graph/visualize/question.js'),
  'graph status': () => import('./graph/status/question.js'),
  'graph remove': () => import('./graph/remove/question.js'),
  lsp: () => import('./servers/question.js'),
  pack: () => import('./pack/question.js'),
  history: () => import('./history/question.js'),
  diff: () => import('./diff/question.js'),
  review: () => import('./review/question.js'),
  tests: () => import('./tests/question.js'),
  why: () => import('./why/question.js'),
  coupling: () => import('./coupling/question.js'),
  owners: () => import('./owners/question.js'),
  hotspots: () => import('./hotspots/question.js'),
  conflicts: () => import('./conflicts/question.js'),
  rename: () => import('./rename/question.js'),
  fixed: () => import('./fixed/question.js'),
  'docs search': () => import('./docs/question.js'),
  'docs links': () => import('./docs/question.js'),
  'docs drift': () => import('./docs/question.js'),
  context: () => import('./context/question.js'),
  web: () => import('./servers/question.js'),
  tags: () => import('./tag/question.js'),
  tag: () => import('./tag/question.js'),
  summarize: () => import('./summarize/question.js'),
  wiki: () => import('./wiki/question.js'),
  note: () => import('./note/question.js'),
  task: () => import('./task/question.js'),
  knowledge: () => import('./knowledge/question.js'),
  index: () => import('./index/question.js'),
  status: () => import('./status/question.js'),
  explain: () => import('./explain/question.js'),
  watch: () => import('./watch/question.js'),
  hooks: () => import('./hooks/question.js'),
  push: () => import('./share/question.js'),
  pull: () => import('./share/question.js'),
  share: () => import('./share/question.js'),
  publish: () => import('./fleet/question.js'),
  serve: () => import('./servers/question.js'),
  export: () => import('./export/question.js'),
  import: () => import('./import/question.js'),
  mcp: () => import('./mcp/question.js'),
  agents: () => import('./agents/question.js'),
  config: () => import('./state/question.js'),
  doctor: () => import('./doctor/question.js'),
  fsck: () => import('./fsck/question.js'),
  profiles: () => import('./state/question.js'),
  fleet: () => import('./fleet/question.js'),
  compact: () => import('./remove/question.js'),
  remove: () => import('./remove/question.js'),
  projects: () => import('./state/question.js'),
  'fleet search': () => import('./fleet/question.js'),
  'fleet repos': () => import('./fleet/question.js'),
  'fleet file': () => import('./fleet/question.js'),
  about: () => import('./state/question.js'),
  completion: () => import('./completion/question.js'),
};

export const QUESTION_NAMES: readonly string[] = Object.keys(QUESTIONS);

/** Names that other programs have for what a command does, and that people try. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  search: 'find query ask',
  show: 'cat read view open',
  similar: 'clones duplicates dupes',
  references: 'callers usages uses users who-uses',
  flow: 'callees calls trace',
  impact: 'affected blast-radius',
  outline: 'toc structure',
  unused: 'dead deadcode dead-code',
  deps: 'imports dependencies',
  history: 'log',
  index: 'reindex build update sync',
  tests: 'affected-tests',
  web: 'ui browse gui',
  owners: 'experts authors maintainers contributors',
  hotspots: 'complexity churn',
  coupling: 'co-change cochange',
  rename: 'refactor rename-symbol',
  why: 'annotate',
};

/** Last word of the command, and of the tool's name, that other programs call so: `references` of `graph references`; null if none is known. */
export function commandCalled(word: string): string | null {
  return Object.keys(OTHER_NAMES).find((name) => OTHER_NAMES[name].split(' ').includes(word)) ?? null;
}

/** Names that the words of a command line select: one, those of a group, or all. */
export function matchedNames(words: readonly string[], names: readonly string[]): string[] {
  const [first = '', second = ''] = words;
  const isMember = names.includes(`${first} ${second}`);
  // A command with members is loaded with the member that is named, or with all of them for its help.
  const matched = names.filter(
    (name) => name === first || (isMember ? name === `${first} ${second}` : name.startsWith(`${first} `)),
  );
  return matched.length > 0 ? matched : [...names];
}

/** Loads questions by their names in the table; default: all. */
export async function loadQuestions(names: readonly string[] = QUESTION_NAMES): Promise<AnyQuestion[]> {
  const loaded = await Promise.all(names.map((name) => QUESTIONS[name]()));
  return loaded.flatMap((module, at) =>
    'questions' in module ? module.questions.filter(({ name }) => isOf(name, names[at])) : [module.question],
  );
}

/**
 * True if a question belongs to a row of the table: of several rows for its module, the one with the longest name that its name begins
 * with. A tool may have no row.
 */
function isOf(question: string, row: string): boolean {
  const rows = QUESTION_NAMES.filter((name) => question === name || question.startsWith(`${name} `));
  return rows.length === 0 || rows.sort((a, b) => b.length - a.length)[0] === row;
}
