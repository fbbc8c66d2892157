/** A tool made from a question's declaration: its parameters, its pages, one call of it. */
import { SocraticodeError } from '../base/errors.js';
import { integer, type Param, type Params, text } from '../params/param.js';
import type { Field } from '../params/read.js';
import type { Asker } from '../questions/asker.js';
import { plainPen, TOOL_WORDS } from '../questions/pen.js';
import type { AnyQuestion, DocumentSchema, ReplyParam, ToolForm, ToolParam } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import { writtenText } from '../questions/view.js';
import type { Tool, ToolCall } from './tool-call.js';

const MIN_TOKENS = 200;
export const MAX_TOKENS = 50_000;

/** Parameters of the reply. The instructions explain the first two once for all tools: here each word costs in every tool. */
const REPLY_PARAMS: Readonly<Record<ReplyParam, Param>> = {
  maxTokens: integer({ summary: '', min: MIN_TOKENS, max: MAX_TOKENS }),
  cursor: text({ summary: '', maxLength: 512 }),
  projectPath: text({ summary: '', minLength: 1 }),
};

/** Required for deleting. */
const NAMED_PROJECT = text({ summary: 'Repository directory.', minLength: 1, required: true });
type Page = NonNullable<ToolForm<Params>['page']>;
type Input = Readonly<Record<string, unknown>>;

const ALL_REPLY: readonly ReplyParam[] = ['maxTokens', 'cursor', 'projectPath'];

export function toolOf(question: AnyQuestion): Tool {
  const form = question.tool as ToolForm<Params>;
  const own = Object.entries(form.params).map(([key, how]) => fieldOf(key, question.params[key], how as ToolParam));
  const reply = (form.reply ?? ALL_REPLY).map((key) => {
    const isNamed = key === 'projectPath' && question.effect === 'deletes';
    return { key, name: key, label: key, param: isNamed ? NAMED_PROJECT : REPLY_PARAMS[key] };
  });
  const { name, title, toolset, description, maxTokens, page } = form;
  return {
    ...{ name, title, toolset, description, maxTokens },
    effect: question.effect,
    openWorld: question.openWorld ?? false,
    fields: [...own, ...reply],
    unoffered: new Set(Object.keys(question.params).filter((key) => !(key in form.params))),
    async output() {
      const documents: readonly DocumentSchema[] = Object.values(question.documents);
      const schemas = documents.flatMap(({ schema, tool }) => (tool === false ? [] : [schema]));
      return schemas.length === 1 ? schemas[0] : (await import('./tool-schemas.js')).oneOf(schemas);
    },
    limit: page?.isOpenEnded
      ? (input, first) => {
          const worth = first === undefined || input.limit !== undefined ? undefined : page.worth?.(first);
          return Math.min(sizeOf(page, input), worth ?? Number.POSITIVE_INFINITY);
        }
      : undefined,
    async answer(input, call) {
      const [answer, write] = await Promise.all([question.answer(), question.text()]);
      const { skip } = call;
      const values = { ...defaultsOf(question.params), ...input };
      const requested = page === undefined ? values : { ...values, limit: pageLimit(page, skip, values) };
      const at = await askerOf(call, input);
      const document = await answer(at, requested).catch(async (error) =>
        (await import('../questions/explain/reasons.js')).withReason(error, at, requested),
      );
      const pen = plainPen(TOOL_WORDS);
      const paged = skip === 0 ? pen : { ...pen, skipped: skip };
      const writing = { pen: paged, values: requested, isCommand: false };
      return { document, write: (shown) => writtenText(write(shown, writing), paged) };
    },
  };
}

/** A field of a tool. Its default is listed only where the tool declares one of its own; the description names others. */
function fieldOf(key: string, param: Param, how: ToolParam): Field {
  const { name = key, one, ...changes } = typeof how === 'string' ? { summary: how } : how;
  const own = { ...param, ...changes };
  const summary = own.summary.replace('{default}', String(own.default));
  const listsDefault = changes.default !== undefined && summary === own.summary;
  // An empty text is a variable that is not set, never a question.
  const minLength = param.type === 'text' || one ? Math.max(1, own.minLength) : own.minLength;
  return { key, name, alias: key, label: name, one, listsDefault, param: { ...own, summary, minLength } };
}

/** Defaults of parameters that agents cannot set. */
function defaultsOf(params: Params): Record<string, unknown> {
  const given = Object.entries(params).filter(([, { default: value }]) => value !== undefined);
  return Object.fromEntries(given.map(([key, { default: value }]) => [key, value]));
}

/** Most entries of each list, with those before the cursor. */
function pageLimit(page: Page, skip: number, values: Input): number {
  return Math.min(page.most, skip + sizeOf(page, values) + (page.isOpenEnded ? 1 : 0));
}

/** Entries of one page. */
function sizeOf({ size }: Page, values: Input): number {
  if (typeof values.limit === 'number') return values.limit;
  return typeof size === 'number' ? size : size(values);
}

async function askerOf(call: ToolCall, input: Record<string, unknown>): Promise<Asker> {
  if (call.fleet !== undefined) return fleetAsker(call, input);
  const project = await call.project();
  const { projects, skip, signal, progress, model, structured } = call;
  return {
    session: project.session,
    directory: project.root,
    signal,
    progress,
    questions: () => loadQuestions(),
    server: { project, projects, skip, model, structured, maxTokens: input.maxTokens as number | undefined },
  };
}

/** The asker of a client of a fleet's server, which has no repository of its own. */
function fleetAsker({ fleet, skip, signal, progress }: ToolCall, input: Record<string, unknown>): Asker {
  const none = (): never => {
    throw new SocraticodeError('INTERNAL', 'a server of a fleet has no repository of its own');
  };
  return {
    get session() {
      return none();
    },
    directory: undefined,
    ...{ fleet, signal, progress },
    questions: () => loadQuestions(),
    server: {
      get project() {
        return none();
      },
      get projects() {
        return none();
      },
      skip,
      maxTokens: input.maxTokens as number | undefined,
    },
  };
}
