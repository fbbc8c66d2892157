/**
 * The library: `import { open } from 'git-socraticode'`. A repository is opened once and asked any number of questions, each by its name
 * in the table; the answer is the document that `--json` prints. Types are made from the declarations, `reference/library-types.mjs`.
 */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { isLogLevelChosen, setLogLevel } from '../base/log.js';
import type { Params } from '../params/param.js';
import { askerOf, questionNamed, readNamed } from '../questions/asker.js';
import { type AnyQuestion, NO_DOCUMENT } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import type { GraphPreparer } from '../session/graph/prepare.js';
import type { Searcher } from '../session/search/searcher.js';
import type { Session } from '../session/session.js';
import type { OverlayPreparer } from '../session/snapshot/overlay.js';
import type { SnapshotPreparer } from '../session/snapshot/prepare.js';

export { isSocraticodeError, SocraticodeError };

interface OpenOptions {
  /** Settings by their names, such as `search.limit`: they come before those of the environment, of git and of the repository. */
  settings?: Readonly<Record<string, unknown>>;
}

interface AskOptions {
  /** Ends the question, which throws CANCELLED. */
  signal?: AbortSignal;
}

/** Parameters of a terminal: its input, its output, a browser. */
const OF_TERMINALS: ReadonlySet<string> = new Set(['stdin', 'jsonl', 'open', 'lineNumbers', 'porcelain']);

/** True for a question that has a document and is asked of a repository by name. */
export const isOffered = ({ command, documents, answer }: AnyQuestion): boolean =>
  command !== undefined && answer !== NO_DOCUMENT.answer && Object.keys(documents).length > 0;

/** Names of the parameters of a question. */
export const offeredParams = (params: Params): string[] =>
  Object.keys(params).filter((key) => !OF_TERMINALS.has(key) && !(params[key].cli || undefined)?.hidden);

/** Names of all questions, in the order of the table. */
export async function questions(): Promise<string[]> {
  return (await loadQuestions()).filter(isOffered).map(({ name }) => name);
}

/** Opens the repository of a directory; default: the current one. Throws NOT_A_REPOSITORY, UNSAFE_REPOSITORY, GIT_MISSING. */
export async function open(directory?: string, { settings = {} }: OpenOptions = {}): Promise<OpenRepository> {
  // A library does not write to the terminal of the program that uses it.
  if (!isLogLevelChosen()) setLogLevel('silent');
  const [{ Session }, { Searcher }, { SnapshotPreparer }, { OverlayPreparer }] = await Promise.all([
    import('../session/session.js'),
    import('../session/search/searcher.js'),
    import('../session/snapshot/prepare.js'),
    import('../session/snapshot/overlay.js'),
  ]);
  const session = await Session.open({ directory, flags: { ...settings } });
  const snapshots = SnapshotPreparer.of(session);
  const overlays = new OverlayPreparer(session, snapshots);
  return new OpenRepository({ session, snapshots, overlays, searcher: new Searcher(session, overlays) });
}

/** The session, and what its questions share. */
interface Parts {
  session: Session;
  snapshots: SnapshotPreparer;
  overlays: OverlayPreparer;
  searcher: Searcher;
}

class OpenRepository {
  private graphPreparer: Promise<GraphPreparer> | null = null;
  /** Aborts what still runs when the repository is closed. */
  private readonly closing = new AbortController();

  constructor(private readonly parts: Parts) {}

  /** Top of the work tree, or the git directory of a bare repository. */
  get root(): string {
    const { workTree, gitDir } = this.parts.session.repository;
    return workTree ?? gitDir;
  }

  /** The document of an answer. Indexes first what it needs. Throws BAD_ARGUMENT, and the errors of the question. */
  async ask(name: string, values: object = {}, { signal }: AskOptions = {}): Promise<object> {
    if (this.closing.signal.aborted) throw new SocraticodeError('BAD_ARGUMENT', 'the repository was closed');
    const question = await questionNamed(name);
    if (question === undefined || !isOffered(question))
      throw new SocraticodeError('BAD_ARGUMENT', `no question is named "${name}"`, {
        hint: 'questions() lists the names.',
      });
    const read = readNamed(question.params, offeredParams(question.params), { name, given: values });
    const ends = signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal]);
    const { session, searcher } = this.parts;
    const at = askerOf({ session, searcher, root: this.root, graphs: () => this.graphs() }, ends);
    const answer = await question.answer();
    return answer(at, read).catch(async (error) =>
      (await import('../questions/explain/reasons.js')).withReason(error, at, read),
    );
  }

  close(): void {
    this.closing.abort();
    this.parts.session.close();
  }

  private graphs(): Promise<GraphPreparer> {
    const { session, snapshots, overlays } = this.parts;
    this.graphPreparer ??= import('../session/graph/prepare.js').then(
      ({ GraphPreparer }) => new GraphPreparer(session, snapshots, overlays),
    );
    return this.graphPreparer;
  }
}
