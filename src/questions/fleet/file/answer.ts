/** `codebase_fleet_file`. */
import type { FleetFileQuery } from '../../../fleet/ask/files.js';
import type { Asker } from '../../asker.js';
import { askFleet } from '../connected.js';
import type { FleetFileDocument } from './output.js';

/** Throws BAD_ARGUMENT, UNKNOWN_REF and the errors of the fleet. */
export const answerFleetFile = (at: Asker, values: FleetFileQuery): Promise<FleetFileDocument> =>
  askFleet(at, (fleet) => fleet.file(values, at.signal));
