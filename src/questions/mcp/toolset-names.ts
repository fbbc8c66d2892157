/** Toolsets as they are named on the command line and in the configuration of clients. */
import { SocraticodeError } from '../../base/errors.js';
import { TOOLSETS, type Toolset } from '../question.js';

const ALL = 'all';
const DEFAULT: readonly Toolset[] = ['core'];

/** `core,graph` or `all`, in the order of the table. Throws BAD_ARGUMENT for an unknown name. */
export function parseToolsets(text: string | undefined): readonly Toolset[] {
  if (text === undefined) return DEFAULT;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== ALL && !(TOOLSETS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `there is no toolset "${unknown}"`, {
      hint: `Toolsets: ${TOOLSETS.join(', ')}, or ${ALL}; with commas between.`,
    });
  return TOOLSETS.filter((toolset) => names.includes(ALL) || names.includes(toolset));
}
