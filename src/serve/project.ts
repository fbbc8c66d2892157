/** A repository that a server keeps open: one session, with the preparers and caches that its questions share. */
import { basename } from 'node:path';
import type { GraphPreparer } from '../session/graph/prepare.js';
import type { OverlayPreparer } from '../session/overlay/prepare.js';
import type { Searcher } from '../session/search/searcher.js';
import type { Session } from '../session/session.js';
import type { SnapshotPreparer } from '../session/snapshot/prepare.js';
import type { Background } from './background.js';
import type { Waits } from './grace.js';
import { Lifeline, type Pulse } from './lifeline.js';

interface Parts {
  session: Session;
  snapshots: SnapshotPreparer;
  overlays: OverlayPreparer;
  searcher: Searcher;
  background: Background;
}

/** Progress of indexing in files, or in chunks while embedding; `total` is null while unknown. */
interface IndexingState {
  done: number;
  total: number | null;
}

export class Project {
  readonly session: Session;
  readonly searcher: Searcher;
  /** Indexes and links in a child process. */
  readonly background: Background;
  private readonly snapshots: SnapshotPreparer;
  private readonly overlays: OverlayPreparer;
  private readonly lifeline: Lifeline;
  private graphPreparer: Promise<GraphPreparer> | null = null;
  private readonly made = new Map<unknown, Promise<unknown>>();

  private constructor({ session, snapshots, overlays, searcher, background }: Parts) {
    this.session = session;
    this.snapshots = snapshots;
    this.overlays = overlays;
    this.searcher = searcher;
    this.background = background;
    this.lifeline = new Lifeline(session);
    session.backgroundIndexer = background;
  }

  /** `waits` hears of questions that wait for the background process. Throws NOT_A_REPOSITORY, UNSAFE_REPOSITORY and GIT_MISSING. */
  static async open(directory: string, waits?: Waits): Promise<Project> {
    const [{ Session }, { Searcher }, { SnapshotPreparer }, { OverlayPreparer }, { Background }] = await Promise.all([
      import('../session/session.js'),
      import('../session/search/searcher.js'),
      import('../session/snapshot/prepare.js'),
      import('../session/overlay/prepare.js'),
      import('./background.js'),
    ]);
    const session = await Session.open({ directory });
    const snapshots = new SnapshotPreparer(session);
    const overlays = new OverlayPreparer(session, snapshots);
    const searcher = new Searcher(session, overlays);
    return new Project({ session, snapshots, overlays, searcher, background: new Background(session, waits) });
  }

  /** Absolute path of the work tree, or of the git directory of a bare repository. */
  get root(): string {
    const { workTree, gitDir } = this.session.repository;
    return workTree ?? gitDir;
  }

  /** Returns `projectId` of the settings, else the name of the directory. */
  async name(): Promise<string> {
    const { config } = await this.session.configOf(null, true).catch(() => ({ config: { projectId: undefined } }));
    return config.projectId ?? basename(this.root).replace(/\.git$/, '');
  }

  /** Imports the graph preparer with the first question about the graph. */
  graphs(): Promise<GraphPreparer> {
    this.graphPreparer ??= import('../session/graph/prepare.js').then(
      ({ GraphPreparer }) => new GraphPreparer(this.session, this.snapshots, this.overlays),
    );
    return this.graphPreparer;
  }

  /** Result of `make`, which runs once per project; the function itself is the key. */
  once<T>(make: (project: Project) => Promise<T>): Promise<T> {
    const made = (this.made.get(make) as Promise<T> | undefined) ?? make(this);
    this.made.set(make, made);
    return made;
  }

  /** Progress of the files that answers still lack; null if nothing is being indexed. */
  get indexing(): IndexingState | null {
    const { running } = this.background.state();
    if (running === null || running.phase === 'linking') return null;
    return { done: running.done, total: running.total === 0 ? null : running.total };
  }

  /** True while a watcher reports changes of the work tree, so that git need not be asked. */
  get watches(): boolean {
    return this.overlays.watches;
  }

  /** Starts the watcher now instead of with the second question; resolves when it runs, or cannot. */
  startWatching(): Promise<void> {
    return this.overlays.startWatching();
  }

  /** Checks whether the repository is still the one that was opened; after `changed` open it again. */
  check(): Promise<Pulse> {
    return this.lifeline.check();
  }

  close(): void {
    this.background.close();
    this.session.close();
  }
}
