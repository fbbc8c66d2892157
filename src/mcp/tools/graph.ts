/** The tools of the toolset `graph` (data). */
import { flow } from './flow.js';
import { graphCircular, graphQuery, graphStats } from './graph-files.js';
import { graphBuild, graphRemove, graphStatus } from './graph-state.js';
import { graphVisualize } from './graph-visualize.js';
import { symbols } from './symbols.js';

export const GRAPH_TOOLS = [
  ...[symbols, flow, graphQuery, graphStats, graphCircular, graphVisualize],
  ...[graphStatus, graphBuild, graphRemove],
];
