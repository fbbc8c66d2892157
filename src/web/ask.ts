/** Answers one question of a page: the document that `--json` prints. */
import { SocraticodeError } from '../base/errors.js';
import type { Params } from '../params/param.js';
import { type Field, readValues } from '../params/read.js';
import { askerOf, questionNamed } from '../questions/ask.js';
import type { Asker } from '../questions/asker.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import type { Project } from '../serve/project.js';
import { OWN_ANSWERS } from './answers/table.js';
import { FIXED, OFFERED } from './offered.js';

export interface PageCall {
  project: Project;
  /** Aborts when the page does not want the answer any more. */
  signal: AbortSignal;
  /** Told how far a long answer is. */
  progress?: Asker['progress'];
  /** The fleet of the user's settings, if there is one. */
  fleet?: FleetAsking | undefined;
}

/** Throws BAD_ARGUMENT for a question that pages may not ask and for values that it does not take, and what the answer throws. */
export async function answerPage(
  name: string,
  given: unknown,
  { project, signal, progress, fleet }: PageCall,
): Promise<object> {
  const at = { ...askerOf(project, signal, progress), ...(fleet && { fleet }) };
  if (Object.hasOwn(OWN_ANSWERS, name)) {
    const { params, answer } = OWN_ANSWERS[name];
    return answer(at, readFields(params, Object.keys(params), { name, given }));
  }
  if (!Object.hasOwn(OFFERED, name)) throw unknownQuestion();
  const question = await questionNamed(name);
  if (question === undefined) throw unknownQuestion();
  const values = readFields(question.params, OFFERED[name], { name, given });
  const answer = await question.answer();
  return answer(at, { ...values, ...FIXED[name] });
}

const unknownQuestion = () => new SocraticodeError('BAD_ARGUMENT', 'pages cannot ask that');

function readFields(params: Params, keys: readonly string[], asked: { name: string; given: unknown }) {
  const fields = keys.map((key): Field => ({ key, name: key, label: key, param: params[key] }));
  const hint = `Parameters of ${asked.name}: ${keys.join(', ')}.`;
  return readValues(asked.given, { fields, hint });
}
