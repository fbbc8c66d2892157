/** R12: `grep` against `git grep`. `--repository DIR`: real repositories, at or below DIR; in the suite one is made up. */
import assert from 'node:assert/strict';
import { compilePattern } from '../../src/search/grep/required-texts.js';
import { TOO_SLOW } from '../../src/session/grep/files.js';
import { grep } from '../../src/session/grep/grep.js';
import { Session } from '../../src/session/session.js';
import { campaign } from '../support/campaigns/campaign.js';
import {
  drawPattern,
  gitGrep,
  isUnshared,
  keyOf,
  type Place,
  placesOf,
  repositoriesIn,
  someLines,
} from '../support/campaigns/grep.js';
import { LONG } from '../support/campaigns/long.js';
import { pick, type Random } from '../support/generated/random.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

/** Commits behind HEAD at which branches of a real repository are set. */
const BEHIND = [20, 150];

/** Names, line ends, bytes and lengths at which two programs may differ. */
const AWKWARD = {
  'crlf.txt': 'one login\r\ntwo\r\nthree Login\r\n',
  'no-newline': 'login at the end',
  'latin1.txt': Buffer.from('caf\xe9 login\n', 'latin1'),
  'binary.bin': Buffer.from('login\0login\n'),
  'late.bin': Buffer.from(`${'login and more\n'.repeat(600)}\0\n`),
  empty: '',
  'ünïcode name.md': '# Lögin\n\nlogin - session\n',
  'dist/app.min.js': `var login=1;${'x'.repeat(3_000)}login\n`,
  '.env': 'LOGIN_TOKEN=login\n',
  '.gitattributes': 'marked.txt -diff\n',
  'marked.txt': 'login\n',
} as const;

function madeUp(): TestRepo {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(20) });
  repo.git('branch', 'older');
  repo.commit(AWKWARD);
  repo.git('branch', 'newer');
  repo.commit({ 'src/session.ts': `${PROJECT['src/session.ts']}// login, logout\n` });
  return repo;
}

function cloned(source: string): TestRepo {
  const directory = makeDirectory('grep');
  runGit(['clone', '-q', '--single-branch', source, directory], { cwd: directory });
  const repo = new TestRepo(directory);
  const commits = repo.git('rev-list', '--first-parent', 'HEAD').split('\n');
  for (const behind of BEHIND) if (commits.length > behind) repo.git('branch', `behind-${behind}`, commits[behind]);
  return repo;
}

/** Where to look: the work tree, a tree, or all branches. */
function targets(repo: TestRepo): { ref?: string; allRefs?: boolean; refs: string[] }[] {
  const refs = repo.git('for-each-ref', '--format=%(refname)', 'refs/heads').split('\n');
  return [{ refs: [] }, ...refs.map((ref) => ({ ref, refs: [ref] })), { allRefs: true, refs }];
}

async function compareIn(repo: TestRepo, { patterns, random }: { patterns: number; random: Random }) {
  const session = await Session.open({ directory: repo.dir });
  const figures = { lines: 0, unshared: 0, givenUp: 0 };
  try {
    const lines = someLines(repo, random);
    const all = targets(repo);
    for (let i = 0; i < patterns; i++) {
      const [options, { refs, ...target }] = [drawPattern(lines, random), pick(random, all)];
      const found = await grep(session, compilePattern(options), { ...target, limit: Number.POSITIVE_INFINITY });
      // A busy machine reaches the limit of 5 s on a long line: the answer says so, and names the file, of which branches may have more.
      const isGivenUp = new Set(found.givenUp);
      const ours = placesOf(found.matches, refs.length > 0).filter(({ path }) => !isGivenUp.has(path));
      assert.equal(found.skipped[TOO_SLOW] ?? 0, found.givenUp.length, 'each file that is given up is named');
      const theirs = gitGrep(repo, options, refs).filter(({ path }) => !isGivenUp.has(path));
      figures.givenUp += found.givenUp.length;
      const shared = await sharedOf(repo, ours, theirs);
      figures.lines += shared;
      figures.unshared += new Set(theirs.map(keyOf)).size - shared;
    }
  } finally {
    session.close();
  }
  return figures;

  async function sharedOf(at: TestRepo, ours: readonly Place[], theirs: readonly Place[]): Promise<number> {
    const [own, other] = [ours, theirs].map((places) => new Map(places.map((place) => [keyOf(place), place])));
    const twice = ours.map(keyOf).filter((key, i, all) => all.indexOf(key) < i);
    assert.deepEqual(twice, [], 'no line twice');
    const differing = [...own, ...other].filter(([key]) => !own.has(key) || !other.has(key));
    assert.deepEqual(
      differing.filter(([, place]) => !isUnshared(at, place)).map(([key]) => key),
      [],
    );
    return [...own.keys()].filter((key) => other.has(key)).length;
  }
}

campaign(
  'grep',
  {
    bar: 'R12',
    claim: 'grep finds exactly the lines that git grep finds, in work trees, trees and all branches at once',
    short: { patterns: 60 },
    long: { patterns: 200 },
  },
  async ({ size, random, note }) => {
    const sources = LONG?.repository === undefined ? [] : repositoriesIn(LONG.repository);
    const figures = {
      repositories: Math.max(1, sources.length),
      patterns: 0,
      lines: 0,
      'lines that one leaves out': 0,
      'files given up after 5 s': 0,
    };
    for (const source of sources.length > 0 ? sources : [null]) {
      const repo = source === null ? madeUp() : cloned(source);
      const found = await compareIn(repo, { patterns: size.patterns, random });
      note(`${source ?? 'made up'}: ${found.lines} lines`);
      figures.patterns += size.patterns;
      figures.lines += found.lines;
      figures['lines that one leaves out'] += found.unshared;
      figures['files given up after 5 s'] += found.givenUp;
    }
    assert.ok(figures.lines > 0);
    return figures;
  },
);
