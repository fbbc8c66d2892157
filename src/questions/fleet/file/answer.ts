/** `codebase_fleet_file`. */

import type { Asker } from '../../asker.js';
import type { FleetFileQuery } from '../asking.js';
import { askFleet } from '../connect.js';
import type { FleetFileDocument } from './output.js';

/** Throws BAD_ARGUMENT, UNKNOWN_REF and the errors of the fleet. Values of the reply, such as its budget, are not sent on. */
export const answerFleetFile = (
  at: Asker,
  { repo, ref, path, from, to, outline }: FleetFileQuery,
): Promise<FleetFileDocument> => askFleet(at, (fleet) => fleet.file({ repo, ref, path, from, to, outline }, at.signal));
