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
import type { Session } from '../session/session.js';

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
  const { Session } = await import('../session/session.js');
  return new OpenRepository(await Session.open({ directory, flags: { ...settings } }));
}

class OpenRepository {
  /** Aborts what still runs when the repository is closed. */
  private readonly closing = new AbortController();

  constructor(readonly session: Session) {}

  /** Top of the work tree, or the git directory of a bare repository. */
  get root(): string {
    const { workTree, gitDir } = this.session.repository;
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
    const at = askerOf(this, this.endOf(signal));
    const answer = await question.answer();
    return answer(at, read).catch(async (error) =>
      (await import('../questions/explain/reasons.js')).withReason(error, at, read),
    );
  }

  /** A signal of its own for each question: what listens to it goes with the question. Of the repository's, Node warns after ten. */
  private endOf(signal?: AbortSignal): AbortSignal {
    return AbortSignal.any(signal === undefined ? [this.closing.signal] : [signal, this.closing.signal]);
  }

  close(): void {
    this.closing.abort();
    this.session.close();
  }
}
