/** Declaration of a question about the graph: a name that means several things is answered with the candidates. */
import type { Params, Values } from '../../params/param.js';
import type { Asker } from '../asker.js';
import { type AnyQuestion, defineQuestion, type Question } from '../question.js';
import type { GraphCandidates } from './candidates/output.js';
import type { SnapshotHeader } from './text-parts.js';

/** As of any question, but for the answer: it may be the candidates of an ambiguous name. */
interface GraphQuestion<P extends Params, Document extends object> extends Omit<Question<P, Document>, 'answer'> {
  answer: () => Promise<(at: Asker, values: Values<P>) => Promise<Document | GraphCandidates>>;
}

/** Candidates are a negative answer on the command line. */
export function defineGraphQuestion<const P extends Params, Document extends SnapshotHeader>(
  question: GraphQuestion<P, Document>,
): AnyQuestion {
  const { text, documents, command, ...rest } = question;
  return defineQuestion<P, Document | GraphCandidates>({
    ...rest,
    async text() {
      const [write, { candidatesText }, { renderFooter }] = await Promise.all([
        text(),
        import('./candidates/text.js'),
        import('./text-parts.js'),
      ]);
      return (document, writing) => {
        const body = 'candidates' in document ? candidatesText(document, writing) : write(document, writing);
        return writing.isCommand ? body + renderFooter(document, writing.pen) : body;
      };
    },
    async documents() {
      const [own, { graphCandidatesSchema }] = await Promise.all([documents(), import('./candidates/output.js')]);
      const title = 'git socraticode graph … --json, where a name means several things';
      return { ...own, 'graph-candidates': { schema: graphCandidatesSchema, title } };
    },
    command: command && {
      ...(command as object as NonNullable<Question<P, Document | GraphCandidates>['command']>),
      isNegative: (document, values) => 'candidates' in document || (command.isNegative?.(document, values) ?? false),
    },
  });
}
