/** `index --pull`: downloads the model to Ollama if it is not there. */

import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { createProvider, type PullProgress } from '../../embed/choose.js';
import { optionText } from '../../params/command-line.js';
import type { Session } from '../../session/session.js';
import { isProvider } from '../../session/vectors/vector-source.js';

/**
 * Returns whether something was downloaded. Throws BAD_ARGUMENT for other embedders, and what `pullModel` throws. What else
 * keeps the embedder from working is left for the index run to report: the words are indexed all the same.
 */
export async function pullMissingModel(
  session: Session,
  ref: string | undefined,
  onProgress: (progress: PullProgress) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const { config } = await session.configOfOrigin(await session.origin(ref));
  const { embedder } = config;
  if (!isProvider(embedder) || embedder.name !== 'ollama') {
    const message = `${optionText('pull')} downloads models to Ollama, and embedder.name is ${embedder.name}`;
    throw new SocraticodeError('BAD_ARGUMENT', message, { hint: 'git config socraticode.embedder.name ollama' });
  }
  const provider = await createProvider(embedder, process.env);
  try {
    await provider.prepare(signal);
    return false;
  } catch (error) {
    if (isSocraticodeError(error, 'CANCELLED')) throw error;
    if (!isSocraticodeError(error, 'EMBEDDER_MODEL_MISSING')) return false;
  }
  await provider.pullModel?.(onProgress, signal);
  return true;
}
