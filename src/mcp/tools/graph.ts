/** The tools of the toolset `graph` (data). */
import { flow } from './flow.js';
import { graphBuild, graphRemove, graphStatus } from './graph-state.js';
import { graphVisualize } from './graph-visualize.js';

export const GRAPH_TOOLS = [flow, graphVisualize, graphStatus, graphBuild, graphRemove];
