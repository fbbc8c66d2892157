/** Reads the changes of the work tree from git: at every query or, with a watcher, only after a file event. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onePer } from '../../base/cache.js';
import { log } from '../../base/log.js';
import { RuleFiles } from '../../git/repository.js';
import type { WorkTreeChanges } from '../../git/status.js';
import type { WorkTreeWatcher } from '../../overlay/watcher.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from './snapshot.js';

/** Time from an answer until its state is written for the next process, in milliseconds. */
const SAVE_AFTER_MS = 300;

interface Latest {
  /** Version of the watcher when git was run; null without a watcher. */
  version: number | null;
  changes: Promise<WorkTreeChanges>;
}

export class ChangeSource {
  private latest: Latest | null = null;
  /** The last changes of git together with the texts of an editor. Equal changes stay one object. */
  private edited: { of: WorkTreeChanges; version: number; changes: WorkTreeChanges } | null = null;
  private watcher: WorkTreeWatcher | null = null;
  private starting: Promise<void> | null = null;
  private readonly rules: RuleFiles;
  private queries = 0;
  private closed = false;
  private saving: NodeJS.Timeout | null = null;

  constructor(
    private readonly session: Session,
    private readonly mayWatch: boolean,
  ) {
    this.rules = new RuleFiles(session.repository, session.gitConfig);
  }

  /** Returns the source of a session. It watches the work tree from the second question on. */
  static readonly of = onePer((session: Session) => {
    const source = new ChangeSource(session, true);
    session.onClose(() => source.close());
    return source;
  });

  /** True while a watcher runs and sees the whole work tree. */
  get watches(): boolean {
    return this.watcher !== null && this.watcher.version !== null;
  }

  /** Returns the current changes. `anew`: runs git regardless of the watcher. */
  async read(anew = false): Promise<WorkTreeChanges> {
    return this.withUnsaved(await this.readSaved(anew));
  }

  /** Returns changes with the origin of the commit that git compared the work tree with: HEAD may have moved between two git commands. */
  async settle(
    origin: SnapshotOrigin,
    changes: WorkTreeChanges,
  ): Promise<{ origin: SnapshotOrigin; changes: WorkTreeChanges }> {
    const { commit } = origin.resolved;
    const now = changes.commit === commit ? changes : await this.read(true);
    if (now.commit === commit) return { origin, changes: now };
    return { origin: await this.session.origin(undefined, { head: now.commit }), changes: now };
  }

  private async readSaved(anew: boolean): Promise<WorkTreeChanges> {
    // File events that have arrived are delivered within two turns of the event loop.
    for (let turn = 0; turn < 2 && this.watcher !== null; turn++) await nextTurn();
    // The watcher does not cover these files, so `stat` checks them.
    if (this.rules.haveChanged()) this.watcher?.reread();
    const version = this.watcher?.version ?? null;
    if (!anew && this.latest !== null && version !== null && this.latest.version === version)
      return this.latest.changes;
    const changes = this.ask(anew ? null : this.latest, version);
    const latest = { version, changes };
    this.latest = latest;
    changes.catch(() => {
      if (this.latest === latest) this.latest = null;
    });
    // A process that asks twice will probably ask again.
    if (++this.queries === 2 && this.mayWatch) void this.startWatching();
    return changes;
  }

  /** Counts a file with unsaved text as changed, whatever git sees on disk. */
  private withUnsaved(changes: WorkTreeChanges): WorkTreeChanges {
    const { unsaved } = this.session;
    if (unsaved === null || unsaved.paths.length === 0) return changes;
    if (this.edited?.of === changes && this.edited.version === unsaved.version) return this.edited.changes;
    const list = new Map(changes.list.map((change) => [change.path, change]));
    for (const path of unsaved.paths) {
      // Only another run of git could tell the version at HEAD.
      const saved = list.get(path) ?? { path, name: Buffer.from(path), headOid: undefined, headType: null };
      list.set(path, { ...saved, isFile: true });
    }
    const edited = { commit: changes.commit, list: [...list.values()] };
    this.edited = { of: changes, version: unsaved.version, changes: edited };
    return edited;
  }

  /** Runs git only for the paths with events if possible, which takes a tenth of the time in a large tree. */
  private async ask(before: Latest | null, version: number | null): Promise<WorkTreeChanges> {
    const touched = this.watcher?.takeTouched() ?? null;
    const read = this.session.readChanges ?? noChanges;
    if (before === null || before.version === null || version === null || touched === null) return read();
    const [known, now] = await Promise.all([before.changes, read(touched)]);
    if (known.commit !== now.commit) return read();
    const isTouched = new Set(touched);
    return { commit: now.commit, list: [...known.list.filter(({ path }) => !isTouched.has(path)), ...now.list] };
  }

  saveSoon(save: () => void): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = setTimeout(save, SAVE_AFTER_MS);
    this.saving.unref();
  }

  close(): void {
    this.closed = true;
    if (this.saving !== null) clearTimeout(this.saving);
    this.watcher?.close();
  }

  /** Starts the watcher unless it runs; resolves when it runs, or cannot. */
  startWatching(): Promise<void> {
    this.starting ??= this.watch().catch((error: Error) => log.debug(`not watching the work tree: ${error.message}`));
    return this.starting;
  }

  private async watch(): Promise<void> {
    const { repository } = this.session;
    if (repository.workTree === null) return;
    const { workTree } = repository;
    const { WorkTreeWatcher } = await import('../../overlay/watcher.js');
    if (this.closed) return;
    this.watcher = new WorkTreeWatcher({ ...repository, workTree });
    await this.watcher.start();
  }
}

const noChanges = async (): Promise<WorkTreeChanges> => ({ commit: null, list: [] });
