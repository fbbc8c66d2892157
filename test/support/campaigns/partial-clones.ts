/** Clones that lack objects, and everything that can be asked of one. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliResult, cli } from '../processes/cli.js';
import { cloneRepo, makeDirectory, runGit, type TestRepo } from '../repositories/repo.js';
import { manyFiles, PROJECT } from '../repositories/samples.js';
import { remoteWith } from '../repositories/share.js';

/** Options of `git clone`; of the checked out ones git itself has brought the files of HEAD. */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  'without blobs, not checked out': ['--filter=blob:none', '--no-checkout'],
  'without trees, not checked out': ['--filter=tree:0', '--no-checkout'],
  'without blobs': ['--filter=blob:none'],
  'without trees': ['--filter=tree:0'],
  'without large blobs, not checked out': ['--filter=blob:limit=1k', '--no-checkout'],
  sparse: ['--filter=blob:none', '--sparse'],
  'shallow, without blobs': ['--filter=blob:none', '--depth=1', '--no-checkout'],
};

/** The first ones are enough for a short look. */
export const QUESTIONS: readonly (readonly string[])[] = [
  ['search', 'rememberToken', '--committed'],
  ['history', 'rememberToken'],
  ['status'],
  ['index'],
  ['search', 'rememberToken'],
  ['search', 'rememberToken', '--ref', 'HEAD~1'],
  ['search', 'rememberToken', '--all-refs'],
  ['similar', 'src/session.ts'],
  ['graph', 'impact', 'loadSessions'],
  ['graph', 'symbol', 'SessionStore'],
  ['graph', 'symbols', 'remember'],
  ['graph', 'deps', 'src/session.ts'],
  ['graph', 'outline', 'src/session.ts'],
  ['graph', 'stats'],
  ['graph', 'cycles'],
  ['history', '--words', 'closest depot'],
  ['history', 'rememberToken', '--deleted'],
  ['diff', 'HEAD~1'],
  ['pack', 'remember a token for a user'],
  ['context', 'list'],
  ['profiles'],
  ['fsck'],
  ['doctor'],
];

/** A remote with history: files that changed, moved and went, and one beyond the size of a filter. */
export function remoteOfClones(files: number): TestRepo {
  const { remote, clone } = remoteWith({
    ...PROJECT,
    'src/old.ts': 'export const oldThing = 1;\n',
    ...manyFiles(files),
  });
  remote.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  clone.commit({ 'src/large.ts': `export const large = '${'x'.repeat(3_000)}';\n` });
  clone.git('mv', 'src/part0.ts', 'src/moved.ts');
  clone.git('rm', '-q', 'src/old.ts');
  clone.commit({ 'lib/depot.py': 'def nearest_depot(parcel):\n    return parcel\n' });
  clone.git('push', '-q', 'origin', 'main');
  return remote;
}

export const cloneOf = (remote: TestRepo, kind: string): TestRepo => cloneRepo(remote, ...KINDS[kind]);

/** Objects that the repository names and does not have; asked without git fetching any. */
export function missingIn(repo: TestRepo): number {
  const args = ['rev-list', '--objects', '--branches', '--missing=print'];
  const lines = runGit(args, { cwd: repo.dir, env: { GIT_ALLOW_PROTOCOL: 'none' } })
    .toString()
    .split('\n');
  return lines.filter((line) => line.startsWith('?')).length;
}

/** Asks, and counts how often git so much as tried to fetch. */
export async function askWatched(
  repo: TestRepo,
  question: readonly string[],
): Promise<CliResult & { fetches: number; commands: number }> {
  const trace = join(makeDirectory('trace'), 'events');
  const result = await cli(question, { cwd: repo.dir, env: { GIT_TRACE2_EVENT: trace } });
  return { ...result, ...readTrace(trace) };
}

export function readTrace(trace: string): { fetches: number; commands: number } {
  const lines = existsSync(trace) ? readFileSync(trace, 'utf8').split('\n').filter(Boolean) : [];
  const events = lines.map((line) => JSON.parse(line) as { event: string; argv?: string[] });
  const isFetch = ({ event, argv }: { event: string; argv?: string[] }) =>
    /^(start|child_start)$/.test(event) &&
    argv?.some((arg) => /^(fetch|fetch-pack|git-upload-pack.*)$/.test(arg)) === true;
  rmSync(trace, { force: true });
  return { fetches: events.filter(isFetch).length, commands: events.filter(({ event }) => event === 'start').length };
}

/** A repository that came in an archive: it calls itself a partial clone, and its promisor is a command. */
export function makeHostile(repo: TestRepo): { canary: string; hasSung: () => boolean } {
  const canary = join(makeDirectory('canary'), 'sung');
  const script = join(repo.commonDir, 'bird');
  writeFileSync(script, `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
  const settings: [key: string, value: string][] = [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'evil'],
    ['remote.evil.url', `ext::${script} %S`],
    ['remote.evil.promisor', 'true'],
    ['remote.evil.partialCloneFilter', 'blob:none'],
    ['remote.evil.uploadpack', script],
    ['remote.origin.uploadpack', script],
    ['remote.origin.promisor', 'true'],
    ['protocol.ext.allow', 'always'],
    ['protocol.allow', 'always'],
    ['core.sshCommand', script],
    ['core.gitProxy', script],
    ['credential.helper', `!${script}`],
    ['fetch.fsmonitor', script],
  ];
  for (const [key, value] of settings) repo.git('config', key, value);
  return { canary, hasSung: () => existsSync(canary) };
}
