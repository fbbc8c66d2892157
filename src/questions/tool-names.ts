/** Tool names of each toolset (data), for code that must not load the tools themselves. */
import type { Toolset } from './question.js';

export const TOOL_NAMES: Readonly<Record<Toolset, readonly string[]>> = {
  core: [
    'codebase_search',
    'codebase_symbol',
    'codebase_impact',
    'codebase_outline',
    'codebase_pack',
    'codebase_status',
  ],
  graph: [
    'codebase_symbols',
    'codebase_flow',
    'codebase_graph_query',
    'codebase_graph_stats',
    'codebase_graph_circular',
    'codebase_graph_visualize',
    'codebase_graph_status',
    'codebase_graph_build',
    'codebase_graph_remove',
  ],
  history: ['codebase_history', 'codebase_diff'],
  context: ['codebase_context', 'codebase_context_search', 'codebase_context_index', 'codebase_context_remove'],
  admin: [
    'codebase_index',
    'codebase_update',
    'codebase_stop',
    'codebase_remove',
    'codebase_watch',
    'codebase_health',
    'codebase_list_projects',
    'codebase_about',
  ],
};
