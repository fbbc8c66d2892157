/** Answers of the program as rows of a tree, and other forms of them. Knows nothing of VS Code, so that it is tested without one. */
import { join } from 'node:path';

/** A list of an answer that was cut. */
interface Some<T> {
  list: T[];
  leftOut: number;
}

/** One result of `schemas/search.schema.json`. */
export interface SearchResult {
  path: string;
  startLine: number;
  endLine: number;
  symbol: string | null;
  kind: string;
}

/** The answer about one open repository. */
export interface SearchAnswer {
  root: string;
  results: SearchResult[];
}

interface Affected {
  path: string;
  symbol: string | null;
  kind: string;
  line: number;
  use: string;
  via: string;
}

/** Of `schemas/graph-impact.schema.json`, what is shown; a name with several definitions has candidates alone. */
export interface Impact {
  target?: string;
  candidates?: Some<{ path: string; symbol: string | null; kind: string; startLine: number; pick: string }>;
  definitions?: { path: string; symbol: string | null; kind: string; startLine: number }[];
  risk: { level: string; reasons: string[] };
  hops: { hop: number; affected: Affected[]; leftOut: number }[];
  tests: Some<{ path: string; line?: number }>;
  mayRun?: Some<{ path: string; line?: number }>;
}

interface Place {
  path: string;
  line: number;
}

type Changed = { path: string; symbol: string | null; kind: string; startLine: number };

/** Of `schemas/review.schema.json`, what is shown. */
export interface Review extends Impact {
  changes: {
    dangling: Some<Place & { text: string; certainty: string }>;
    mismatches: Some<Place & { text: string; detail: string }>;
    symbols: Some<Changed & { change: string; affected: number }>;
    coupled: Some<{ path: string; together: number; of: number; with: string }>;
  };
  approvals?: {
    parts: number;
    seen: number;
    unseen: Some<{ path: string; symbol: string | null; what: string; kind: string; line: number | null }>;
  };
}

/** Of `schemas/status.schema.json`, what is shown. */
export interface Status {
  ref: string;
  commit: string | null;
  branch: string | null;
  coverage: { covered: number; total: number };
  dirty: number;
}

interface Position {
  line: number;
  character: number;
}

interface DocumentSymbol {
  range: { start: Position; end: Position };
  selectionRange: { start: Position };
  children?: DocumentSymbol[];
}

export interface Row {
  label: string;
  description?: string;
  tooltip?: string;
  /** Name of an icon of the editor. */
  icon?: string;
  file?: string;
  /** From 0. */
  line?: number;
  children?: Row[];
  /** Name of this part of a change for `review ok`. */
  part?: string;
}

const SYMBOL_ICONS = new Set(
  'file function method constructor class interface struct enum module namespace constant variable field property key'.split(
    ' ',
  ),
);

const iconOf = (kind: string): string => `symbol-${SYMBOL_ICONS.has(kind) ? kind : 'misc'}`;
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** Lines of answers count from 1, those of editors from 0. */
const at = (root: string, path: string, line = 1) => ({ file: join(root, path), line: Math.max(0, line - 1) });

export function rowsOf(answers: readonly SearchAnswer[]): Row[] {
  const rows = answers.flatMap(({ root, results }) =>
    results.map(({ path, startLine, symbol, kind }) => ({
      label: symbol ?? baseName(path),
      description: `${kind}  ${path}:${startLine}`,
      icon: iconOf(kind),
      ...at(root, path, startLine),
    })),
  );
  return rows.length > 0 ? rows : [{ label: 'Nothing found', icon: 'info' }];
}

/** A row with a number and rows below it; none for an empty list. */
function group(label: string, icon: string, { list, leftOut }: Some<Row>): Row[] {
  if (list.length + leftOut === 0) return [];
  const cut = leftOut > 0 ? [{ label: `and ${leftOut} more`, icon: 'ellipsis' }] : [];
  return [{ label, description: String(list.length + leftOut), icon, children: [...list, ...cut] }];
}

function groupOf<T>(label: string, icon: string, some: Some<T> | undefined, row: (one: T) => Row): Row[] {
  return some === undefined ? [] : group(label, icon, { list: some.list.map(row), leftOut: some.leftOut });
}

const riskRow = ({ level, reasons }: Impact['risk']): Row => ({
  label: `Risk: ${level}`,
  description: reasons.join('; '),
  tooltip: reasons.join('\n'),
  icon: level === 'high' || level === 'critical' ? 'warning' : 'info',
});

function testRows(root: string, { tests, mayRun }: Impact): Row[] {
  const row = ({ path, line }: { path: string; line?: number }): Row => ({
    ...{ label: baseName(path), description: path, icon: 'beaker' },
    ...at(root, path, line),
  });
  return [...groupOf('Tests to run', 'beaker', tests, row), ...groupOf('May run it', 'beaker', mayRun, row)];
}

/** Users of one symbol, which its change may break, hop by hop. */
export function impactRows(root: string, answer: Impact): Row[] {
  if (answer.candidates !== undefined)
    return groupOf('Several are called so', 'question', answer.candidates, ({ path, symbol, kind, startLine }) => ({
      ...{ label: symbol ?? path, description: `${path}:${startLine}`, icon: iconOf(kind) },
      ...at(root, path, startLine),
    }));
  const hops = answer.hops.flatMap(({ hop, affected, leftOut }) =>
    groupOf(hop === 1 ? 'Direct users' : `Users, hop ${hop}`, 'references', { list: affected, leftOut }, (user) => ({
      label: user.symbol ?? baseName(user.path),
      description: `${user.use} of ${user.via}  ${user.path}:${user.line}`,
      icon: iconOf(user.kind),
      ...at(root, user.path, user.line),
    })),
  );
  const defined = (answer.definitions ?? []).map(({ path, symbol, kind, startLine }) => ({
    ...{ label: symbol ?? baseName(path), description: `${path}:${startLine}`, icon: iconOf(kind) },
    ...at(root, path, startLine),
  }));
  return [...defined, riskRow(answer.risk), ...hops, ...testRows(root, answer)];
}

/** Of the symbols of a file, as the protocol has them: where the name of the innermost one around a line stands. */
export function nameAround(symbols: readonly DocumentSymbol[], line: number): Position | null {
  const around = symbols.find(({ range }) => range.start.line <= line && line <= range.end.line);
  if (around === undefined) return null;
  return nameAround(around.children ?? [], line) ?? around.selectionRange.start;
}

/** Rows of a review: first uses that are broken, then code that nobody has approved, then the rest. */
export function reviewRows(root: string, answer: Review): Row[] {
  const { changes, approvals } = answer;
  const said = (detail: string) => (one: Place & { text: string }) => ({
    ...{ label: one.text, description: `${detail}  ${one.path}:${one.line}`, icon: 'error' },
    ...at(root, one.path, one.line),
  });
  return [
    riskRow(answer.risk),
    ...groupOf('Dangling uses', 'error', changes.dangling, (one) => said(one.certainty)(one)),
    ...groupOf('Calls that do not fit', 'error', changes.mismatches, (one) => said(one.detail)(one)),
    ...groupOf('Not approved', 'eye', approvals?.unseen, ({ path, symbol, what, kind, line }) => ({
      label: symbol ?? baseName(path),
      description: `${what === 'symbol' ? kind : what}  ${path}`,
      icon: iconOf(kind),
      part: symbol === null ? path : `${path}#${symbol}`,
      ...(line === null ? {} : at(root, path, line)),
    })),
    ...groupOf('Changes, largest effect first', 'diff', changes.symbols, (one) => ({
      label: one.symbol ?? baseName(one.path),
      description: `${one.change}, ${one.affected} users  ${one.path}:${one.startLine}`,
      icon: iconOf(one.kind),
      ...at(root, one.path, one.startLine),
    })),
    ...testRows(root, answer),
    ...groupOf('Usually changed along', 'git-compare', changes.coupled, ({ path, together, of, with: other }) => ({
      label: baseName(path),
      description: `in ${together} of ${of} commits of ${other}`,
      icon: 'file',
      ...at(root, path),
    })),
  ];
}

/** Text and explanation of the item in the status bar. */
export function statusItem({ ref, commit, branch, coverage, dirty }: Status): { text: string; tooltip: string } {
  const { covered, total } = coverage;
  const isWhole = covered === total;
  const text = isWhole ? '$(search-view-icon) indexed' : `$(sync) ${covered} of ${total} files`;
  const name = `${branch ?? ref}${commit === null ? '' : ` (${commit.slice(0, 9)})`}`;
  const files = isWhole ? `${total} files` : `${covered} of ${total} files`;
  return { text, tooltip: `git-socraticode: ${files} of ${name} are indexed, ${dirty} uncommitted` };
}

/** Marks addresses in the page of the graph that open a file in the editor. */
const OPEN = '#open=';

/**
 * The page of the graph for a window of the editor: a link beside each file tells the extension to open it. The script and
 * the style, against the editor's own margins, stand before the page's policy, which allows no other.
 */
export function mapPage(html: string): string {
  const told = `const editor = acquireVsCodeApi();
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="${OPEN}"]');
    if (!link) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    editor.postMessage(link.getAttribute('href'));
  }, true);`;
  const place = JSON.stringify({ title: 'Open here', address: `${OPEN}{path}:{start}` });
  return html
    .replace(/"places":\[(\]?)/, (_, end: string) => `"places":[${place}${end === '' ? ',' : end}`)
    .replace('<head>', () => `<head><style>body{padding:0!important}</style><script>${told}</script>`);
}

/** Path and line, from 0, that a click in the page names; null for anything else, since the page shows names of a repository. */
export function placeOfClick(message: unknown): { path: string; line: number } | null {
  if (typeof message !== 'string' || !message.startsWith(OPEN)) return null;
  const at = message.lastIndexOf(':');
  const line = Number(message.slice(at + 1));
  try {
    const path = decodeURIComponent(message.slice(OPEN.length, at));
    const isInside = path !== '' && !/^[\\/]|^[a-z]:/i.test(path) && !path.split(/[\\/]/).includes('..');
    return isInside && Number.isSafeInteger(line) && line > 0 ? { path, line: line - 1 } : null;
  } catch {
    return null;
  }
}

/** Program and arguments of the setting, with further arguments. Throws for a setting that names none. */
export function commandLine(setting: unknown, rest: readonly string[]): { command: string; args: string[] } {
  const words = Array.isArray(setting) ? setting.filter((word): word is string => typeof word === 'string') : [];
  const [command, ...args] = words;
  if (!command) throw new Error('git-socraticode.command is empty');
  return { command, args: [...args, ...rest] };
}
