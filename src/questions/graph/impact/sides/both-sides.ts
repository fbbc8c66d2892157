/** Everything of a change that needs both graphs: users before and after, uses that dangle, and calls that do not fit. */
import type { Graph } from '../../../../graph/graph.js';
import { cut, isTestCode } from '../../../../graph/query/place.js';
import { possibleUses } from '../../../../graph/query/possible.js';
import { isFunction, isHidden } from '../../../../graph/query/uses.js';
import type { Sides } from '../../../../graph/sides/sides.js';
import { sameFamily } from '../../../../languages/registry.js';
import type { BlobFactsSource } from '../../../../session/blob-facts.js';
import type { Changes } from '../changed-symbols.js';
import { type ImpactOptions, impactOf } from '../impact.js';
import { danglingUses } from '../impact-of-changes.js';
import type { Impact } from '../output.js';
import { findMismatches } from './calls.js';
import { compareSides } from './compare.js';
import { findDangling } from './dangling.js';
import { FileTexts } from './file-texts.js';
import type { DanglingUse, Mismatch } from './output.js';
import { riskOfBoth } from './risk.js';

interface Request {
  old: Graph;
  now: Graph;
  changes: Changes;
  /** Reads blobs of both sides. */
  source: BlobFactsSource;
  /** Impact of all changes on the newer side. */
  together: Impact;
  options: ImpactOptions;
}

interface Both {
  risk: Impact['risk'];
  tests: Impact['tests'];
  users: { before: number; after: number };
  dangling: Some<DanglingUse>;
  mismatches: Some<Mismatch>;
}

interface Some<T> {
  list: T[];
  leftOut: number;
}

/** Most uses listed that have nothing but the name of what is gone. */
const MAX_POSSIBLE = 500;

export async function bothSidesOf({ old, now, changes, source, together, options }: Request): Promise<Both> {
  const sides = compareSides(old, now, changes);
  const [former, texts] = [new FileTexts(sides.old, source), new FileTexts(now, source)];
  const touched = new Set(changes.symbols.map(({ node }) => node));
  const proven = await findDangling(sides, texts, touched);
  const dangling = [...proven, ...namesakes(sides, proven)];
  const mismatches = await findMismatches(sides, { former, texts, touched });
  const { limit } = options;
  const before = impactOf(sides.old, formerNodes(sides, changes), { ...options, membersToo: false });
  const isLost = countOf(before.tests) > countOf(together.tests);
  return {
    risk: riskOfBoth(together.risk, before.risk, { dangling, mismatches, mentions: mentionsBefore(sides), isLost }),
    tests: testsOfBoth(together, before, sides, limit),
    users: { before: before.affected, after: together.affected },
    dangling: cut(dangling, limit),
    mismatches: cut(mismatches, limit),
  };
}

const countOf = ({ list, leftOut }: Impact['tests']): number => list.length + leftOut;

/** Changed, moved and removed symbols as nodes of the older graph. */
function formerNodes(sides: Sides, { symbols }: Changes): number[] {
  const gone = [...sides.displaced()];
  const known = symbols.filter(({ ownBody }) => !ownBody).map(({ node }) => sides.older(node));
  return [...new Set([...known.filter((node) => node >= 0), ...gone])];
}

/** Functions of the older graph that other files could name, and whose name is gone; tests name their own. */
function lostFunctions(sides: Sides): number[] {
  const { old, now } = sides;
  return sides.displaced().filter((node) => {
    if (!isFunction(old, node) || isHidden(old, node) || isTestCode(old, node)) return false;
    const newer = sides.node(node);
    return newer < 0 || now.name(newer) !== old.name(node);
  });
}

/** Uses that could not be resolved before, by the names of such functions. */
function mentionsBefore(sides: Sides): number {
  return new Set(lostFunctions(sides).flatMap((node) => possibleUses(sides.old, node))).size;
}

/** Tests of the newer side, and those that reached the code before and are still there. */
function testsOfBoth(together: Impact, before: Impact, { now }: Sides, limit: number): Impact['tests'] {
  const known = new Set(together.tests.list.map(({ path }) => path));
  const further = before.tests.list.filter(({ path }) => !known.has(path) && now.findFile(path) >= 0);
  const { list, leftOut } = cut([...together.tests.list, ...further], limit);
  return { list, leftOut: leftOut + Math.max(together.tests.leftOut, before.tests.leftOut) };
}

/** Uses of the names of what is gone, where nothing has that name any more: they led nowhere before, too. */
function namesakes(sides: Sides, known: readonly DanglingUse[]): DanglingUse[] {
  const { old, now } = sides;
  const told = new Set(known.map(({ path, line }) => `${path}:${line}`));
  const found: DanglingUse[] = [];
  for (const node of lostFunctions(sides)) {
    const newer = sides.node(node);
    const name = old.name(node);
    const isMember = !old.isFile(old.container(node));
    const { language } = old.tables.files[old.fileOf(node)];
    const isStill = now.nodesNamed(name).some((other) => sameFamily(language, languageOf(now, other)));
    if (isStill || found.length >= MAX_POSSIBLE) continue;
    for (const edge of danglingUses(now, { symbol: old.qualifiedName(node), language })) {
      const { from, startLine, kind, receiver } = now.edge(edge);
      const path = now.path(from);
      // A function is used by its plain name, a member after a dot.
      if (kind === 'write' || (receiver !== '') !== isMember || told.has(`${path}:${startLine}`)) continue;
      told.add(`${path}:${startLine}`);
      found.push({
        ...{ path, line: startLine, symbol: now.isFile(from) ? null : now.qualifiedName(from), kind },
        ...{ text: receiver === '' ? name : `${receiver}.${name}`, certainty: 'possible' },
        was: { path: old.path(node), symbol: old.qualifiedName(node), kind: old.kind(node) },
        ...(newer < 0
          ? { how: 'removed' }
          : {
              how: 'renamed',
              now: { path: now.path(newer), symbol: now.qualifiedName(newer), line: Math.max(1, now.startLine(newer)) },
            }),
      });
    }
  }
  return found;
}

const languageOf = (graph: Graph, node: number): string => graph.tables.files[graph.fileOf(node)].language;
