/** A repository that stays open: one session, and all that answers share about it. */
import type { GraphPreparer } from '../graph/prepare.js';
import type { Searcher } from '../search/searcher.js';
import type { Session } from '../session.js';

export class Project {
  private graphPreparer: Promise<GraphPreparer> | null = null;

  private constructor(
    readonly session: Session,
    readonly searcher: Searcher,
  ) {}

  /** Throws NOT_A_REPOSITORY, UNSAFE_REPOSITORY and GIT_MISSING. */
  static async open(directory: string): Promise<Project> {
    const [{ Session }, { Searcher }] = await Promise.all([import('../session.js'), import('../search/searcher.js')]);
    const session = await Session.open({ directory });
    return new Project(session, new Searcher(session));
  }

  /** Where the work tree is, or the git directory of a bare repository: absolute. */
  get root(): string {
    const { workTree, gitDir } = this.session.repository;
    return workTree ?? gitDir;
  }

  /** Loaded with the first question about the graph. */
  graphs(): Promise<GraphPreparer> {
    this.graphPreparer ??= import('../graph/prepare.js').then(({ GraphPreparer }) => new GraphPreparer(this.session));
    return this.graphPreparer;
  }

  close(): void {
    this.session.close();
  }
}
