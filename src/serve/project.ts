/** A repository that stays open: one session, and all that answers share about it. */
import { basename } from 'node:path';
import type { GraphPreparer } from '../session/graph/prepare.js';
import type { OverlayPreparer } from '../session/overlay/prepare.js';
import type { Searcher } from '../session/search/searcher.js';
import type { Session } from '../session/session.js';
import type { SnapshotPreparer } from '../session/snapshot/prepare.js';
import type { Background } from './background.js';
import { Lifeline, type Pulse } from './lifeline.js';

interface Parts {
  session: Session;
  snapshots: SnapshotPreparer;
  uncommitted: OverlayPreparer;
  searcher: Searcher;
  background: Background;
}

/** How far indexing is, in files (or chunks, where it is vectors that are missing); `total` null where it is not known yet. */
export interface IndexingState {
  done: number;
  total: number | null;
}

export class Project {
  readonly session: Session;
  readonly searcher: Searcher;
  /** Indexes and links, in a process of its own. */
  readonly background: Background;
  private readonly snapshots: SnapshotPreparer;
  private readonly uncommitted: OverlayPreparer;
  private readonly lifeline: Lifeline;
  private graphPreparer: Promise<GraphPreparer> | null = null;
  private readonly made = new Map<unknown, Promise<unknown>>();

  private constructor({ session, snapshots, uncommitted, searcher, background }: Parts) {
    this.session = session;
    this.snapshots = snapshots;
    this.uncommitted = uncommitted;
    this.searcher = searcher;
    this.background = background;
    this.lifeline = new Lifeline(session);
    session.backgroundIndexer = background;
  }

  /** Throws NOT_A_REPOSITORY, UNSAFE_REPOSITORY and GIT_MISSING. */
  static async open(directory: string): Promise<Project> {
    const [{ Session }, { Searcher }, { SnapshotPreparer }, { OverlayPreparer }, { Background }] = await Promise.all([
      import('../session/session.js'),
      import('../session/search/searcher.js'),
      import('../session/snapshot/prepare.js'),
      import('../session/overlay/prepare.js'),
      import('./background.js'),
    ]);
    const session = await Session.open({ directory });
    const snapshots = new SnapshotPreparer(session);
    const uncommitted = new OverlayPreparer(session, snapshots);
    const searcher = new Searcher(session, uncommitted);
    return new Project({ session, snapshots, uncommitted, searcher, background: new Background(session) });
  }

  /** Where the work tree is, or the git directory of a bare repository: absolute. */
  get root(): string {
    const { workTree, gitDir } = this.session.repository;
    return workTree ?? gitDir;
  }

  /** `projectId` of the settings, or the name of the directory. */
  async name(): Promise<string> {
    const { config } = await this.session.configOf(null, true).catch(() => ({ config: { projectId: undefined } }));
    return config.projectId ?? basename(this.root).replace(/\.git$/, '');
  }

  /** Loaded with the first question about the graph. */
  graphs(): Promise<GraphPreparer> {
    this.graphPreparer ??= import('../session/graph/prepare.js').then(
      ({ GraphPreparer }) => new GraphPreparer(this.session, this.snapshots, this.uncommitted),
    );
    return this.graphPreparer;
  }

  /** Result of `make`, which runs once per project; the function itself is the key. */
  once<T>(make: (project: Project) => Promise<T>): Promise<T> {
    const made = (this.made.get(make) as Promise<T> | undefined) ?? make(this);
    this.made.set(make, made);
    return made;
  }

  /** What is missing from answers and on its way; null where nothing is. */
  get indexing(): IndexingState | null {
    const { running } = this.background.state();
    if (running === null || running.phase === 'linking') return null;
    return { done: running.done, total: running.total === 0 ? null : running.total };
  }

  /** Are changes of the work tree noticed by themselves, without asking git? */
  get watches(): boolean {
    return this.uncommitted.watches;
  }

  /** Watches from now on, not from the second question; resolves when it does, or cannot. */
  startWatching(): Promise<void> {
    return this.uncommitted.startWatching();
  }

  /** Is it still what was opened? `changed`: open it anew. */
  check(): Promise<Pulse> {
    return this.lifeline.check();
  }

  close(): void {
    this.background.close();
    this.session.close();
  }
}
