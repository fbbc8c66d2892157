/** What an index holds in the end, made comparable with that of a clean build. */
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { SearchResponse } from '../../../../src/questions/search/question.js';
import { Searcher } from '../../../../src/session/search/searcher.js';
import { Session } from '../../../../src/session/session.js';
import { cliJson } from '../../processes/cli.js';
import { runGit, type TestRepo } from '../../repositories/repo.js';
import { WORK_BRANCH } from './history.js';

/** A branch `union` with every content that any path of any commit ever had: one snapshot that has it all. */
export function unionCommit(repo: TestRepo): { commits: number; files: number } {
  const log = ['log', '--branches', '--raw', '-z', '-m', '--root', '--no-renames', '--no-abbrev', '--format='];
  const parts = runGit(log, { cwd: repo.dir }).toString('latin1').split('\0');
  const seen = new Map<string, string>();
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, mode, , oid] = parts[i].trim().split(' ');
    if (mode?.startsWith('100')) seen.set(`${oid} ${parts[i + 1]}`, parts[i + 1]);
  }
  const lines = [...seen].map(([key, path], i) => `100644 ${key.split(' ')[0]}\ts${i}/${path}\0`);
  const env = { GIT_INDEX_FILE: join(repo.commonDir, 'union-index') };
  runGit(['update-index', '-z', '--index-info'], { cwd: repo.dir, env, input: Buffer.from(lines.join(''), 'latin1') });
  const tree = runGit(['write-tree'], { cwd: repo.dir, env }).toString().trim();
  runGit(['read-tree', '--empty'], { cwd: repo.dir, env });
  repo.commitTree(tree, 'refs/heads/union');
  return { commits: Number(repo.git('rev-list', '--count', '--branches')), files: seen.size };
}

const QUERIES = ['how are options parsed', 'error handling', 'export function', 'test', 'parse', 'made3', 'config'];

/** What is found in all there is, and in the newest commit; scores included, names of commits left out. */
export async function answersOf(repo: TestRepo): Promise<unknown[]> {
  const session = await Session.open({ directory: repo.dir });
  try {
    const searcher = new Searcher(session);
    const answers: unknown[] = [];
    for (const ref of ['union', WORK_BRANCH]) {
      for (const query of QUERIES) {
        const { results, coverage }: SearchResponse = await searcher.search({ query, ref, limit: 20 });
        answers.push({ query, coverage, results });
      }
    }
    return answers;
  } finally {
    session.close();
  }
}

const AN_HOUR_MS = 3_600_000;

/** Lets time pass for what is there, and publishes once more: files of replaced shards stay for some minutes, for those who read them. */
export async function publishLater(repo: TestRepo): Promise<void> {
  const then = new Date(Date.now() - AN_HOUR_MS);
  for (const name of readdirSync(repo.state, { recursive: true }) as string[])
    utimesSync(join(repo.state, name), then, then);
  repo.commitTree(repo.rawTree([{ oid: repo.blob('the last one\n'), name: 'last.txt' }]), 'refs/heads/later');
  await cliJson(['index', '--ref', 'later'], { cwd: repo.dir });
}

/** Bytes of the notes, packed by gc, and of the local state, by folder and ending. */
export function indexBytes(repo: TestRepo): Record<string, number> {
  repo.git('gc', '-q', '--prune=now');
  const bytes: Record<string, number> = {};
  bytes.notes = Number(repo.git('rev-list', '--objects', '--disk-usage', ...Object.keys(repo.notesRefs())));
  for (const name of readdirSync(repo.state, { recursive: true }) as string[]) {
    const stat = statSync(join(repo.state, name));
    const kind = `${dirname(name).replace(/-[0-9a-f]{8}(?=\/|$)/, '')}/*${extname(name)}`;
    if (stat.isFile()) bytes[kind] = (bytes[kind] ?? 0) + stat.size;
  }
  return bytes;
}

export function totalOf(bytes: Record<string, number>): number {
  return Object.values(bytes).reduce((sum, size) => sum + size, 0);
}
