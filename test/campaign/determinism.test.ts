/** R10: the same blobs and the same profile give the same bytes, wherever and however they are indexed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { indexRef } from '../../src/session/indexing/index-operation.js';
import { ROOT } from '../house/root.js';
import { campaign } from '../support/campaigns/campaign.js';
import type { Made } from '../support/campaigns/environments/subject.js';
import { type Environment, environments } from '../support/campaigns/environments/table.js';
import { inProcess } from '../support/in-process/search.js';
import { cloneRepo, createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

const SUBJECT = fileURLToPath(new URL('../support/campaigns/environments/subject.js', import.meta.url));
const SAMPLES = fileURLToPath(new URL('test/extract/samples/', ROOT));

/** Samples are named for their language. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  ...{
    typescript: 'ts',
    javascript: 'js',
    python: 'py',
    csharp: 'cs',
    ruby: 'rb',
    rust: 'rs',
    kotlin: 'kt',
    haskell: 'hs',
  },
  ...{ elixir: 'ex', markdown: 'md', bash: 'sh', cpp: 'cpp' },
};

/** Letters whose case depends on the language that a machine speaks, and names that sort differently in each. */
const WORDS = {
  'src/İstanbul.ts':
    'export function İstanbulIsparta(ılık: string) {\n  return ılık + "straße GRÖSSE ISPARTA ißt";\n}\n',
  'src/I.ts': 'export class IIdentifierID {\n  getTITLE() {\n    return "TITLE in ISPARTA";\n  }\n}\n',
  'src/ä.ts': 'export const ä = 1;\n',
  'src/z.ts': 'export const z = 1;\n',
  'src/a_b.ts': 'export const a_b = 1;\n',
  'src/a-b.ts': 'export const aB = 1;\n',
  'src/日本.ts': 'export function 日本語の関数() {\n  return "語";\n}\n',
};

/** What the last commit brings. */
function addMany(repo: TestRepo, languages: number): void {
  mkdirSync(join(repo.dir, 'samples'));
  for (const name of readdirSync(SAMPLES).sort().slice(0, languages)) {
    const language = name.replace('.txt', '');
    copyFileSync(join(SAMPLES, name), join(repo.dir, 'samples', `${language}.${EXTENSIONS[language] ?? language}`));
  }
  repo.commit({ ...WORDS, ...manyFiles(12, 'many') });
}

/** One key for all: what is sealed with it is to be the same, too. */
process.env.XDG_STATE_HOME = makeDirectory('state');

interface Outcome extends Made {
  /** Blob to note, and the tree of all notes. */
  notes: Record<string, string>;
  tree: string;
}

function make(repo: TestRepo, environment: Environment, ...more: string[]): Outcome {
  const { env = {}, flags = [], under = [], gitConfig = {} } = environment;
  const config = join(makeDirectory('config'), 'gitconfig');
  writeFileSync(config, '');
  for (const [key, value] of Object.entries(gitConfig)) repo.git('config', '--file', config, key, value);
  const file = join(makeDirectory('made'), 'made.json');
  const command = [process.execPath, ...flags, SUBJECT, repo.dir, file, ...more];
  const words =
    under[0] === 'script' ? ['script', '-qec', command.map(quoted).join(' '), '/dev/null'] : [...under, ...command];
  const { status, stderr, stdout } = spawnSync(words[0], words.slice(1), {
    cwd: environment.name.length % 2 === 0 ? '/' : repo.dir,
    env: { ...process.env, GIT_CONFIG_GLOBAL: config, ...env },
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${environment.name}: ${stderr}${stdout}`);
  const made = JSON.parse(readFileSync(file, 'utf8')) as Made;
  return { ...made, notes: Object.fromEntries([...repo.notes()].sort()), tree: repo.notesTree() };
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The same commit, checked out at another time, in another order, somewhere else. */
function another(source: TestRepo, i: number): TestRepo {
  const repo = cloneRepo(source, '--no-hardlinks', '-c', 'socraticode.share.fetch=never');
  for (const name of Object.keys(PROJECT)) utimesSync(join(repo.dir, name), i * 1_000, i * 1_000);
  repo.git('remote', 'remove', 'origin');
  return repo;
}

/** More words near `parcle` than are looked at, and all of them before `parcel`. */
function nearWords(): string {
  const letters = [...'abcdfghijklmnopqst'];
  return letters.flatMap((one) => letters.map((two) => `parca${one}${two}`)).join(' ');
}

interface Size {
  commits: number;
  languages: number;
}

/** Commits that each change some files, indexed at each n-th of them. */
async function grown({ commits, languages }: Size, every: number): Promise<TestRepo> {
  const repo = createRepo();
  for (let i = 0; i < commits; i++) {
    const file = `src/part${i % 7}.ts`;
    const words = ['parcel', 'depot', 'session', 'route', 'class'].slice(0, 1 + (i % 5)).join('_');
    repo.commit({
      [file]: `export function step${i}_${words}() {\n  return ${i};\n}\n`,
      [`lib/l${i}.py`]: `def l${i}():\n    pass\n`,
    });
    if (i === 0) repo.commit({ ...PROJECT, 'words.md': nearWords() });
    // Gone from the snapshot, they stay in the shards of who had indexed them.
    if (i === 3) rmSync(join(repo.dir, 'words.md'));
    if ((i + 1) % every === 0) await inProcess(repo, ({ session }) => indexRef(session));
  }
  addMany(repo, languages);
  return repo;
}

campaign(
  'determinism',
  {
    bar: 'R10',
    claim: 'the same blobs and profile give the same bytes in every environment, and the same answers in any order',
    short: { environments: 1, languages: 5, commits: 5, every: 3 },
    long: { environments: 1_000, languages: 1_000, commits: 30, every: 1 },
  },
  async ({ size, note }) => {
    const source = await grown(size, Number.POSITIVE_INFINITY);
    const wanted = make(another(source, 0), { name: 'as it is' });
    const all = environments();
    for (const [i, environment] of all.slice(0, size.environments).entries()) {
      note(environment.name);
      const seen = make(another(source, i + 1), environment);
      assert.deepEqual(seen.notes, wanted.notes, environment.name);
      assert.equal(seen.tree, wanted.tree, environment.name);
      assert.deepEqual(seen.files, wanted.files, environment.name);
      assert.equal(seen.answers, wanted.answers, environment.name);
    }
    // What a server does in the background begins with code, and publishes on the way: other shards, the same answers.
    const early = make(another(source, 99), all[1], 'early');
    assert.deepEqual([early.notes, early.answers], [wanted.notes, wanted.answers]);

    const slowly = make(await grown(size, size.every), { name: 'commit by commit' });
    for (const [blob, record] of Object.entries(wanted.notes)) assert.equal(slowly.notes[blob], record);
    assert.equal(slowly.answers, wanted.answers);
    return {
      environments: Math.min(all.length, size.environments + 1),
      'records compared in each': Object.keys(wanted.notes).length,
      'files compared in each': Object.keys(wanted.files).length,
      'commits one by one': size.commits,
    };
  },
);
