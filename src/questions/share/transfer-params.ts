/** Parameters of `push` and `pull`. */
import { flag, type Values } from '../../params/param.js';
import { remoteArgument as remote } from '../shared-params.js';

export const params = {
  remote,
  all: flag({ summary: 'records of every profile, not only of the ones in use' }),
} as const;

export type TransferValues = Values<typeof params>;
