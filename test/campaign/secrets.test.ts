/** S8: what is secret or private reaches neither the index nor another machine, and what was removed is gone. */
import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { IndexReport } from '../../src/questions/index/question.js';
import { decodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { campaign } from '../support/campaigns/campaign.js';
import { everyCommand } from '../support/campaigns/every-command.js';
import { SECRETS_BY_CONTENT, SECRETS_BY_NAME } from '../support/hostile/secrets.js';
import { cloneRepo, createRepo, makeDirectory, runGit, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { everything } from '../support/repositories/share.js';
import { assertCalm, runHere } from '../support/spies/spy.js';

const CANARY = /canary\w*/gi;
/** Every secret has this in it, in any letters. */
const canariesIn = (text: string): string[] => [...new Set(text.match(CANARY) ?? [])];

const MAGIC_RECORD = 'SCR';

/** Files below a directory, as text; what is no regular file is left out. */
function filesIn(directory: string): string {
  const names = readdirSync(directory, { recursive: true }) as string[];
  const files = names.map((name) => join(directory, name)).filter((path) => lstatSync(path).isFile());
  return files.map((path) => `${path}\n${readFileSync(path, 'latin1')}`).join('\n');
}

/** All notes of a ref, with what their records say once they are unpacked. */
function notesText(repo: TestRepo): string {
  const refs = Object.keys(repo.notesRefs());
  return refs.flatMap((ref) => [...recordsOf(repo, ref)].map(([target, bytes]) => unpacked(target, bytes))).join('\n');
}

function recordsOf(repo: TestRepo, ref: string): Map<string, Buffer> {
  const lines = repo.git('ls-tree', '-r', ref).split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [about, path] = line.split('\t');
      return [path.replaceAll('/', ''), runGit(['cat-file', 'blob', about.split(' ')[2]], { cwd: repo.dir })];
    }),
  );
}

function unpacked(target: string, bytes: Buffer): string {
  const decoded = decodeSyntaxRecord(bytes, target);
  return `${target} ${bytes.toString('latin1')} ${decoded.ok ? JSON.stringify(decoded.record) : MAGIC_RECORD}`;
}

async function run(repo: TestRepo, ...args: string[]): Promise<string> {
  const result = await runHere(['-C', repo.dir, ...args]);
  assertCalm(result, args.join(' '));
  return `${result.stdout}${result.stderr}`;
}

/** Secrets by name and by content: nothing that is kept, exported or answered has any of them. */
async function withoutSecrets(every: number): Promise<number> {
  const repo = createRepo();
  const secrets = [...SECRETS_BY_NAME, ...SECRETS_BY_CONTENT];
  const files = Object.fromEntries(secrets.map(({ path, content }) => [path, content]));
  repo.commit(PROJECT);
  repo.commit({ ...files, '.env.example': 'API_KEY=publicplaceholder\n' });
  const report = JSON.parse(await run(repo, 'index', '--json')) as IndexReport;
  const { results } = JSON.parse(await run(repo, 'search', 'canary', '--limit', '100', '--json'));
  const found = results.map(({ path }: { path: string }) => path);
  assert.deepEqual([report.skipped.secret, found], [secrets.length, []]);
  // Uncommitted copies, and every other way in.
  for (const { path, content } of SECRETS_BY_CONTENT) repo.write({ [path]: `${content}// changed\n` });
  repo.write({ 'more/.env': 'canaryuncommitted=1\n' });
  const out = join(makeDirectory('out'), 'export');
  const commands = everyCommand(out).filter(([name], i) => name !== 'remove' && (i % every === 0 || name === 'export'));
  commands.unshift(...forSecrets([...secrets.map(({ path }) => path), 'more/.env']));
  // What they say of changed files is their names; `diff` and `history` read what was committed.
  for (const command of commands) assert.deepEqual(canariesIn(await run(repo, ...command)), [], command.join(' '));
  const kept = [filesIn(repo.state), filesIn(out), notesText(repo)];
  assert.deepEqual(kept.map(canariesIn), [[], [], []]);
  assert.ok(kept[0].includes('publicplaceholder'));
  return secrets.length;
}

/** Questions that print lines of files, asked for the secrets themselves; a word of all secrets that is no secret is looked for. */
function forSecrets(paths: readonly string[]): string[][] {
  const word = 'xq7vt2mk9pl4wz8sb3nr6';
  const searches = [
    [],
    ['--ref', 'HEAD'],
    ['--all-refs'],
    ['--in', 'HEAD~1..HEAD'],
    ['--multiline'],
    ['--context', '3'],
  ];
  const lines = ['.', word, 'BEGIN|KEY|oken'].flatMap((pattern) =>
    searches.map((at) => ['grep', '-i', pattern, ...at]),
  );
  const shown = [[], ['--ref', 'HEAD'], ['--skeleton']].flatMap((at) => [
    ['show', ...paths, ...at],
    ['show', paths[0], ...at],
  ]);
  return [...lines, ...shown];
}

type Code = (name: string) => Record<string, string>;

function commitOn(repo: TestRepo, name: string, files: Record<string, string>, ...checkout: string[]): string {
  repo.git('checkout', '-q', ...checkout);
  const commit = repo.commit(files, name);
  repo.git('checkout', '-q', 'main');
  return commit;
}

/** Places where a repository has code that its remote has not; each says what to index, before it is gone. */
const PRIVATE: Record<string, (repo: TestRepo, code: Code) => string | null> = {
  'a branch': (repo, code) => commitOn(repo, 'branch', code('branch'), '-b', 'private'),
  'a branch of another remote': (repo, code) => {
    const commit = commitOn(repo, 'other', code('other'), '-b', 'theirs');
    repo.git('push', '-q', 'other', 'theirs');
    return commit;
  },
  'a deleted branch': (repo, code) => {
    const commit = commitOn(repo, 'deleted', code('deleted'), '-b', 'gone');
    repo.git('branch', '-q', '-D', 'gone');
    return commit;
  },
  'a tag': (repo, code) => {
    const commit = commitOn(repo, 'tag', code('tag'), '--detach');
    repo.git('tag', '-a', '-m', 'x', 'private-tag', commit);
    return commit;
  },
  'an amended commit': (repo, code) => {
    const commit = repo.commit(code('amended'));
    repo.git('rm', '-q', Object.keys(code('amended'))[0]);
    repo.git('commit', '-q', '--amend', '--allow-empty', '-m', 'amended');
    return commit;
  },
  'a stash': (repo, code) => {
    repo.write(code('stash'));
    repo.git('stash', '-q', '-u');
    return 'stash^3';
  },
  'the index': (repo, code) => {
    repo.write(code('staged'));
    repo.git('add', '-A');
    return null;
  },
  'the work tree': (repo, code) => {
    repo.write(code('worktree'));
    return null;
  },
};

const code: Code = (name) => ({
  [`src/${name}.ts`]: `/** canarydoc${name} */\nexport function canary${name}(): number {\n  return 1;\n}\n`,
});

/** The sources of several commits in one, which is on no branch: its records are those that each of them would give. */
function allOf(repo: TestRepo, refs: readonly string[]): string {
  const lines = new Set(refs.flatMap((ref) => repo.git('ls-tree', `${ref}:src`).split('\n')));
  const tree = repo.gitInput(`${[...lines].join('\n')}\n`, 'mktree');
  return repo.git('commit-tree', '-m', 'all', repo.gitInput(`040000 tree ${tree}\tsrc\n`, 'mktree'));
}

/** What a push sends is about blobs that the remote has; its history holds nothing else, and names nobody. */
async function pushesNothingPrivate(isLong: boolean): Promise<{ remote: TestRepo; repo: TestRepo; objects: number }> {
  const [remote, other] = [createRepo({ bare: true }), createRepo({ bare: true })];
  const repo = createRepo();
  repo.git('remote', 'add', 'origin', remote.dir);
  repo.git('remote', 'add', 'other', other.dir);
  repo.commit(PROJECT);
  repo.git('push', '-q', '-u', 'origin', 'main');
  const refs = Object.values(PRIVATE).flatMap((make) => make(repo, code) ?? []);
  for (const ref of isLong ? refs : [allOf(repo, refs)]) await run(repo, 'index', '--ref', ref);
  await run(repo, 'search', 'canary');
  // Or this proves nothing: of each place but the last two there is a record.
  const local = new Set(Object.keys(repo.notesRefs()).flatMap((ref) => [...recordsOf(repo, ref).keys()]));
  for (const name of ['branch', 'other', 'deleted', 'tag', 'amended', 'stash'])
    assert.ok(local.has(repo.blob(Object.values(code(name))[0])), name);
  await run(repo, 'push', 'origin');
  await run(repo, 'compact');
  // A commit made without the index, which has a canary in it.
  repo.git('push', '-q', 'origin', `${repo.git('commit-tree', '-p', 'main', '-m', 'more', 'main^{tree}')}:main`);
  await run(repo, 'push', 'origin', '--all');
  assertClean(remote);
  return { remote, repo, objects: remote.git('cat-file', '--batch-all-objects', '--batch-check').split('\n').length };
}

function assertClean(remote: TestRepo): void {
  assert.deepEqual(canariesIn(everything(remote) + notesText(remote)), []);
  const reachable = new Set(
    remote.git('rev-list', '--objects', '--no-object-names', '--branches', '--tags').split('\n'),
  );
  for (const ref of Object.keys(remote.notesRefs())) {
    const targets = [...recordsOf(remote, ref).keys()];
    assert.ok(targets.length > 0);
    assert.deepEqual(
      targets.filter((target) => !reachable.has(target)),
      [],
    );
    const about = remote.git('log', '--format=%an %ae %cn %ce%n%B', ref);
    const own = [hostname(), userInfo().username, process.env.HOME ?? '', 'A U Thor', 'author@example.com'];
    assert.deepEqual(
      own.filter((text) => text.length > 4 && about.includes(text)),
      [],
      about,
    );
  }
}

/** After `remove` and git's own gc nothing is left of what was private, here or there. */
async function removes(remote: TestRepo, repo: TestRepo): Promise<void> {
  for (const args of [['compact'], ['remove'], ['remove', '--remote', 'origin', '--yes']]) await run(repo, ...args);
  assert.deepEqual([remote.notesRefs(), repo.notesRefs()], [{}, {}]);
  repo.git('reset', '-q', '--hard');
  repo.git('clean', '-qfdx');
  repo.git('branch', '-q', '-D', 'private', 'theirs');
  repo.git('tag', '-d', 'private-tag');
  repo.git('stash', 'drop', '-q');
  repo.git('update-ref', '-d', 'refs/remotes/other/theirs');
  for (const at of [repo, remote]) {
    at.git('reflog', 'expire', '--expire=now', '--all');
    at.git('gc', '-q', '--prune=now');
    const left = everything(at) + filesIn(at.commonDir).replaceAll(/^.*COMMIT_EDITMSG$/gm, '');
    assert.deepEqual(canariesIn(left), []);
  }
}

campaign(
  'secrets',
  {
    bar: 'S8',
    claim: 'no secret is in notes, shards, exports or answers; a push sends only records of what the remote has',
    short: { every: 16 },
    long: { every: 1 },
  },
  async ({ size, isLong, note }) => {
    const secrets = await withoutSecrets(size.every);
    note('nothing secret is kept');
    const { remote, repo, objects } = await pushesNothingPrivate(isLong);
    note('nothing private was pushed');
    await run(cloneRepo(remote), 'search', 'canary');
    await removes(remote, repo);
    return {
      secrets,
      'private places': Object.keys(PRIVATE).length,
      'objects of the remote looked at': objects,
      'canaries on the remote': 0,
      'canaries after remove and gc': 0,
    };
  },
);
