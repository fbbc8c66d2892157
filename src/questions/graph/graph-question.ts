/**
 * Declares questions about the graph: one with an ambiguous name is answered with its candidates. Also the default
 * bounds of answers.
 */
import { commandText, type Params, type Values } from '../../params/param.js';
import type { Asker } from '../asker.js';
import { type AnyQuestion, type DocumentSchema, defineQuestion, type Question } from '../question.js';
import type { SnapshotHeader } from './graph-text.js';
import { type GraphCandidates, graphCandidatesSchema } from './output.js';

/** A question whose answer may be the candidates of an ambiguous name. */
interface GraphQuestion<P extends Params, Document extends object> extends Omit<Question<P, Document>, 'answer'> {
  answer: () => Promise<(at: Asker, values: Values<P>) => Promise<Document | GraphCandidates>>;
  /** False for a question without a name. */
  candidates?: false;
  /** Says no for a text that programs read: no footer about the snapshot follows it on the command line. */
  footer?: false | ((values: Values<P>) => boolean);
}

const CANDIDATES: DocumentSchema = {
  schema: graphCandidatesSchema,
  title: `${commandText('graph …', { json: true })}, where a name means several things`,
};

/** Declares a question. Candidates count as a negative answer on the command line. */
export function defineGraphQuestion<const P extends Params, Document extends SnapshotHeader>(
  question: GraphQuestion<P, Document>,
): AnyQuestion {
  const { text, documents, command, candidates, footer, isExact, ...rest } = question;
  return defineQuestion<P, Document | GraphCandidates>({
    ...rest,
    async text() {
      const [write, { candidatesText, footerBlocks, footText, parseErrorBlocks }] = await Promise.all([
        text(),
        import('./graph-text.js'),
      ]);
      return (document, writing) => {
        const isAmbiguous = 'candidates' in document;
        const body = isAmbiguous ? candidatesText(document, writing) : write(document, writing);
        const isPlain = footer === false || footer?.(writing.values) === false;
        if (!isAmbiguous && isPlain) return body;
        const foot = [...parseErrorBlocks(document), ...(writing.isCommand ? footerBlocks(document) : [])];
        return typeof body === 'string' ? body + footText(foot, writing.pen) : [...body, ...foot];
      };
    },
    isExact: (document, values) => !('candidates' in document) && isExact?.(document, values) === true,
    documents: candidates === false ? documents : { ...documents, 'graph-candidates': CANDIDATES },
    command: command && {
      ...(command as object as NonNullable<Question<P, Document | GraphCandidates>['command']>),
      isNegative: (document, values) => 'candidates' in document || (command.isNegative?.(document, values) ?? false),
    },
  });
}

// Default bounds (data): declarations state them, answers apply them.

/** Entries of lists. `candidates`: those of an ambiguous name in any question. */
export const LISTED = {
  symbol: 30,
  impact: 50,
  references: 100,
  deps: 50,
  symbols: 100,
  cycles: 20,
  diff: 50,
  violations: 200,
  unused: 100,
  tests: 50,
  /** Lines of a tree, entry points of a kind, symbols of a file. */
  ...{ flow: 200, entries: 50, outline: 500 },
  ...{ connected: 10, orphans: 20, candidates: 20, candidatesOfSeveral: 5 },
} as const;

/** Minimum number of entries of each list, even for many symbols at once. */
const LEAST = 5;

/** Entries of each list of each symbol: several symbols share the number of one. */
export const listedFor = (names: readonly string[]): number =>
  Math.max(LEAST, Math.ceil(LISTED.symbol / Math.max(1, names.length)));

/** Maximum number of hops along imports. */
export const DEPS_DEPTH = 5;

/**
 * Maximum number of nodes of a picture (in a page: at first). Mermaid refuses more than 500 edges and arranges badly
 * long before. A program that reads JSON wants everything.
 */
export const PICTURE_NODES = { mermaid: 80, dot: 300, json: 10_000, html: 40, folders: 40 } as const;
