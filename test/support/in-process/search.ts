/** Searching inside the test process, through the same path as the command line. */
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SearchResponse } from '../../../src/questions/search/question.js';
import { Searcher, type SearchOptions } from '../../../src/session/search/searcher.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, type TestRepo } from '../repositories/repo.js';
import './kept-parsers.js';

const FIXTURES = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));

/** A repository whose only commit is a folder of `fixtures`. */
export function fixtureRepo(name: string): TestRepo {
  const repo = createRepo();
  cpSync(`${FIXTURES}${name}`, repo.dir, { recursive: true });
  repo.commit();
  return repo;
}

/** What one process would be: a session of its own, with the trees counted that it lists. */
export class Process {
  listed = 0;
  readonly searcher: Searcher;

  private constructor(readonly session: Session) {
    this.searcher = new Searcher(session);
    const { objects } = session;
    const list = objects.list.bind(objects);
    objects.list = (tree) => {
      this.listed++;
      return list(tree);
    };
  }

  static async open(repo: TestRepo, flags: Record<string, unknown> = {}): Promise<Process> {
    return new Process(await Session.open({ directory: repo.dir, flags }));
  }

  search(query: string, options: Omit<SearchOptions, 'query'> = {}): Promise<SearchResponse> {
    return this.searcher.search({ query, ...options });
  }

  close(): void {
    this.session.close();
  }
}

/** Runs `work` in a process that ends with it. */
export async function inProcess<T>(
  repo: TestRepo,
  work: (process: Process) => Promise<T>,
  flags: Record<string, unknown> = {},
): Promise<T> {
  const process = await Process.open(repo, flags);
  try {
    return await work(process);
  } finally {
    process.close();
  }
}
