/** `doctor`: says what is there, what is wrong and what to do about it, in any state; changes nothing, whatever it finds. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type DoctorReport, doctorSchema } from '../../src/questions/doctor/question.js';
import { check } from '../support/check.js';
import { type CliOptions, cli } from '../support/processes/cli.js';
import { cleanPath } from '../support/repositories/hooks.js';
import { cloneRepo, createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

interface Found extends DoctorReport {
  code: number | null;
  /** `group/name: hint` of what needs attention. */
  wrong: string[];
  detail: (group: string, name: string) => string;
}

async function doctor(cwd: string, options: CliOptions = {}, ...flags: string[]): Promise<Found> {
  const { code, stdout, stderr } = await cli(['doctor', '--json', ...flags], { cwd, ...options });
  assert.equal(stderr, '');
  const report = check(doctorSchema, JSON.parse(stdout));
  const bad = report.checks.filter(({ ok }) => !ok);
  assert.deepEqual([code, report.ok], bad.length === 0 ? [0, true] : [1, false]);
  for (const check of report.checks) assert.equal(check.hint === null, check.ok, check.name);
  const wrong = bad.map(({ group, name, hint }) => `${group}/${name}: ${hint}`);
  const detail = (group: string, name: string) =>
    report.checks.find((check) => check.group === group && check.name === name)?.detail ?? 'none';
  return { ...report, code, wrong, detail };
}

function indexable(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const numbat = 1;\n', 'b.py': 'def quoll(): pass\n' });
  return repo;
}

test('nothing needs attention where nothing is wrong: no repository, none indexed, indexed, bare, unborn, linked', async () => {
  const nowhere = await doctor(makeDirectory('none'));
  assert.deepEqual([nowhere.wrong, nowhere.repository], [[], null]);
  const repo = indexable();
  const fresh = await doctor(repo.dir);
  assert.deepEqual([fresh.wrong, fresh.detail('storage', 'local state')], [[], 'nothing']);
  await cli(['index'], { cwd: repo.dir });
  await cli(['hooks', 'install'], { cwd: repo.dir });
  repo.git('config', 'socraticode.search.limit', '5');
  const full = await doctor(repo.dir);
  assert.deepEqual(full.wrong, []);
  assert.match(full.detail('configuration', 'search.limit'), /^5 \(git config \(local/);
  assert.match(full.detail('index', 'files'), /^2 of 2 files of HEAD/);
  assert.equal(full.detail('hooks', 'post-commit'), 'installed');
  const records = full.checks.find(({ facts }) => facts.use === 'current');
  assert.deepEqual([records?.group, records?.facts.records], ['index', 2]);
  const versions = full.checks.find(({ name }) => name === 'grammars')?.facts ?? {};
  assert.match(String(versions.python), /^[0-9a-f]{16}$/);
  assert.match(full.detail('program', 'patterns'), /read in all languages with a grammar$/);
  const { stdout } = await cli(['doctor'], { cwd: repo.dir });
  assert.match(stdout, /^program\n {2}ok git-socraticode .*\n[\s\S]*\n\nall is well \(\d+ checks\)\n$/);
  const linked = join(makeDirectory('linked'), 'tree');
  repo.git('worktree', 'add', '-q', linked);
  for (const directory of [createRepo().dir, createRepo({ bare: true }).dir, linked])
    assert.deepEqual((await doctor(directory)).wrong, []);
});

test('what the remote had is compared with what is here, without asking it', async () => {
  const origin = indexable();
  await cli(['index'], { cwd: origin.dir });
  const clone = cloneRepo(origin);
  const first = await doctor(clone.dir);
  assert.match(first.detail('sharing', 'remote'), /^origin \(/);
  await cli(['pull'], { cwd: clone.dir });
  clone.git('remote', 'set-url', 'origin', 'https://me:secret@host.invalid/x.git?token=1');
  const seen = await doctor(clone.dir);
  assert.deepEqual(
    [seen.wrong, seen.detail('sharing', 'index of the remote')],
    [[], 'the same records here and there, when it was last asked'],
  );
  assert.doesNotMatch(JSON.stringify(seen), /secret|token/);
});

test('every kind of damage is named with what to do, and left as it is', async () => {
  const repo = indexable();
  await cli(['index'], { cwd: repo.dir });
  await cli(['hooks', 'install'], { cwd: repo.dir });
  const git = join(repo.dir, '.git');
  const folder = readdirSync(repo.state).find((name) => /^[0-9a-f]{12}/.test(name)) as string;
  appendFileSync(join(repo.state, folder, 'manifest.json'), 'x');
  repo.write({ '.socraticode.json': '{"search": {"limit": 500}}', '.socraticodecontextartifacts.json': '[' });
  writeFileSync(join(git, 'refs/notes/socraticode/syntax/0123456789ab'), 'junk\n');
  const lock = join(git, 'index.lock');
  writeFileSync(lock, '');
  utimesSync(lock, 1, 1);
  const hook = join(git, 'hooks', 'post-merge');
  writeFileSync(hook, readFileSync(hook, 'utf8').replace('unset CDPATH', 'unset CDPATH OTHER'));
  rmSync(join(git, 'hooks', 'post-commit'));
  appendFileSync(
    join(repo.state, 'log.jsonl'),
    '{"time":"2024-01-02T03:04:05Z","level":"error","pid":1,"command":"hook","event":"hook","message":"failed here: DISK full"}\n',
  );
  const before = fingerprint(repo.dir);
  const { wrong, detail } = await doctor(repo.dir, { env: { PATH: cleanPath() } });
  assert.deepEqual(fingerprint(repo.dir), before);
  assert.deepEqual(
    wrong.map((text) => text.replace(/: .*/s, '')),
    [
      ...['configuration/settings', 'configuration/artifacts', 'index/shards', 'index/syntax/0123456789ab'],
      ...['hooks/post-commit', 'hooks/post-merge', 'hooks/program', 'hooks/last run', 'locks/of git'],
    ],
  );
  assert.match(
    wrong.join('\n'),
    /git socraticode index builds[\s\S]*git update-ref -d[\s\S]*hooks install[\s\S]*rm .*index\.lock/,
  );
  assert.match(detail('storage', 'log'), /DISK full/);
});

test('a repository that git cannot open is explained', async () => {
  const break_ = async (change: (git: string) => void) => {
    const repo = indexable();
    change(join(repo.dir, '.git'));
    const { wrong, detail, repository } = await doctor(repo.dir);
    assert.deepEqual([wrong.length, repository], [1, null]);
    return `${detail('repository', 'place')}: ${wrong[0]}`;
  };
  assert.match(await break_((git) => rmSync(join(git, 'HEAD'))), /HEAD is missing.*refs\/heads\/NAME/);
  assert.match(await break_((git) => appendFileSync(join(git, 'config'), '[[[')), /bad config line.*editor/);
  assert.match(await break_((git) => rmSync(join(git, 'refs'), { recursive: true })), /refs is missing.*mkdir/);
  const gone = indexable();
  const commit = gone.git('rev-parse', 'HEAD');
  rmSync(join(gone.dir, '.git/objects', commit.slice(0, 2)), { recursive: true });
  const { wrong, detail } = await doctor(gone.dir);
  assert.deepEqual([wrong.length, wrong[0].startsWith('repository/HEAD')], [1, true]);
  assert.equal(detail('index', 'files'), 'not known: see repository, HEAD');
  const lost = makeDirectory('lost');
  mkdirSync(join(lost, 'inner'));
  writeFileSync(join(lost, '.git'), 'gitdir: /nowhere/at/all\n');
  assert.match((await doctor(join(lost, 'inner'))).wrong[0], /worktree repair/);
});

/** Every file below, with its content. */
function fingerprint(directory: string): string[] {
  return (readdirSync(directory, { recursive: true }) as string[])
    .map((name) => {
      const stat = lstatSync(join(directory, name));
      const content = stat.isFile()
        ? createHash('sha1')
            .update(readFileSync(join(directory, name)))
            .digest('hex')
        : '';
      return `${name} ${stat.mtimeMs} ${content}`;
    })
    .sort();
}
