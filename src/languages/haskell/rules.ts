/**
 * Rules of Haskell: definitions, relations and imports. Functions are applied without brackets, so the heads of applications are the calls.
 * The header of a file names its module.
 */
import { type ParsingRules, wordSet } from '../language.js';
import { headText, MAX_HEAD_LENGTH } from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { type Blank, blanked } from '../roles/masks.js';
import {
  external,
  type ImportResolver,
  type ImportRules,
  Namespaces,
  type Project,
  type Resolution,
  type Specified,
} from '../roles/project.js';
import type { ImportedName } from '../roles/relation-facts.js';
import type {
  DefinitionView,
  FactSink,
  LexicalConventions,
  NodeRule,
  NodeView,
  RelationRules,
} from '../roles/relations.js';

const LEXICAL: LexicalConventions = {
  joins: ['.'],
  nameExtra: "'",
  quotes: '"',
  lineComments: ['--'],
  blockComment: ['{-', '-}'],
};

/** `import qualified A.B as C (d, E (..))`. */
const importRule: NodeRule = ({ start, end, text }, sink) => {
  const match =
    /^import\s+(?:safe\s+)?(qualified\s+)?(?:"[^"]*"\s+)?([A-Z][\w.']*)(\s+qualified)?(?:\s+as\s+([A-Z][\w.']*))?(?:\s*(hiding\b))?(?:\s*\(([\s\S]*)\))?\s*$/.exec(
      text.slice(0, 20 * MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  const [, before, specifier, after, alias, hiding, list] = match;
  const names: ImportedName[] = [];
  const isQualified = before !== undefined || after !== undefined;
  if (isQualified || alias !== undefined) names.push({ name: '*', alias: alias ?? specifier });
  if (!isQualified && (list === undefined || hiding !== undefined)) names.push({ name: '*', alias: '' });
  const listed = list ?? '';
  const items = [...listed.matchAll(/[A-Za-z_][\w']*/g)];
  // Types in the list are no uses of them.
  for (const { index } of items) sink.declared(start + text.lastIndexOf(listed) + index);
  const own = new Set(items.map(([name]) => name).filter((name) => name !== 'type' && name !== 'pattern'));
  if (!isQualified && hiding === undefined) for (const name of own) names.push({ name, alias: name });
  sink.import(start, end, 'import', specifier, names);
};

const headerRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /\bmodule\s+([A-Z][\w.']*)/.exec(text);
  if (match === null) return;
  // The list of exports is part of it: the names in it are no uses.
  sink.import(start, end, 'declare', match[1]);
  for (const again of text.slice(match.index + match[0].length).matchAll(/\bmodule\s+([A-Z][\w.']*)/g)) {
    const at = start + match.index + match[0].length + again.index;
    if (again[1] !== match[1])
      sink.import(at, Math.min(end, at + again[0].length), 'reexport', again[1], [{ name: '*', alias: '' }]);
  }
};

const NAME = /((?:[A-Z][\w']*\.)*)([A-Za-z_][\w']*)/y;

/** States that the name at `at` is used, whether a function or a constructor. */
function use(view: NodeView, sink: FactSink, at: number, args: number): void {
  NAME.lastIndex = at;
  const match = NAME.exec(sink.source);
  if (match === null) return;
  const nameAt = at + match[1].length;
  const isConstructor = /^[A-Z]/.test(match[2]);
  if (isConstructor && inPattern(view)) return;
  sink.reference(nameAt, nameAt + match[2].length, isConstructor ? 'new' : 'call', match[0], { args });
}

/** Nodes that patterns and expressions share. */
const SHARED = wordSet('parens tuple list apply infix record literal strict irrefutable as');
/** Nodes around patterns and types, which hold no values; the value of a function is in a `match`. */
const NO_VALUES = wordSet(
  `patterns data_constructor type_patterns signature function field type_synomym newtype newtype_constructor class
   instance prefix forall context type_params`,
);
const MAX_PATTERN_DEPTH = 8;

/** Is the node in a pattern? Constructors there make no instance. */
function inPattern({ parent, start }: NodeView): boolean {
  let at = parent;
  for (let depth = 0; at !== null && depth < MAX_PATTERN_DEPTH; depth++) {
    const { kind } = at;
    if (NO_VALUES.has(kind)) return true;
    // Functions whose first argument is a pattern.
    if (kind === 'alternative' || kind === 'generator' || kind === 'bind') return at.start >= start - 1;
    if (!SHARED.has(kind)) return false;
    at = at.parent;
  }
  return false;
}

/** `f x y`, and a last argument that is the name of a function which is passed on. */
const applyRule: NodeRule = (view, sink) => {
  const { start, end, text } = view;
  use(view, sink, start, -1);
  const last = /\s((?:[A-Z][\w']*\.)*[a-z_][\w']*)$/.exec(text.slice(-200));
  if (last !== null) sink.reference(end - (/[\w']*$/.exec(last[1])?.[0].length ?? 0), end, 'value', last[1]);
};

/** `f $ x`, `f <$> x`, `f =<< x`. */
const infixRule: NodeRule = (view, sink) => {
  const match = /^(?:[A-Z][\w']*\.)*[a-z_][\w']*\s*(?:\$!?|<\$>|<\$!>|=<<)\s/.exec(view.text.slice(0, 200));
  if (match !== null) use(view, sink, view.start, 1);
};

/** A statement that is a name only: `setup`. */
const statementRule: NodeRule = (view, sink) => {
  if (/^(?:[A-Z][\w']*\.)*[a-z_][\w']*$/.test(view.text.slice(0, 200))) use(view, sink, view.start, 0);
};

/** `Cart { items = xs }`. */
const recordRule: NodeRule = (view, sink) => {
  if (/^(?:[A-Z][\w']*\.)*[A-Z][\w']*\s*\{/.test(view.text.slice(0, 200))) use(view, sink, view.start, -1);
};

/** Names in `where` and `let`, and those that a statement binds; at the top level they are symbols. */
const bindRule: NodeRule = ({ start, text }, sink) => {
  const { source } = sink;
  if (start === 0 || source[start - 1] === '\n') return;
  const match = /^([a-z_][\w']*)|^\(([^()]*)\)/.exec(text.slice(0, 200));
  if (match?.[1] !== undefined) sink.local(start, match[1], '', '');
  else addNames(sink, start, start + (match?.[0].length ?? 0));
};

function addNames(sink: FactSink, from: number, to: number): void {
  for (const match of headText(sink.source, from, to).matchAll(/(?<![\w'.])[a-z_][\w']*/g))
    if (match[0] !== '_') sink.local(from + match.index, match[0], '', '');
}

const patternsRule: NodeRule = ({ start, end }, sink) => addNames(sink, start, end);

/** `Just x -> …`, `x <- xs`. */
const alternativeRule: NodeRule = ({ start, text }, sink) => {
  const arrow = text.slice(0, MAX_HEAD_LENGTH).search(/->|<-|\s\|\s/);
  if (arrow > 0) addNames(sink, start, start + arrow);
};

const typeRule: NodeRule = ({ start, end, text }, sink) => {
  const before = /(?:[A-Z][\w']*\.)+$/.exec(sink.source.slice(Math.max(0, start - 100), start))?.[0] ?? '';
  sink.reference(start, end, 'type', before + text);
};

/** `instance Eq a => Cls (Cart a) where`: the class is before the type. */
function definition({ kind, name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  if (kind !== 'impl') return;
  const { source } = sink;
  const type = /^\s*\(?\s*(?:[A-Z][\w']*\.)*([A-Z][\w']*)/.exec(headText(source, nameEnd, end, 200));
  const module = /(?:[A-Z][\w']*\.)+$/.exec(source.slice(Math.max(0, nameStart - 100), nameStart))?.[0] ?? '';
  if (type !== null) sink.reference(nameEnd, nameEnd, 'implements', module + name, { of: type[1] });
}

const haskellRelations: RelationRules = {
  lexical: LEXICAL,
  nodes: {
    import: importRule,
    header: headerRule,
    apply: applyRule,
    infix: infixRule,
    infix_id: (view, sink) => use(view, sink, view.start + 1, 2),
    exp: statementRule,
    record: recordRule,
    bind: bindRule,
    function: bindRule,
    patterns: patternsRule,
    alternative: alternativeRule,
    generator: alternativeRule,
    name: typeRule,
  },
  definition,
  values: /[(,[=$.]\s*((?:[A-Z]\w*\.)*[a-z_][\w']*)\s*(?=[),\]\n.$])/g,
  ignoredTypes: wordSet(
    `Int Integer Double Float Bool Char String IO Maybe Either Ordering Show Eq Ord Monad Functor Applicative Monoid
     Semigroup Foldable Traversable Num Read Enum Bounded Word Rational`,
  ),
  ignoredCalls: wordSet(
    `show map filter foldr foldl return pure fmap mapM_ mapM print putStrLn error not fst snd length concat concatMap
     otherwise id const flip elem zip head tail null sum maximum minimum either maybe fromIntegral`,
  ),
};

/** Lines of code in a literate file: behind `>`, between `\\begin{code}` and `\\end{code}`, or in fences of Markdown. */
const LITERATE = /^(?:>[ \t]+(?:module|import|\{-#)|\\begin\{code\}|[`~]{3,}[ \t]*(?:\{\.)?haskell\b)/m;
const CODE_BLOCK = /^(?:\\begin\{code\}|[`~]{3,}[ \t]*(?:\{\.)?haskell\b(?![^\n]*\bignore\b))/;
const BLOCK_END = /^(?:\\end\{code\}|[`~]{3,}[ \t\r]*$)/;
/** A program begins so, and no literate text. Linear: each of its branches begins with another character. */
const PROGRAM =
  /^(?:\s|--[^\n]*\n|#[^\n]*\n)*(?:\{-|(?:module|import|data|newtype|type|class)\b|[a-z_][\w']*[ \t]*(?:::|=))/;

/** The code of a literate text alone. */
function withoutProse(text: string): string {
  if (PROGRAM.test(text) || !LITERATE.test(text)) return text;
  let isInBlock = false;
  const lines = text.split('\n').map((line) => {
    const isCode = isInBlock && !BLOCK_END.test(line);
    isInBlock = isInBlock ? isCode : CODE_BLOCK.test(line);
    if (isCode) return line;
    return line.startsWith('>') ? ` ${line.slice(1)}` : line.replace(/[^\r]/g, ' ');
  });
  return lines.join('\n');
}

/** A directive with the lines that go on. */
const DIRECTIVE = /^#[ \t]*(if|ifdef|ifndef|elif|else|endif|warning|error)\b(?:[^\\\n]|\\(?:\r?\n|.))*/gm;
/** Behind a directive: comments, then a declaration at the beginning of a line. */
const DECLARATION =
  /[ \t\r]*\n(?:[ \t\r]*\n|--[^\n]*\n)*(?:\{-|#|[a-z_][^\n=:]*(?:::|=)|(?:import|data|newtype|type|class|instance|deriving|infix[lr]?|default|foreign|pattern)\b)/y;

/** The grammar skips the branches behind the first. Where they hold whole declarations, it reads all without the conditions around. */
function withBranches(text: string): string {
  if (!text.includes('\n#')) return text;
  const blank: Blank[] = [];
  const open: { ranges: Blank[]; isWhole: boolean; count: number }[] = [];
  for (const match of text.matchAll(DIRECTIVE)) {
    const range: Blank = [match.index, match.index + match[0].length, ''];
    const [, word] = match;
    if (word === 'warning' || word === 'error') blank.push(range);
    else if (word.startsWith('if')) open.push({ ranges: [range], isWhole: true, count: 0 });
    const condition = open.at(-1);
    if (condition === undefined || word.startsWith('if') || blank.at(-1) === range) continue;
    condition.ranges.push(range);
    if (word !== 'endif') {
      condition.count++;
      DECLARATION.lastIndex = range[1];
      condition.isWhole &&= DECLARATION.test(text);
      continue;
    }
    open.pop();
    if (condition.isWhole && condition.count > 0) blank.push(...condition.ranges);
  }
  return blank.length === 0 ? text : blanked(text, blank);
}

const haskellDefinitions: DefinitionRules = {
  parsed: (text) => withBranches(withoutProse(text)),
  definitions: [
    { node: ['data_type', 'newtype'], kind: 'type', name: '>name' },
    { node: ['type_synomym', 'type_family'], kind: 'type', name: '>name' },
    { node: 'class', kind: 'trait', name: '>name', body: '>class_declarations' },
    { node: 'instance', kind: 'impl', name: '>name', body: '>instance_declarations' },
    { node: 'data_constructor', kind: 'enum-member', nameText: /(?:!?\s*)([A-Z][\w']*)/y },
    {
      node: ['signature', 'function', 'bind'],
      kind: 'function',
      member: 'method',
      nameText: /([a-z_][\w']*|\([^\w\s()]+\))/y,
      parents: ['declarations', 'class_declarations', 'instance_declarations'],
      body: 'match',
    },
  ],
  groups: ['imports', 'declarations'],
  imports: ['pragma', 'header', 'import'],
  comments: ['comment', 'haddock'],
  docs: { line: /^--/, block: ['{-', '-}'] },
  exported: {},
  exportList: /^module\s+[\w.]+\s*\(([\s\S]*?)\)\s*where\b/m,
  merge: 'clauses',
};

/** The header of a file names its module; without a header its path does. */
export const HASKELL: ImportRules = {
  readsNames: true,
  create: (project) => new Haskell(project),
};

/** Most files of one name that are looked at. */
const MAX_CANDIDATES = 500;
const HASKELL_ENDINGS = ['.hs', '.lhs', '.hsc'];

class Haskell implements ImportResolver {
  private readonly modules: Namespaces;

  constructor(private readonly project: Project) {
    this.modules = new Namespaces(project, ['haskell'], null);
  }

  resolve(file: number, { specifier }: Specified): Resolution {
    const declared = this.modules.files(specifier);
    const path = specifier.replaceAll('.', '/');
    const found = declared.length > 0 ? declared : HASKELL_ENDINGS.flatMap((ending) => this.placed(path + ending));
    if (found.length === 0) return external(specifier);
    return this.project.toFiles(this.project.nearest(this.project.path(file), found), 'path');
  }

  private placed(path: string): number[] {
    const named = this.project.named(path.slice(path.lastIndexOf('/') + 1));
    return named
      .slice(0, MAX_CANDIDATES)
      .filter((file) => this.project.path(file) === path || this.project.path(file).endsWith(`/${path}`));
  }
}

export const haskell: ParsingRules = { definitions: haskellDefinitions, relations: haskellRelations };
