/** L4: a team at work. Everybody commits, rebases, indexes, pushes, pulls and compacts; some share vectors, some come from 0.1.0 in the middle. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IndexReport } from '../../src/questions/index/question.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { campaign } from '../support/campaigns/campaign.js';
import { LONG } from '../support/campaigns/long.js';
import { unionCommit } from '../support/campaigns/replay/replay-end.js';
import { debris } from '../support/faults/aftermath.js';
import { pick, type Random } from '../support/generated/random.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { cloneRepo, createRepo, runGit, type TestRepo } from '../support/repositories/repo.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/upgrade/31be63723f3f/', import.meta.url));
const OLD_NOTES = 'refs/notes/socraticode/syntax/31be63723f3f';
/** At work in the same moment. */
const LANES = 3;
/** A push that others overtake so often in a row is given up, as a person would. */
const PUSHES = 20;
const QUERIES = ['rememberToken', 'nearest depot', 'how is work counted', 'workOf3'];

class Team {
  readonly counts: Record<string, number> = {};
  commits = 0;
  private readonly busy = new Set<Mate>();
  /** Somebody's command failed: the others stop, too. */
  private hasFailed = false;

  constructor(
    readonly remote: TestRepo,
    readonly mates: readonly Mate[],
    readonly random: Random,
  ) {}

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Until there are so many commits, `LANES` mates at a time. */
  async work(until: number): Promise<void> {
    const lane = async () => {
      while (this.commits < until && !this.hasFailed) {
        const mate = pick(
          this.random,
          this.mates.filter((each) => !this.busy.has(each)),
        );
        this.busy.add(mate);
        await mate.step(this).catch((error) => {
          this.hasFailed = true;
          throw error;
        });
        this.busy.delete(mate);
      }
    };
    await Promise.all(Array.from({ length: Math.min(LANES, this.mates.length) }, lane));
  }
}

class Mate {
  /** False for those who have not got this version yet: they work with git alone. */
  hasProgram = true;

  constructor(
    readonly repo: TestRepo,
    readonly name: string,
    readonly sharesVectors: boolean,
  ) {
    if (sharesVectors) repo.git('config', 'socraticode.vectors.share', 'always');
  }

  async step(team: Team): Promise<void> {
    for (let n = 1 + team.random(4); n > 0; n--) this.commit(team);
    const step = team.random(100);
    if (step < 15) await this.topic(team);
    await this.publish(team);
    if (step >= 90 && this.hasProgram) {
      if (step >= 97) await this.compactRemote(team);
      else await this.run(['compact']);
      team.count(step >= 97 ? 'compact --remote' : 'compact');
    }
  }

  /** In a folder of one's own, so that nothing conflicts; there are only 40 texts, so that many write the same. */
  private commit(team: Team): void {
    const file = `src/${this.name}/work${team.random(12)}.ts`;
    const n = team.random(40);
    if (team.random(8) === 0) this.repo.git('rm', '-q', '--ignore-unmatch', file);
    else
      this.repo.write({
        [file]: `/** How work is counted. */\nexport function workOf${n}(): number {\n  return ${n};\n}\n`,
      });
    this.repo.commit({}, `${this.name} ${team.commits++}`);
  }

  /** A branch that is indexed before it is rebased. */
  private async topic(team: Team): Promise<void> {
    this.repo.git('checkout', '-q', '-b', 'topic');
    this.commit(team);
    if (this.hasProgram) await this.run(['index']);
    this.repo.git('fetch', '-q', 'origin', 'main');
    this.repo.git('rebase', '-q', 'origin/main');
    this.repo.git('checkout', '-q', '-B', 'main');
    this.repo.git('branch', '-q', '-D', 'topic');
    team.count('rebased topics');
  }

  /** To the tip of all, with the records of what is pushed. */
  private async publish(team: Team): Promise<void> {
    if (this.hasProgram) await this.run(['pull']);
    for (let i = 0; ; i++) {
      assert.ok(i < PUSHES, 'others were faster each time');
      this.repo.git('pull', '-q', '--rebase', 'origin', 'main');
      if (this.hasProgram) await this.run(['index']);
      runGit(['push', '-q', 'origin', 'main'], { cwd: this.repo.dir, allowFailure: true });
      if (this.isPublished()) break;
      team.count('overtaken pushes');
    }
    if (this.hasProgram) await this.run(['push']);
    team.count('pushes');
  }

  /** Does what the refusal says when others have pushed in the meantime: fetch, and ask again. */
  private async compactRemote(team: Team): Promise<void> {
    for (let i = 0; i < PUSHES; i++) {
      const { code, stderr } = await cli(['compact', '--remote'], { cwd: this.repo.dir });
      if (code === 0) return;
      assert.match(
        stderr,
        /origin has (commits that this repository lacks[\s\S]*git fetch origin|changed[\s\S]*run again)/,
        this.name,
      );
      this.repo.git('fetch', '-q', 'origin');
      team.count('overtaken compactions');
    }
    assert.fail('others were faster each time');
  }

  private isPublished(): boolean {
    const [own, theirs] = ['HEAD', 'origin/main'].map((name) => this.repo.git('rev-parse', name));
    return own === theirs;
  }

  async run(args: readonly string[]): Promise<void> {
    const { code, stderr } = await cli(args, { cwd: this.repo.dir });
    assert.equal(code, 0, `${this.name}: ${args.join(' ')}: ${stderr}`);
  }

  /** What 0.1.0 left in this clone, and then this version instead. */
  async upgrade(): Promise<void> {
    this.repo.git('fetch', '-q', 'origin', `+${OLD_NOTES}:${OLD_NOTES}`);
    cpSync(join(FIXTURE, 'state'), this.repo.state, { recursive: true });
    this.hasProgram = true;
    await this.run(['index']);
  }
}

/** What is left of the week: everybody has everything, and nobody more than a clean build has. */
async function judge({ remote, mates }: Team): Promise<Record<string, number>> {
  const newcomer = new Mate(cloneRepo(remote), 'the newcomer', true);
  await newcomer.run(['pull']);
  const { new: parsed } = await cliJson<IndexReport>(['index'], { cwd: newcomer.repo.dir });
  assert.equal(parsed, 0, 'a record of what was pushed is missing');
  const { files } = unionCommit(newcomer.repo);
  newcomer.repo.git('push', '-q', 'origin', 'union');
  const clean = new Mate(cloneRepo(remote), 'the clean build', true);
  clean.repo.git('branch', '-q', 'union', 'origin/union');
  clean.repo.git('remote', 'remove', 'origin');
  for (const ref of ['main', 'union']) await clean.run(['index', '--ref', ref]);
  await clean.run(['compact']);
  const expected = await stateOf(clean);
  const all = [...mates, newcomer];
  for (const mate of all) {
    mate.repo.git('pull', '-q', '--rebase', 'origin', 'main');
    mate.repo.git('fetch', '-q', 'origin', '+union:union');
    await mate.run(['pull']);
    for (const ref of ['main', 'union']) await mate.run(['index', '--ref', ref]);
    await mate.run(['push']);
  }
  for (const mate of all) {
    await mate.run(['pull']);
    mate.repo.git('reflog', 'expire', '--expire=now', '--all');
    await mate.run(['compact']);
    assert.deepEqual(await stateOf(mate), mate.sharesVectors ? expected : { ...expected, vectors: {} }, mate.name);
    assert.deepEqual([mate.repo.fsck(), debris(mate.repo)], ['', []], mate.name);
    await mate.run(['fsck']);
  }
  assert.equal(remote.fsck(), '');
  return { files, records: clean.repo.notes().size };
}

interface State {
  syntax: Record<string, string>;
  /** Where vectors are shared. */
  vectors: Record<string, string>;
  answers: unknown[];
}

/** Trees of notes, which are equal where all their bytes are, and answers. What 0.1.0 wrote is apart. */
async function stateOf({ repo, sharesVectors }: Mate): Promise<State> {
  const refs = Object.keys(repo.notesRefs()).filter((ref) => ref !== OLD_NOTES);
  const treesOf = (kind: string) =>
    Object.fromEntries(
      refs.filter((ref) => ref.includes(`/${kind}/`)).map((ref) => [ref, repo.git('rev-parse', `${ref}^{tree}`)]),
    );
  const answers: unknown[] = [];
  for (const query of QUERIES) {
    const { results, coverage } = await cliJson<SearchResponse>(['search', query], { cwd: repo.dir });
    answers.push({ results, coverage });
  }
  return { syntax: treesOf('syntax'), vectors: sharesVectors ? treesOf('vectors') : {}, answers };
}

campaign(
  'team',
  {
    bar: 'L4',
    claim:
      'after a week of a team, with rebases, compactions, two kinds of records and an upgrade, every clone equals a clean build',
    short: { mates: 3, late: 1, commits: 14 },
    long: { mates: 20, late: 3, commits: 2_000 },
    skip: LONG === null ? 'its short form takes 40 s of processor time; the long one is by hand' : false,
  },
  async ({ size, random, note }) => {
    const remote = createRepo({ bare: true });
    remote.git('fetch', '-q', join(FIXTURE, 'repository.bundle'), '+refs/*:refs/*');
    const old = remote.git('rev-parse', OLD_NOTES);
    const mates = Array.from({ length: size.mates }, (_, i) => new Mate(cloneRepo(remote), `mate${i}`, i % 2 === 0));
    const late = mates.slice(size.mates - size.late);
    for (const mate of late) mate.hasProgram = false;
    const team = new Team(remote, mates, random);
    for (let tenth = 1; tenth <= 10; tenth++) {
      await team.work(Math.ceil((size.commits * tenth) / 10));
      note(`${team.commits} commits, ${JSON.stringify(team.counts)}`);
      if (tenth === 5) for (const mate of late) await mate.upgrade();
    }
    const { files, records } = await judge(team);
    assert.equal(remote.git('rev-parse', OLD_NOTES), old, 'who has 0.1.0 finds its records');
    return { ...size, ...team.counts, commits: team.commits, contentsOfAllCommits: files, records, recordsLost: 0 };
  },
);
