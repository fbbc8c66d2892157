/** Parameters of `push` and `pull`. */
import { flag, type Values } from '../../params/param.js';
import { remoteArgument as remote } from '../shared-params.js';

export const params = {
  remote,
  all: flag({ summary: 'records of every profile (`profiles` lists them), not only of those in use' }),
} as const;

export const pushParams = {
  ...params,
  dryRun: flag({ summary: 'say how much would be sent, and send nothing' }),
} as const;

/** Values of a push, or of a pull, which has no dry run. */
export type TransferValues = Values<typeof params> & Pick<Values<typeof pushParams>, 'dryRun'>;
