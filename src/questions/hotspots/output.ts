/** Document of `hotspots`. */
import * as s from '../../params/shape.js';
import { header, nodePlace, some } from '../graph/output-parts.js';
import { count } from '../output-parts.js';
import { pastWindow } from '../past/output.js';

const hotspot = nodePlace.omit('exported').extend({
  heat: s.number().describe('churn x centrality x complexity.'),
  churn: s.number().describe('Commits that changed it; newer ones count more: 1, and half as much every 500 commits.'),
  commits: count.describe('Number of these commits.'),
  last: s.string().nullable().describe('Date of the newest of them, ISO 8601.'),
  centrality: s
    .number()
    .describe('Of a file: its rank among files that use each other, 1 for the first. Of a function: log2(2 + uses).'),
  uses: count.optional().describe('Of a function: places that use it.'),
  complexity: count.describe('Depth of indentation of its lines of code, added up.'),
  codeLines: count.describe('Lines with code: neither blank, nor comments or brackets alone.'),
});

export const hotspotsSchema = s.object({
  ...header,
  window: pastWindow,
  paths: s.array(s.string()).describe('As asked for.'),
  since: s.string().optional().describe('As asked for.'),
  aside: s
    .object({ tests: count, others: count })
    .describe(
      'Changed files that are not ranked: tests; and generated, vendored and deleted ones, examples, text and data.',
    ),
  compared: s
    .object({ files: count, commits: count })
    .optional()
    .describe('Of functions: the hottest files, and the newest commits of those, that they were compared in.'),
  hotspots: some(hotspot).describe('The hottest first.'),
});

export type HotspotsDocument = s.Infer<typeof hotspotsSchema>;
export type Hotspot = s.Infer<typeof hotspot>;
