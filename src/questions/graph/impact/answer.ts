/** Answers `graph impact`: code that may break when a symbol, a file, or the difference between two refs changes. */
import { type ChangesOptions, highest, impactOf } from '../../../graph/query/impact.js';
import { cut, placeOf } from '../../../graph/query/node-place.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { isRange } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import { total } from '../../view.js';
import { LISTED } from '../graph-question.js';
import type { GraphCandidates } from '../output.js';
import {
  ambiguous,
  askGraph,
  doubtLowRisks,
  type GraphAndHeader,
  mentionsIn,
  parseErrorsAt,
  ranBy,
} from '../snapshot-graph.js';
import type { GraphImpactResponse, ImpactValues } from './question.js';

/** Limits of the lists. */
type ImpactLists = Pick<ChangesOptions, 'perHop' | 'limitInside'>;

/** Throws BAD_ARGUMENT for an unknown name, UNKNOWN_REF for a range of unknown refs. */
export async function answerImpact(at: Asker, values: ImpactValues): Promise<GraphImpactResponse | GraphCandidates> {
  const { target = '', limit, depth, minConfidence } = values;
  // Agents page through the list of each hop. For each of many changes they get the number of affected symbols, not their names.
  const lists: ImpactLists = at.server === undefined ? {} : { perHop: true, limitInside: 0 };
  const options: ChangesOptions = { depth, minConfidence, limit: limit ?? LISTED.impact, ...lists };
  // An empty name is a mistake (an unset variable), not a question about uncommitted changes. Comparing two graphs
  // loads 30 modules that the impact of a symbol does not need.
  if (values.staged) (await import('../changes/both-graphs.js')).checkStaged(values, target);
  if (values.target === undefined || isRange(target)) {
    const { answerChanges } = await import('../changes/impact-of-range.js');
    return answerChanges(at, { ...values, target, options });
  }
  return askGraph(at, values, (prepared) => impactIn(at, prepared, { ...values, target, options }));
}

async function impactIn(
  at: Asker,
  prepared: GraphAndHeader,
  values: ImpactValues & { target: string; options: ChangesOptions },
): Promise<GraphImpactResponse | GraphCandidates> {
  const { target, file, limit, depth, minConfidence, options } = values;
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  const definitions = found.nodes.map((node) => placeOf(graph, node));
  const { nodes, others, alternatives } = found;
  const requested = { target, others, alternatives };
  const mentioned = await mentionsIn(at, prepared, nodes);
  const ran = await ranBy(at.session);
  const { fileOwnAmong } = await import('../../../session/graph/text-uses.js');
  const fileOwn = await fileOwnAmong(prepared, nodes);
  const facts = { ...impactOf(graph, nodes, { ...options, mayRun: true, ran, fileOwn }), ...mentioned };
  await doubtLowRisks(at, prepared, new Map(nodes.map((node) => [node, facts])));
  if (prepared.isPart) facts.risk.reasons.push('not all files are read yet, and more may use it');
  const impact = {
    ...header,
    ...parseErrorsAt(graph, nodes),
    ...requested,
    depth,
    minConfidence,
    definitions,
    ...facts,
  };
  const parts = await optionalParts(at, values, { prepared, nodes, definitions, options });
  return { ...impact, risk: withOutside(facts.risk, parts), ...parts };
}

/** A change that other repositories notice has no low risk, however few users this one has. */
function withOutside(
  risk: GraphImpactResponse['risk'],
  { linked, fleet }: Pick<GraphImpactResponse, 'linked' | 'fleet'>,
): GraphImpactResponse['risk'] {
  const uses = (linked ? total(linked.uses) : 0) + (fleet ? total(fleet.uses) : 0);
  if (uses === 0) return risk;
  const reason = `${formatCount(uses, 'use')} in other repositories`;
  return { ...risk, level: highest(risk.level, 'medium'), reasons: [reason, ...risk.reasons] };
}

interface ImpactTarget {
  prepared: GraphAndHeader;
  nodes: readonly number[];
  definitions: GraphImpactResponse['definitions'];
  options: ChangesOptions;
}

/** Parts that are loaded only on request. */
async function optionalParts(
  at: Asker,
  { coupled, linked, fleet }: ImpactValues,
  { prepared, nodes, definitions, options }: ImpactTarget,
): Promise<Pick<GraphImpactResponse, 'coupled' | 'linked' | 'fleet'>> {
  const parts: Pick<GraphImpactResponse, 'coupled' | 'linked' | 'fleet'> = {};
  if (coupled) {
    const paths = new Set(definitions.map(({ path }) => path));
    parts.coupled = await filesCoupledWith(at, prepared, { paths, limit: options.limit });
  }
  if (linked) {
    const { linkedUsesOf } = await import('../sibling-uses.js');
    parts.linked = await linkedUsesOf(at, { prepared, nodes, ...options });
  }
  if (fleet) {
    const { fleetUsesOf } = await import('../sibling-uses.js');
    parts.fleet = await fleetUsesOf(at, { prepared, nodes, ...options });
  }
  return parts;
}

/** Files that change in the same commits; none for an empty history, and for a tree. */
async function filesCoupledWith(
  { session, signal }: Asker,
  { graph, header }: GraphAndHeader,
  { paths, limit }: { paths: ReadonlySet<string>; limit: number },
): Promise<NonNullable<GraphImpactResponse['coupled']>> {
  if (header.commit === null) return cut([], limit);
  const [{ coupledFiles, tellingCommits }, { readChangeLog }] = await Promise.all([
    import('../../../history/change-log.js'),
    import('../../../session/history/change-log.js'),
  ]);
  const log = tellingCommits(await readChangeLog(session, { tip: header.commit, signal }));
  const present = coupledFiles(log, paths).filter(({ path }) => graph.findFile(path) >= 0);
  return cut(present, limit);
}
