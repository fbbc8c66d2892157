// Mistakes that people make, as edits of compiled JavaScript. Left out are edits that cannot change behaviour or always break it: of
// strings, imports, types, and what lies inside of a message.
import { Lang, parse } from '@ast-grep/napi';
import { refactor } from './refactorings.mjs';

/** Bounds, opposites, and the halves of a condition that are easily swapped. */
const SWAPPED = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
  '<<': '>>',
  '>>>': '<<',
  '&': '|',
  '+=': '-=',
  '-=': '+=',
};
/** Methods that do nearly the same. */
const SIBLINGS = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  startsWith: 'includes',
  endsWith: 'includes',
  floor: 'ceil',
  ceil: 'floor',
  push: 'unshift',
  shift: 'pop',
  pop: 'shift',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
};
/** Bounds on time and memory: nobody counts them exactly, and the mistake that people make is another unit or another power of two. */
const LARGE = 1_000;
/** Statements without which a program goes on, with something left undone. */
const DONE =
  /^(?:[\w.#]+\.)?(?:add|set|delete|push|clear|close|unref|refresh|destroy|kill|check\w*|require\w*|assert\w*)\(/;

/** Edits of a text: `{ start, end, text, line, what }` with offsets in UTF-16 units, in order. */
export function mutationsOf(source) {
  const found = [];
  const lines = lineStarts(source);
  const cut = (start, end, text, what) => found.push({ start, end, text, line: lineAt(lines, start), what });
  const replace = (node, text, what) => {
    const { start, end } = node.range();
    cut(start.index, end.index, text, what);
  };
  walk(parse(Lang.JavaScript, source).root(), { cut, replace });
  return found.sort((a, b) => a.start - b.start);
}

function walk(node, edits) {
  const kind = node.kind();
  if (kind === 'import_statement' || isMessage(node)) return;
  const children = node.children();
  mutate(node, kind, children, edits.replace);
  refactor(node, kind, children, edits);
  for (const child of children) walk(child, edits);
}

/** A text with words is read by people, and tests do not hold it to the letter: `is` or `are`, a number of one digit less. */
function isMessage(node) {
  if (node.kind() === 'new_expression') return /^new \w*Error\(/.test(node.text());
  const words = (part) => part.kind() === 'string_fragment' && /[a-z]{2} [a-z]{2}/.test(part.text());
  return node.kind() === 'template_string' && node.children().some(words);
}

function mutate(node, kind, children, add) {
  if (kind === 'binary_expression' || kind === 'augmented_assignment_expression') {
    const operator = children[1];
    const other = SWAPPED[operator.kind()];
    if (other !== undefined) add(operator, other, `${operator.kind()} -> ${other}`);
    if (operator.kind() === '??') add(node, children[0].text(), 'without its default');
  } else if (kind === 'if_statement' || kind === 'while_statement') {
    if (kind === 'if_statement') add(children[1], '(true)', 'condition always true');
    add(children[1], '(false)', 'condition never true');
  } else if (kind === 'ternary_expression') {
    add(children[0], 'true', 'always the first');
    add(children[0], 'false', 'always the second');
  } else if (kind === 'unary_expression' && children[0].kind() === '!') add(children[0], '', 'without !');
  else if (kind === 'true' || kind === 'false') add(node, kind === 'true' ? 'false' : 'true', 'the other truth');
  else if (kind === 'number' && node.text() === '1' && isOrder(node)) return;
  else if (kind === 'number' && Number(node.text().replaceAll('_', '')) >= LARGE)
    add(node, `(${node.text()} * 2)`, 'twice');
  else if (kind === 'number' && node.text() !== '0') add(node, `(${node.text()} + 1)`, 'one more');
  else if (kind === 'number') add(node, '1', '0 -> 1');
  else if (kind === 'property_identifier' && node.parent()?.kind() === 'member_expression') {
    const other = Object.hasOwn(SIBLINGS, node.text()) ? SIBLINGS[node.text()] : undefined;
    if (other !== undefined) add(node, other, `${node.text()} -> ${other}`);
  } else if (kind === 'expression_statement' && DONE.test(node.text().replace(/^await /, ''))) {
    add(node, ';', 'left out');
  } else if (kind === 'continue_statement') add(node, ';', 'left out');
}

/** Of what a comparison for sorting gives, only the sign is read: 2 is as good as 1. */
function isOrder(number) {
  const own = number.parent();
  const choice = own.kind() === 'unary_expression' ? own.parent() : own;
  const comparison = choice.ancestors().find((node) => node.kind() === 'arrow_function');
  const call = comparison?.parent()?.parent();
  return choice.kind() === 'ternary_expression' && /\.(?:sort|toSorted)$/.test(call?.child(0)?.text() ?? '');
}

function lineStarts(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts, offset) {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
