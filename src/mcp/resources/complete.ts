/** `completion/complete`: what a client offers while a resource's path or name is being typed. */
import { type CompleteResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { visibleLine } from '../../base/hygiene.js';
import { type Asking, artifactNames } from './read.js';
import { TEMPLATES } from './uri.js';

/** What the protocol allows. */
const MAX_VALUES = 100;
/** Longer ones are no beginnings of names. */
const MAX_TYPED = 1_024;
/** Somebody is typing: what is not known by then is for the next keystroke. */
const PATIENCE_MS = 1_000;

export interface Completing {
  ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string };
  argument: { name: string; value: string };
}

type Completion = CompleteResult['completion'];

const NOTHING: Completion = { values: [], total: 0, hasMore: false };

/** Arguments of prompts are free text: nothing is offered for them. Throws InvalidParams for a template that is not ours. */
export async function completions({ ref, argument }: Completing, asking: Asking): Promise<CompleteResult> {
  if (ref.type === 'ref/prompt') return { completion: NOTHING };
  const { name, value } = argument;
  if (value.length > MAX_TYPED) return { completion: NOTHING };
  const find = finder(ref.uri, name);
  if (find === null)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no resource template with such an argument');
  return { completion: await patiently(find(value, asking)) };
}

type Found = { values: string[]; total: number };
type Find = (text: string, asking: Asking) => Promise<Found>;

function finder(uri: string, argument: string): Find | null {
  if (uri === TEMPLATES.outline && argument === 'path') return (text, asking) => fromGraph('path', text, asking);
  if (uri === TEMPLATES.symbol && argument === 'name') return (text, asking) => fromGraph('name', text, asking);
  return uri === TEMPLATES.context && argument === 'name' ? fromArtifacts : null;
}

async function fromGraph(what: 'path' | 'name', text: string, { projects, signal }: Asking): Promise<Found> {
  const [project, { runComplete }] = await Promise.all([
    projects.open(),
    import('../../engine/graph/complete-operation.js'),
  ]);
  const question = { what, text, limit: MAX_VALUES, directory: project.root, signal };
  return runComplete(project.session, question, await project.graphs());
}

async function fromArtifacts(text: string, asking: Asking): Promise<Found> {
  const wanted = text.toLowerCase();
  const values = (await artifactNames(asking)).filter((name) => name.toLowerCase().includes(wanted));
  return { values: values.slice(0, MAX_VALUES), total: values.length };
}

/** Nothing is no error: a repository that can't be read says so where it is asked. What takes too long goes on for the next. */
async function patiently(found: Promise<Found>): Promise<Completion> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  try {
    const answer = await Promise.race([found, late]);
    if (answer === null) return NOTHING;
    // One that can't be shown as it is can't be picked either.
    const values = answer.values.filter((value) => visibleLine(value) === value);
    return { values, total: answer.total, hasMore: answer.total > values.length };
  } catch {
    return NOTHING;
  } finally {
    clearTimeout(timer);
  }
}
