/** Answers `completion/complete`: suggestions while the user types the path or name of a resource. */
import { type CompleteResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { visibleLine } from '../../base/hygiene.js';
import { type Asking, artifactNames } from './read.js';
import { TEMPLATES } from './uri.js';

/** Most suggestions that the protocol allows. */
const MAX_VALUES = 100;
/** Longest text that is completed. */
const MAX_TYPED = 1_024;
/** Time to answer while a user types; a later result serves the next keystroke. */
const PATIENCE_MS = 1_000;

interface Completing {
  ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string };
  argument: { name: string; value: string };
}

type Completion = CompleteResult['completion'];

const NOTHING: Completion = { values: [], total: 0, hasMore: false };

/** Suggestions for an argument; none for prompts, which take free text. Throws InvalidParams for an unknown template. */
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
    import('../../questions/graph/complete-names.js'),
  ]);
  const question = { what, text, limit: MAX_VALUES, directory: project.root, signal };
  return runComplete(project.session, question, await project.graphs());
}

async function fromArtifacts(text: string, asking: Asking): Promise<Found> {
  const wanted = text.toLowerCase();
  const values = (await artifactNames(asking)).filter((name) => name.toLowerCase().includes(wanted));
  return { values: values.slice(0, MAX_VALUES), total: values.length };
}

/** Waits a short time. Failures give no suggestions, as a question will report them; slow work goes on for the next keystroke. */
async function patiently(found: Promise<Found>): Promise<Completion> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  try {
    const answer = await Promise.race([found, late]);
    if (answer === null) return NOTHING;
    // A name with invisible characters would be sent back in another spelling.
    const values = answer.values.filter((value) => visibleLine(value) === value);
    return { values, total: answer.total, hasMore: answer.total > values.length };
  } catch {
    return NOTHING;
  } finally {
    clearTimeout(timer);
  }
}
