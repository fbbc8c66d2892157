/** Texts of questions, asked one after the other in a session that stays open: a fraction of what a command line for each costs. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Asker, readNamed } from '../../../src/questions/asker.js';
import type { DocumentSchema } from '../../../src/questions/question.js';
import { loadQuestions, matchedNames, QUESTION_NAMES } from '../../../src/questions/table.js';
import { writtenText } from '../../../src/questions/view.js';
import { Session } from '../../../src/session/session.js';
import { faultOf } from '../check.js';
import { runGit, type TestRepo } from '../repositories/repo.js';
import { askerOf } from './asker.js';
import { PLAIN } from './document.js';

type Given = Readonly<Record<string, unknown>>;

/** Every document is checked against the schemas of its question. */
export interface Told {
  session: Session;
  /** Text of an answer as people read it, after an empty line; commits by their subjects. `exit 1` ends a negative one. */
  text: (name: string, given?: Given) => Promise<string>;
  /** The document. */
  document: <T>(name: string, given?: Given) => Promise<T>;
  /** Code, message and hint of a refusal, without the list of all parameters. */
  refusal: (name: string, given?: Given) => Promise<string>;
}

const sessions = new Map<TestRepo, Promise<Session>>();

/** One session of a repository in a process. */
function sessionOf(repo: TestRepo): Promise<Session> {
  const known = sessions.get(repo) ?? Session.open({ directory: repo.dir });
  sessions.set(repo, known);
  return known;
}

/** Opens the repository, which is closed after the last test. */
export async function openTold(repo: TestRepo, further: Partial<Asker> = {}): Promise<Told> {
  const session = await sessionOf(repo);
  after(() => session.close());
  const asked = async (name: string, given: Given = {}) => {
    const all = (await loadQuestions(matchedNames(name.split(' '), QUESTION_NAMES))).filter(
      (each) => each.name === name,
    );
    // Of a command and the tools of its name, the command.
    const question = all.find(({ command }) => command !== undefined) ?? all[0];
    if (question === undefined) throw new Error(`there is no question ${name}`);
    const values = readNamed(question.params, Object.keys(question.params), { name, given });
    const document = await (await question.answer())(askerOf(session, { directory: repo.dir, ...further }), values);
    const schemas = Object.values(question.documents as Record<string, DocumentSchema>);
    const faults = schemas.map(({ schema }) => faultOf(schema.jsonSchema, document));
    assert.ok(faults.length === 0 || faults.includes(undefined), `${name}: ${faults.join('; ')}`);
    return { question, values, document };
  };
  return {
    session,
    async text(name, given) {
      const { question, values, document } = await asked(name, given);
      const written = writtenText((await question.text())(document, { ...PLAIN, values }), PLAIN.pen);
      const isNegative = question.command?.isNegative?.(document, values) ?? false;
      return `\n${unchanging(repo, written)}${isNegative ? 'exit 1\n' : ''}`;
    },
    document: async (name, given) => (await asked(name, given)).document,
    refusal: (name, given) =>
      asked(name, given).then(
        () => 'answered',
        ({ code, message, hint }) =>
          unchanging(repo, `${code}: ${message}${/^(?:Parameters of|undefined)/.test(hint) ? '' : ` (${hint})`}`),
      ),
  };
}

const OID = /\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/g;

/**
 * Makes a text the same at every run: what begins a commit of the repository becomes its subject (`[a shop]`), another id `<id>`, and a
 * time of today `<now>`.
 */
function unchanging(repo: TestRepo, text: string): string {
  const dated = text.replace(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?/g, (date) =>
    date < '2026' ? date : '<now>',
  );
  if (dated.search(OID) < 0) return dated;
  const log = runGit(['log', '--all', '--format=%H %s'], { cwd: repo.dir }).toString('utf8').trim().split('\n');
  return dated.replace(OID, (oid) => {
    const line = log.find((each) => each.startsWith(oid));
    return line === undefined ? '<id>' : `[${line.slice(line.indexOf(' ') + 1)}]`;
  });
}
