// Compares uses that the graph knows with the places that a compiler knows, by file and line.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { overloadsOf } from '../../dist/graph/query/overloads.js';
import { FILE_EDGE_KINDS } from '../../dist/graph/tables.js';
import { referencesOf } from '../../dist/questions/graph/references/answer.js';
import { Causes, shuffled } from './graph-truth-project.mjs';
import { importLines, shapeOf } from './graph-truth-shapes.mjs';
import { randomOf } from './random.mjs';

export const GROUPS = ['functions', 'members', 'constructors', 'types', 'variables'];

const CAUSES = ['missed', 'open', 'wrong', 'unknown', 'bare', 'through'];

/**
 * Judges `symbols` random definitions of each group. Places of the truth are `required` (they must be found), or `allowed`
 * (finding them is neither right nor wrong): definitions, imports, and uses of what a symbol overrides or is overridden by.
 */
export async function judge(project, truth, { symbols, seed, under, grep }) {
  const context = { project, truth, grep, sources: openSources(project.directory) };
  const causes = Object.fromEntries(CAUSES.map((name) => [name, new Causes()]));
  const result = { groups: {}, tiers: {}, confidence: {}, causes, confirmed: 0 };
  for (const group of GROUPS) result.groups[group] = emptyCounts();
  const random = randomOf(seed);
  for (const definition of shuffled(truth.definitions, random)) {
    if (!definition.path.startsWith(under) || !project.paths.has(definition.path)) continue;
    const sites = await truth.sites(definition);
    if (definition.afterDot && !sites.some((site) => isAfterDot(context, site))) continue;
    const nodes = nodesOf(project.graph, definition, truth.apart === true);
    const group =
      definition.group === 'variables' && nodes.some((node) => project.graph.kind(node) === 'function')
        ? 'functions'
        : definition.group;
    const counts = result.groups[group];
    counts.defined++;
    if (nodes.length === 0) {
      counts.unknown++;
      const line = context.sources.line(definition.path, definition.line);
      const shape = shapeOf(line, definition.column, definition.endColumn);
      causes.unknown.add(
        `${group}: ${shape}`,
        `${definition.path}:${definition.line} \`${line.trim().slice(0, 100)}\``,
      );
    } else if (counts.symbols < symbols) {
      counts.symbols++;
      const places = await placesOf(context, { definition, sites, nodes });
      judgeSymbol(context, { definition, nodes, places, counts, result });
    }
  }
  return result;
}

function emptyCounts() {
  return {
    ...{ symbols: 0, defined: 0, unknown: 0, sites: 0 },
    // Symbols that are used, those of them without any proven use, and sums of the share that is found of each.
    ...{ used: 0, bare: 0, shares: 0 },
    proven: { found: 0, right: 0, wrong: 0, silent: 0 },
    through: { found: 0, right: 0, aside: 0, wrong: 0, silent: 0 },
    possible: { found: 0, right: 0, wrong: 0, silent: 0 },
    grep: { found: 0, right: 0, wrong: 0 },
  };
}

/** Our symbols that stand for a definition: of its name, around its line; overloads and accessors are one, unless they are told apart. */
function nodesOf(graph, { path, line, name, group }, apart) {
  const file = graph.findFile(path);
  if (file < 0) return [];
  const { nodeBase } = graph.tables;
  const plain = name.replace(/^#/, '');
  let best = -1;
  for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
    if (graph.name(node).replace(/^#/, '') !== plain) continue;
    if (line < graph.startLine(node) || line > graph.endLine(node)) continue;
    if ((group === 'constructors') !== (graph.kind(node) === 'constructor') && path.endsWith('.java')) continue;
    if (best < 0 || graph.startLine(node) > graph.startLine(best)) best = node;
  }
  if (best < 0) return [];
  if (apart) return overloadsOf(graph, best);
  const whole = graph.qualifiedName(best);
  // In Rust a field and a method can have one name.
  const isField = (node) => graph.kind(node) === 'field';
  // So can methods of several traits, in blocks of their own.
  const holder = (node) => (path.endsWith('.rs') ? graph.tables.nodeContainer[node] : -1);
  const same = [...graph.nodesNamed(graph.name(best))].filter(
    (node) =>
      graph.fileOf(node) === file &&
      graph.qualifiedName(node) === whole &&
      isField(node) === isField(best) &&
      holder(node) === holder(best),
  );
  return [...new Set([...same, ...overloadsOf(graph, best)])];
}

const isAfterDot = ({ sources }, { path, line, column }) => sources.line(path, line)[column - 1] === '.';

async function placesOf(context, { definition, sites, nodes }) {
  const { truth, sources, project } = context;
  const required = new Map();
  const allowed = new Set();
  for (const site of sites) {
    const key = `${site.path}:${site.line}`;
    const isUse =
      !site.isDefinition &&
      !(definition.afterDot && !isAfterDot(context, site)) &&
      !sources.imports(site.path).has(site.line) &&
      isWritten(context, site, definition.name) &&
      shapeOf(sources.line(site.path, site.line), site.column, site.endColumn) !== 'definition';
    if (isUse) required.set(key, site);
    else allowed.add(key);
  }
  const isMaker =
    definition.group !== 'constructors' && nodes.some((node) => project.graph.kind(node) === 'constructor');
  const makers = isMaker ? await makersOf(truth, definition) : [];
  for (const { path, line } of [...(await truth.relatives(definition)), ...makers]) allowed.add(`${path}:${line}`);
  for (const key of allowed)
    if (sites.some((site) => site.isDefinition && `${site.path}:${site.line}` === key)) required.delete(key);
  return { required, allowed };
}

/** Is the name written there, or another that an import gives it? scip-python names the last name of a `from x import *`. */
function isWritten({ sources }, { path, line, column, endColumn }, name) {
  const text = sources.line(path, line).slice(column, endColumn).replace(/^#/, '');
  return text === name.replace(/^#/, '') || text === '' || sources.importText(path).includes(text);
}

/** Places that make objects: uses of a constructor for us, of its class for a compiler. */
async function makersOf(truth, { id }) {
  const owner = truth.definitions.find((other) => other.group === 'types' && id.startsWith(other.id));
  return owner === undefined ? [] : truth.sites(owner);
}

function judgeSymbol(context, { definition, nodes, places, counts, result }) {
  const { graph } = context.project;
  const { uses, possible } = referencesOf(graph, nodes, Number.POSITIVE_INFINITY);
  // A compiler lists explicit calls of a constructor; what makes objects calls it too.
  const makes = definition.group !== 'constructors' && nodes.some((node) => graph.kind(node) === 'constructor');
  const isRead = (path, line) => context.truth.paths.has(path) && line < (context.truth.lastLine?.(path) ?? Infinity);
  const isJudged = ({ kind, path, line }) =>
    !FILE_EDGE_KINDS.has(kind) && !(makes && kind === 'new') && isRead(path, line);
  const proven = uses.list.filter((use) => isJudged(use) && use.through === undefined);
  const through = uses.list.filter((use) => isJudged(use) && use.through !== undefined);
  const open = [...through, ...possible.list.filter(isJudged)];
  const target = `${definition.path}:${definition.line} ${graph.qualifiedName(nodes[0])}`;
  const judgeUse = (use, tally, tier) => {
    let verdict = verdictOf(context, use, places, definition.name);
    if (tier === 'through') {
      tally[verdict]++;
      if (verdict === 'wrong' || verdict === 'silent')
        result.causes.through.add(
          `${verdict} ${use.kind}`,
          `${use.path}:${use.line} -> ${target} through ${use.through}`,
        );
      return;
    }
    if (verdict === 'aside') return;
    // The index names nothing where a namespace has a member through `export { x } from`.
    if (verdict !== 'right' && tier === 'proven' && context.truth.second?.().confirms(use, definition)) {
      verdict = 'right';
      result.confirmed++;
    }
    tally[verdict]++;
    const confidence = tier === 'proven' ? use.confidence : (use.likelihood ?? use.confidence);
    for (const [table, key] of [
      [result.tiers, use.tier],
      [result.confidence, `${tier} ${confidence}`],
    ]) {
      table[key] ??= { right: 0, wrong: 0, silent: 0 };
      table[key][verdict]++;
    }
    if (verdict === 'right' || tier !== 'proven') return;
    const line = context.sources.line(use.path, use.line);
    const text = `${use.path}:${use.line} \`${line.trim().slice(0, 110)}\` -> we say ${target}`;
    const group = groupOf(result, counts);
    result.causes.wrong.add(
      `${group}: ${verdict === 'silent' ? '(compiler knows nothing there) ' : ''}${use.tier} ${use.kind}`,
      text,
    );
  };
  for (const use of unique(proven)) judgeUse(use, counts.proven, 'proven');
  for (const use of unique(open)) if (use.through === undefined) judgeUse(use, counts.possible, 'possible');
  for (const use of unique(through)) judgeUse(use, counts.through, 'through');
  const foundBefore = counts.proven.found;
  counts.sites += places.required.size;
  for (const site of places.required.values()) {
    const covers = (use) => use.path === site.path && use.line <= site.line && site.line <= use.endLine;
    if (proven.some(covers)) counts.proven.found++;
    else explainMissed(context, { site, target, name: definition.name, isOpen: open.some(covers), counts, result });
    if (proven.some(covers) || open.some(covers)) counts.possible.found++;
  }
  if (places.required.size > 0) {
    const own = counts.proven.found - foundBefore;
    counts.used++;
    counts.shares += own / places.required.size;
    if (own === 0) {
      counts.bare++;
      result.causes.bare.add(groupOf(result, counts), `${target}: ${places.required.size} uses`);
    }
  }
  if (context.grep) judgeGrep(context, definition.name, places, counts.grep);
}

const groupOf = ({ groups }, counts) => GROUPS.find((each) => groups[each] === counts);

/** Uses by place, each once. */
function unique(uses) {
  return [...new Map(uses.map((use) => [`${use.path}:${use.line}`, use])).values()];
}

/** `right`, `aside` (neither), `silent` (the compiler knows nothing of that name there) or `wrong`. */
function verdictOf(context, use, { required, allowed }, name) {
  let verdict = 'silent';
  for (let line = use.line; line <= use.endLine; line++) {
    const key = `${use.path}:${line}`;
    if (required.has(key)) return 'right';
    if (allowed.has(key)) verdict = 'aside';
    else if (verdict === 'silent') verdict = saidOf(context, use.path, line, name);
  }
  return verdict;
}

/** What a compiler says of a name on a line that it doesn't list as a use. */
function saidOf({ truth, sources }, path, line, name) {
  const known = truth.named(path, line);
  if (known === null) return 'wrong';
  const text = sources.line(path, line);
  const same = known.filter(({ column, endColumn }) => text.slice(column, endColumn) === name);
  // What isn't named there (`cls()`, `config()` for `__call__`) no compiler lists.
  if (
    !new RegExp(`(?<![\\w$])${RegExp.escape?.(name) ?? name.replace(/[$^*+?.()|[\]{}\\]/g, '\\$&')}(?![\\w$])`).test(
      text,
    )
  )
    return 'aside';
  if (same.length === 0) return 'silent';
  const isOther = ({ name: meant }) => meant !== null && meant !== name && !sources.importText(path).includes(name);
  return same.every(isOther) ? 'aside' : 'wrong';
}

/** What our graph holds where a use was missed. */
function explainMissed({ project: { graph }, sources }, { site, target, name, isOpen, result, counts }) {
  const line = sources.line(site.path, site.line);
  const text = `${site.path}:${site.line} \`${line.trim().slice(0, 110)}\` -> ${target}`;
  const group = groupOf(result, counts);
  const cause = `${group}: ${shapeOf(line, site.column, site.endColumn)}; ${heldAt(graph, site, name)}`;
  if (!isOpen) result.causes.open.add(cause, text);
  result.causes.missed.add(cause, text);
}

function heldAt(graph, { path, line }, name) {
  const file = graph.findFile(path);
  if (file < 0) return 'file not indexed';
  const { nodeBase, edgeBase } = graph.tables;
  let held = 'no use was seen';
  for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
    const { name: used, startLine, endLine, tier, to } = graph.edge(edge);
    if (used !== name || line < startLine || line > endLine || graph.isFileEdge(edge)) continue;
    if (to < 0) return tier;
    held = `led elsewhere by ${tier}`;
  }
  return held;
}

function judgeGrep({ project: { directory }, truth, sources }, name, { required, allowed }, tally) {
  let output = '';
  try {
    const args = ['-C', directory, 'grep', '-nwFI', '-e', name, 'HEAD', '--'];
    output = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  } catch {
    return;
  }
  for (const [, path, number] of output.matchAll(/^HEAD:(.+?):(\d+):/gm)) {
    const key = `${path}:${number}`;
    if (required.has(key)) {
      tally.found++;
      tally.right++;
    } else if (truth.paths.has(path) && !allowed.has(key) && !sources.imports(path).has(Number(number))) tally.wrong++;
  }
}

/** Lines of files, and which of them are imports. */
function openSources(directory) {
  const files = new Map();
  const open = (path) => {
    if (!files.has(path)) {
      const lines = readFileSync(join(directory, path), 'utf8').split(/\r?\n/);
      const imports = importLines(path, lines);
      files.set(path, { lines, imports, text: lines.filter((_, i) => imports.has(i + 1)).join('\n') });
    }
    return files.get(path);
  };
  return {
    line: (path, line) => open(path).lines[line - 1] ?? '',
    imports: (path) => open(path).imports,
    importText: (path) => open(path).text,
  };
}
