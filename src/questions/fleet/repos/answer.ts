/** `codebase_fleet_repos`. */

import type { Asker } from '../../asker.js';
import type { FleetReposQuery } from '../asking.js';
import { askFleet } from '../connect.js';
import type { FleetReposDocument } from './output.js';

/** Throws BAD_ARGUMENT and the errors of the fleet. Values of the reply, such as its budget, are not sent on. */
export const answerFleetRepos = (at: Asker, { repo, limit }: FleetReposQuery): Promise<FleetReposDocument> =>
  askFleet(at, (fleet) => fleet.repos({ repo, limit }, at.signal));
