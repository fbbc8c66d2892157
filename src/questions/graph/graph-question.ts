/** Declaration of a question about the graph: a name that means several things is answered with the candidates. */
import { commandText } from '../../params/command-line.js';
import type { Params, Values } from '../../params/param.js';
import type { Asker } from '../asker.js';
import { type AnyQuestion, type DocumentSchema, defineQuestion, type Question } from '../question.js';
import { type GraphCandidates, graphCandidatesSchema } from './candidates/output.js';
import type { SnapshotHeader } from './text-parts.js';

/** A question whose answer may be the candidates of an ambiguous name. */
interface GraphQuestion<P extends Params, Document extends object> extends Omit<Question<P, Document>, 'answer'> {
  answer: () => Promise<(at: Asker, values: Values<P>) => Promise<Document | GraphCandidates>>;
  /** False for a question that takes no name. */
  candidates?: false;
  /** False for a text that programs read: nothing about the snapshot follows it on the command line. */
  footer?: false;
}

const CANDIDATES: DocumentSchema = {
  schema: graphCandidatesSchema,
  title: `${commandText('graph …', { json: true })}, where a name means several things`,
};

/** Candidates are a negative answer on the command line. */
export function defineGraphQuestion<const P extends Params, Document extends SnapshotHeader>(
  question: GraphQuestion<P, Document>,
): AnyQuestion {
  const { text, documents, command, candidates, footer, ...rest } = question;
  return defineQuestion<P, Document | GraphCandidates>({
    ...rest,
    async text() {
      const [write, { candidatesText, renderFooter }] = await Promise.all([text(), import('./text-parts.js')]);
      return (document, writing) => {
        const isAmbiguous = 'candidates' in document;
        const body = isAmbiguous ? candidatesText(document, writing) : write(document, writing);
        const hasFooter = writing.isCommand && (isAmbiguous || footer !== false);
        return hasFooter ? body + renderFooter(document, writing.pen) : body;
      };
    },
    documents: candidates === false ? documents : { ...documents, 'graph-candidates': CANDIDATES },
    command: command && {
      ...(command as object as NonNullable<Question<P, Document | GraphCandidates>['command']>),
      isNegative: (document, values) => 'candidates' in document || (command.isNegative?.(document, values) ?? false),
    },
  });
}
