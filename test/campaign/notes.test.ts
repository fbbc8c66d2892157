/** S2: whatever notes say, what is shown of code is what is in the repository. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setLogLevel } from '../../src/base/log.js';
import type { IndexReport } from '../../src/questions/index/question.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { campaign } from '../support/campaigns/campaign.js';
import { cloneWithNotes, forgeNotes } from '../support/hostile/forge.js';
import { falsify, falsifyVectors, LIE, NOTICED, UNNOTICED } from '../support/hostile/lies.js';
import { answer } from '../support/in-process/answer.js';
import { openTools } from '../support/in-process/tools.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';
import { pathsOf } from '../support/results.js';

setLogLevel('silent');
process.env.SOCRATICODE_VECTORS_SHARE = 'always';

const WIDE = Array.from({ length: 30 }, (_, i) => `export const größe${i} = "日本語 ${i} 🎉";`).join('\n');
/** Of 20 kB: many lies fit into its record. */
const large = (name: string) =>
  Array.from(
    { length: 300 },
    (_, i) => `export function ${name}${i}(input: number) {\n  return input + ${i};\n}\n`,
  ).join('\n');
const USER = [
  "import { SessionStore } from '../../src/session/session.js';",
  '',
  '/** Lets somebody in. */',
  'export function login(store: SessionStore): void {',
  "  store.rememberToken('somebody', 'something');",
  '}',
  '',
].join('\n');

const QUESTIONS = [
  ['search', 'rememberToken', '--limit', '50'],
  ['search', `größe3 step2 depot ${LIE}`, '--limit', '50'],
  ['search', 'where is a parcel routed', '--mode', 'semantic'],
  ['similar', 'src/session.ts:8'],
  ['graph', 'symbol', 'rememberToken'],
  ['graph', 'symbol', LIE],
  ['graph', 'references', 'SessionStore'],
  ['graph', 'references', LIE],
  ['graph', 'impact', 'src/session.ts'],
  ['graph', 'flow'],
  ['graph', 'outline', 'src/session.ts', 'src/wide.ts', 'lib/depot.py'],
  ['graph', 'symbols'],
  ['graph', 'deps', 'src/user.ts'],
  ['graph', 'cycles'],
  ['graph', 'stats'],
  ['history', 'rememberToken', '--events'],
  ['history', 'parcel', 'depot', 'keeps'],
  ['diff', 'HEAD~1'],
  ['pack', 'change rememberToken in src/session.ts:8', '--max-tokens', '4000'],
];

/** What is falsified, in the order in which blobs get it. */
type Plan = readonly string[];
/** Records as they are, in a tree that calls them links and commits. */
const ODD = ['', 'odd entries'];
/** What a lying record may cost: processor time, in that of a true one. */
const MOST = 5;

interface Stage {
  repo: TestRepo;
  /** What stood at each path, in any commit. */
  texts: Map<string, string[]>;
  /** Trees of the honest notes. */
  clean: string;
  honestMs: number;
}

/** What true records cost is measured in the long form alone. */
async function setStage(isLong: boolean): Promise<Stage> {
  const repo = createRepo();
  const before = {
    ...PROJECT,
    ...manyFiles(8),
    'src/wide.ts': WIDE,
    'src/large.ts': large('a'),
    'src/other.ts': large('b'),
  };
  repo.commit(before);
  const changed = { 'src/session.ts': `// Changed.\n${PROJECT['src/session.ts']}`, 'src/user.ts': USER };
  repo.commit(changed);
  await run(repo, ['index']);
  // Old versions get their records as well.
  await run(repo, ['index', '--ref', 'HEAD~1']);
  const texts = new Map<string, string[]>();
  for (const files of [before, changed])
    for (const [path, text] of Object.entries(files)) texts.set(path, [...(texts.get(path) ?? []), String(text)]);
  const stage = { repo, texts, clean: repo.notesTree(), honestMs: 0 };
  if (!isLong) return { ...stage, honestMs: Number.POSITIVE_INFINITY };
  // The first time costs what has to be loaded and compiled.
  await askAll(stage, cloneWithNotes(repo));
  const { ms } = await askAll(stage, cloneWithNotes(repo));
  return { ...stage, honestMs: ms };
}

/** Words are those of the blob, and nothing is left out, whatever its record says. */
function assertFound({ results, coverage }: SearchResponse, { texts }: Stage, plan: string): void {
  assert.ok(
    results.some((result) => pathsOf(result).includes('src/session.ts')),
    plan,
  );
  assert.deepEqual(coverage, { covered: texts.size, total: texts.size }, plan);
}

interface Said {
  document: unknown;
  code: number;
  ms: number;
}

async function run(repo: TestRepo, question: readonly string[]): Promise<Said> {
  const { code, stdout, stderr, cpuMs } = await answer(['-C', repo.dir, ...question, '--json']);
  const what = `${question.join(' ')}: ${stderr}`;
  assert.doesNotMatch(stderr, /This is a bug|\.js:\d+/, what);
  // Names that are no longer there are refused.
  assert.ok(code === 0 || code === 1 || /no symbol|no definition|not a place|is not/.test(stderr), what);
  return { document: stdout === '' ? null : JSON.parse(stdout), code, ms: cpuMs };
}

/** Asks everything, checks each text that is shown; says how long it took, and what was indexed. */
async function askAll(
  stage: Stage,
  repo: TestRepo,
  plan = 'honest',
): Promise<{ ms: number; report: IndexReport; texts: number }> {
  const index = await run(repo, ['index']);
  let { ms } = index;
  let texts = 0;
  for (const question of QUESTIONS) {
    const said = await run(repo, question);
    ms += said.ms;
    texts += assertReal(said.document, stage.texts, `${plan}: ${question.join(' ')}`);
    if (question === QUESTIONS[0]) assertFound(said.document as SearchResponse, stage, plan);
  }
  return { ms, report: index.document as IndexReport, texts };
}

const SHOWN = new Set(['content', 'signature', 'doc']);
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Every text in a document is in a file that stands at the path beside it; returns how many there were. */
function assertReal(value: unknown, texts: Map<string, string[]>, what: string, path = ''): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + assertReal(item, texts, what, path), 0);
  if (typeof value !== 'object' || value === null) return 0;
  // A list of names with their lines.
  if ('why' in value && (value as { kind?: string }).kind === 'signature') return 0;
  const here = pathOf(value) ?? path;
  let count = 0;
  for (const [key, child] of Object.entries(value)) {
    if (typeof child !== 'string' || !SHOWN.has(key)) {
      count += assertReal(child, texts, what, here);
      continue;
    }
    assertText(child, texts.get(here) ?? [], `${what}: ${key} of ${here}: ${JSON.stringify(child.slice(0, 300))}`);
    count++;
  }
  return count;
}

/** A definition's documentation stands beside the list of where it is. */
function pathOf(value: object): string | undefined {
  const { path, definitions } = value as { path?: unknown; definitions?: { path?: string }[] };
  return typeof path === 'string' ? path : definitions?.[0]?.path;
}

function assertText(text: string, sources: readonly string[], what: string): void {
  assert.ok(sources.length > 0, what);
  const isIn = (part: string) => sources.some((source) => plain(source).includes(plain(part)));
  // What is left out between lines is not part of any.
  for (const line of text.split('\n')) assert.ok(isIn(line.replace(/^\s*…$/, '')), what);
}

/** The same for agents. */
async function askTools(t: TestContext, stage: Stage, repo: TestRepo): Promise<number> {
  const { call, project } = await openTools(t, repo.dir);
  let texts = 0;
  for (const [name, args] of TOOLS) {
    const reply = await call(name, args);
    texts += assertReal(reply.structured, stage.texts, name);
  }
  await project.close();
  return texts;
}

const TOOLS: [string, Record<string, unknown>][] = [
  ['codebase_search', { query: `rememberToken ${LIE}`, limit: 50 }],
  ['codebase_symbol', { name: 'rememberToken' }],
];

/** A clone whose notes are falsified as planned, and those of vectors. */
function forge(repo: TestRepo, plan: Plan): TestRepo {
  const clone = cloneWithNotes(repo);
  const modes = plan.includes('odd entries') ? ['120000', '160000', '100644'] : ['100644'];
  let first: Buffer | null = null;
  const forgeOne = (oid: string, bytes: Buffer, index: number) => {
    const other = first ?? Buffer.from('none');
    first ??= bytes;
    const name = plan[index % plan.length];
    return ODD.includes(name) ? bytes : falsify(name, oid, bytes, index, other);
  };
  forgeNotes(clone, forgeOne, { modeOf: (index) => modes[index % modes.length] });
  const vectors = Object.keys(clone.notesRefs()).filter((ref) => ref.includes('/vectors/'));
  assert.equal(vectors.length, 1);
  forgeNotes(clone, falsifyVectors, { ref: vectors[0] });
  return clone;
}

async function tryPlan(stage: Stage, plan: Plan): Promise<{ ms: number; texts: number; repo: TestRepo }> {
  const repo = forge(stage.repo, plan);
  const { ms, report, texts } = await askAll(stage, repo, plan.join(' '));
  assert.equal(report.files, stage.texts.size);
  if (plan.every((name) => NOTICED.includes(name))) {
    assert.equal(repo.notesTree(), stage.clean, `${plan.join(' ')}: records were not derived again`);
    assert.ok(report.new > 0);
  }
  return { ms, texts, repo };
}

campaign(
  'notes',
  {
    bar: 'S2',
    claim: 'text comes from blobs alone, and a lying record costs no more than a true one',
    short: { alone: 0 },
    long: { alone: 1 },
  },
  async ({ size, note, t, isLong }) => {
    const stage = await setStage(isLong);
    const all = [...NOTICED, ...UNNOTICED];
    const plans: Plan[] = [NOTICED, UNNOTICED, ...(size.alone > 0 ? [...all.map((name) => [name]), ODD] : [])];
    let [texts, worst, slowest] = [0, 0, ''];
    for (const plan of plans) {
      const tried = await tryPlan(stage, plan);
      const times = tried.ms / stage.honestMs;
      assert.ok(times <= MOST, `${plan.join(', ')}: ${times} times as long as true records`);
      note(`${plan.join(', ')}: ${tried.texts} texts, ${times.toFixed(1)} times as long`);
      texts += tried.texts;
      if (times > worst) [worst, slowest] = [times, plan.length > 1 ? 'all at once' : plan[0]];
      if (plan === UNNOTICED) texts += await askTools(t, stage, tried.repo);
    }
    return {
      plans: plans.length,
      'texts shown, all of them in their blobs': texts,
      'processor time of the worst': isLong
        ? `${worst.toFixed(1)} times that of true records (${slowest})`
        : 'not measured',
    };
  },
);
