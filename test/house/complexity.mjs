/**
 * Counts the decisions of each function: its cyclomatic complexity. A function has 1, and 1 more for each `if`, loop,
 * `case`, `?:`, `&&`, `||`, `??` and assignment like `??=`; the functions within it count for themselves.
 *
 *     node test/house/complexity.mjs              functions of `src` and the fleet over 15, worst first
 *     node test/house/complexity.mjs src/mcp 10   those of a folder or file over 10
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const DECISIONS = new Set([
  ...['IfStatement', 'ConditionalExpression', 'LogicalExpression'],
  ...['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'],
]);
const LOGICAL_ASSIGNMENTS = new Set(['&&=', '||=', '??=']);

function decides(node) {
  if (node.type === 'SwitchCase') return node.test !== null;
  return DECISIONS.has(node.type) || (node.type === 'AssignmentExpression' && LOGICAL_ASSIGNMENTS.has(node.operator));
}

/** Name of a function, or of the variable, property, method or call that it is given to. */
function nameOf(node, parent, text) {
  const named = node.id ?? parent?.id ?? parent?.key ?? parent?.callee;
  return named ? text.slice(named.start, named.end).split('\n')[0] : 'function';
}

/** Line (from 1), name and complexity of each function of a source text. */
export function complexities(path, text) {
  const found = [];
  const visit = (node, parent, owner) => {
    let mine = owner;
    if (FUNCTIONS.has(node.type)) {
      const line = text.slice(0, node.start).split('\n').length;
      mine = { path, line, name: nameOf(node, parent, text), complexity: 1 };
      found.push(mine);
    } else if (owner && decides(node)) owner.complexity += 1;
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === 'string') visit(child, node, mine);
      }
    }
  };
  visit(parseSync(path, text).program, undefined, undefined);
  return found;
}

/** Functions below `folder` (relative to the repository's root, or one file) over a complexity, worst first. */
export function functionsOver(limit, folder) {
  const paths = folder.endsWith('.ts')
    ? [folder]
    : readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
  return paths
    .flatMap((path) => complexities(path, readFileSync(ROOT + path, 'utf8')))
    .filter(({ complexity }) => complexity > limit)
    .sort((a, b) => b.complexity - a.complexity || (a.path < b.path ? -1 : 1));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, limit = '15'] = process.argv.slice(2);
  const folders = folder ? [folder.replace(/\/+$/, '')] : ['src', 'fleet/src'];
  const found = folders.flatMap((each) => functionsOver(Number(limit), each));
  for (const { path, line, name, complexity } of found) console.log(`${complexity}  ${path}:${line} ${name}`);
  console.log(`${found.length} functions over ${limit}`);
}
