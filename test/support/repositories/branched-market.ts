/** The market with branches, made and indexed once in a process; no test writes to it. */
import { branchedMarket } from './market.js';

export const branched = branchedMarket();
