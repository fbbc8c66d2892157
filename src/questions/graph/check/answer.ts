/** Answers `graph check`. */
import { SocraticodeError } from '../../../base/errors.js';
import { dependenciesOf } from '../../../graph/query/dependencies.js';
import { cut } from '../../../graph/query/place.js';
import { parseRange } from '../../../session/snapshot/range.js';
import type { Asker } from '../../asker.js';
import { prepareBothGraphs } from '../both-graphs.js';
import { LISTED } from '../limits.js';
import { movedPaths } from '../moved-paths.js';
import { type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import { type Found, findViolations, onlyNew } from './find-violations.js';
import type { GraphCheckResponse } from './output.js';
import type { CheckValues } from './question.js';
import { type Rule, readRules, unmatchedGlobs } from './rules.js';

/** Throws BAD_CONFIG for a rule that cannot be read, BAD_ARGUMENT where there are none, and UNKNOWN_REF. */
export async function answerCheck(at: Asker, values: CheckValues): Promise<GraphCheckResponse> {
  const { limit = LISTED.violations } = values;
  if (values.in !== undefined && values.ref !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'a ref and a range exclude each other');
  const both = values.in === undefined ? null : await prepareBothGraphs(at, parseRange(values.in), values);
  const prepared = both?.after ?? (await prepareGraph(at, values));
  const { graph, header } = prepared;
  const { rules, given } = await rulesOf(at, prepared);
  const found = findViolations(graph, rules);
  const pathNow = (file: number) => graph.tables.files[file].path;
  let shown: readonly Found[] = found;
  if (both?.before) {
    const older = both.before.graph;
    shown = onlyNew(found, findViolations(older, rules), { pathNow, pathThen: movedPaths(older, graph).pathAfter });
  }
  let dependencies = 0;
  for (const targets of dependenciesOf(graph).values()) dependencies += targets.size;
  return {
    ...header,
    ...(both !== null && { since: both.from }),
    rules: rules.length,
    dependencies,
    violations: cut(
      shown.map(({ violation }) => violation),
      limit,
    ),
    unmatched: unmatchedGlobs(
      given,
      graph.tables.files.map(({ path }) => path),
    ),
  };
}

async function rulesOf({ session }: Asker, { origin }: GraphAndHeader) {
  const { config } = await session.configOfOrigin(origin);
  const given = config.graph.rules;
  const rules: Rule[] = readRules(given);
  if (rules.length > 0) return { rules, given };
  throw new SocraticodeError('BAD_ARGUMENT', 'no rules are set that the graph could be checked against', {
    hint: 'Set graph.rules in .socraticode.json: {"graph": {"rules": [{"from": "src/model/**", "to": "src/ui/**", "allow": false}]}}',
  });
}
