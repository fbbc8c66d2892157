// Mistakes as a refactoring makes them, as edits of compiled JavaScript: half of a condition, a step of a chain or the fate of an error gets lost.

/** Calls without which a chain gives nearly the same. */
const STEPS = new Set([
  ...['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed'],
  ...['trim', 'trimEnd', 'trimStart', 'toLowerCase', 'toUpperCase', 'normalize', 'replace', 'replaceAll'],
]);
/** Functions for which the order of their arguments does not matter. */
const UNORDERED = /^(?:Math\.\w+|console\.\w+|[\w.#]+\.(?:push|unshift|add))$/;
const NAMES = new Set(['identifier', 'member_expression']);

/** For each kind of node the edits of it: each calls `replace(node, text, what)`, or `cut(from, to, text, what)` with offsets. */
const REFACTORINGS = {
  binary_expression: (node, children, { replace }) => {
    const [left, operator, right] = children;
    if (operator.kind() === '??') return replace(node, right.text(), 'always its default');
    if (operator.kind() !== '&&' && operator.kind() !== '||') return;
    replace(node, left.text(), 'without the last part');
    // Further to the left, each part of a chain is the last of a shorter one.
    if (left.child(1)?.kind() !== operator.kind()) replace(node, right.text(), 'without the first part');
  },
  if_statement: (node, children, { replace }) => {
    const otherwise = children.find((each) => each.kind() === 'else_clause');
    // Without `else`, this is the condition that never holds.
    if (otherwise === undefined) return;
    replace(node.field('consequence'), '{}', 'body left out');
    replace(otherwise, '', 'else left out');
  },
  catch_clause: (node, _children, { replace }) => {
    const body = node.field('body');
    const isEmpty = body.children().every((each) => ['{', '}', 'comment'].includes(each.kind()));
    if (!isEmpty) replace(body, '{}', 'error swallowed');
  },
  for_in_statement: (node, children, { replace }) => {
    const isOver = (kind) => children.some((each) => each.kind() === kind);
    const list = node.field('right');
    if (isOver('of') && !isOver('await')) replace(list, `[...${list.text()}].slice(0, 1)`, 'only the first');
  },
  spread_element: (node, children, { replace }) => {
    const kind = node.parent().kind();
    if (kind === 'array') replace(node, `...[...${children[1].text()}].slice(0, 1)`, 'only the first');
  },
  object: (_node, children, { replace }) => {
    const spread = children.findIndex((each) => each.kind() === 'spread_element');
    if (spread < 0) return;
    const later = children.slice(spread + 1).filter((each) => each.isNamed() && each.kind() !== 'comment');
    for (const member of later) replace(member, '...{}', 'member after a spread left out');
  },
  template_string: (_node, children, { replace }) => {
    const parts = children.filter((each) => each.kind() === 'template_substitution');
    for (const part of parts) replace(part, '', 'part of a text left out');
  },
  call_expression: (node, children, edits) => {
    withoutStep(node, children[0], edits);
    swapped(node, children[0].text(), edits);
    if (children[0].text() === 'Promise.all' && isRead(node))
      edits.replace(node, `${node.text()}.then((all) => all.reverse())`, 'results in another order');
  },
  new_expression: (node, _children, edits) => swapped(node, node.field('constructor').text(), edits),
};

/** Edits of one node, told to `edits`. */
export function refactor(node, kind, children, edits) {
  if (Object.hasOwn(REFACTORINGS, kind)) REFACTORINGS[kind](node, children, edits);
}

function withoutStep(call, called, { cut }) {
  if (called.kind() !== 'member_expression') return;
  const name = called.field('property').text();
  const { end } = called.field('object').range();
  if (STEPS.has(name)) cut(end.index, call.range().end.index, '', `${name} left out`);
}

/** Two neighbours of one kind in the other order. */
function swapped(call, called, { cut }) {
  if (UNORDERED.test(called)) return;
  const given = call
    .field('arguments')
    ?.children()
    .filter((each) => each.isNamed() && each.kind() !== 'comment');
  given?.forEach((second, index) => {
    const first = given[index - 1];
    if (first === undefined || !NAMES.has(first.kind()) || !NAMES.has(second.kind())) return;
    if (first.text() === second.text()) return;
    const text = `${second.text()}, ${first.text()}`;
    cut(first.range().start.index, second.range().end.index, text, 'arguments swapped');
  });
}

/** False for `await Promise.all(…);`, of which nobody reads the results. */
function isRead(call) {
  const outer = call.parent()?.kind() === 'await_expression' ? call.parent().parent() : call.parent();
  return outer?.kind() !== 'expression_statement';
}
