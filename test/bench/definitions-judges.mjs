// Judges of definitions for `npm run bench -- definitions`: parsers of the languages themselves, Universal Ctags, and rules of lines. A
// judge answers definitions `{path, line, name, kind, may}`; with `may` they can be symbols but need not be (docs/languages.md says
// what is a definition), so that they count neither as lost nor as wrong. `unread`: paths that the judge could not parse.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript-api';

/** Judges of each language, the best first; the first one that this machine has is asked. */
export const JUDGES = {
  typescript: ['tsc'],
  tsx: ['tsc'],
  javascript: ['tsc'],
  python: ['ast', 'ctags'],
  java: ['javac', 'ctags'],
  go: ['go/parser', 'ctags'],
  ruby: ['ripper', 'ctags'],
  php: ['php-ast', 'ctags'],
  csharp: ['lines'],
  c: ['ctags'],
  cpp: ['ctags'],
  rust: ['lines'],
  lua: ['lines'],
  elixir: ['lines'],
  bash: ['ctags'],
  kotlin: ['lines'],
  swift: ['lines'],
  scala: ['lines'],
  dart: ['lines'],
  haskell: ['lines'],
};

/** Not guards of headers, nor macros that define tests, which have names of their own. */
const C_NAMED = /^(?!\w*(?:_H|_HH|_HPP|_HXX|_INCLUDED|_H_INCLUDE|_INC)_*$|TEST(?:_[FP])?$|TYPED_TEST(?:_P)?$)/;
/** Words of awk and Python in strings, and lists, are no functions. */
const SHELL_HEAD = /^\/\^\s*(?:function\s+[\w:.@+-]+\s*(?:\(\s*\))?\s*(?:\{|#|\$\/)|[\w:.@+-]+\s*\(\s*\))/;
/**
 * Kinds of Universal Ctags by language: `must` are definitions here as well, `may` can be. Other kinds are not asked for. `named`: a name
 * that counts; `line`: a line that does.
 */
const CTAGS = {
  c: { name: 'C', must: 'dfgstuemv', may: 'px', named: C_NAMED },
  cpp: { name: 'C++', must: 'dfgstuemvcn', may: 'pUAx', named: C_NAMED },
  bash: { name: 'Sh', must: 'f', may: 'ash', covers: 'function', line: SHELL_HEAD },
  python: { name: 'Python', must: 'cfm', may: 'vIiY' },
  java: { name: 'Java', must: 'acegimf', may: '' },
  go: { name: 'Go', must: 'fctvsimM', may: 'nau' },
  ruby: { name: 'Ruby', must: 'cfmS', may: 'CAaL' },
  php: { name: 'PHP', must: 'cdfintv', may: 'la' },
};
/** Names that ctags invents for what has none. */
const INVENTED = /^__anon|^anonymous\b|^\w*[0-9a-f]{10,}$/;

const run = (command, args, options = {}) =>
  spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'ignore'], ...options });
const has = (command, args = ['--version']) => run(command, args).status === 0;

function ctags({ directory, paths, language }) {
  const { name, must, may, named, line: heads } = CTAGS[language];
  const macros = named === undefined ? [] : macrosOf(directory, paths).flatMap((macro) => ['-D', macro]);
  const args = [
    ...macros,
    `--kinds-${name}=${must}${may}`,
    `--language-force=${name}`,
    '--output-format=json',
    '--fields=+nKP',
    ...['--sort=no', '-f', '-', '-L', '-'],
  ];
  const kinds = kindNames(name);
  const tagsIn = (cwd, input) =>
    run('ctags', args, { cwd, input: input.join('\n') })
      .stdout.split('\n')
      .flatMap((line) => tagOf(line, language, kinds));
  const definitions = tagsIn(directory, paths);
  if (named !== undefined) markWrong(directory, definitions);
  if (named !== undefined) definitions.push(...otherBranches(directory, paths, tagsIn));
  if (named !== undefined)
    for (const path of paths) definitions.push(...testsOf(path, readFileSync(join(directory, path), 'utf8')));
  if (heads !== undefined)
    for (const path of paths) definitions.push(...headsOf(path, readFileSync(join(directory, path), 'utf8')));
  return { definitions, unread: new Set(), covers: CTAGS[language].covers };
}

/** A line of the output of ctags as a definition, in a list, which is empty for what is none. */
function tagOf(line, language, kinds) {
  if (!line.startsWith('{')) return [];
  const { may, named, line: heads } = CTAGS[language];
  const { _type, name: written, path, line: at, kind, scope, pattern = '' } = JSON.parse(line);
  if (_type !== 'tag' || written === undefined || INVENTED.test(written)) return [];
  const isLoose =
    // Members of what has no name belong to nothing.
    INVENTED.test((scope ?? '').split(/::|\.|\//).at(-1)) ||
    (heads !== undefined && !heads.test(pattern)) ||
    (named !== undefined && (!named.test(written) || isWrongInC(kind, written, scope, pattern)));
  return [{ path, line: at, name: written, kind, scope, may: isLoose || may.includes(kinds.get(kind) ?? '-') }];
}

/** What ctags takes for a definition in C and C++ without reason, or names in another way. */
function isWrongInC(kind, name, scope, pattern) {
  // `template class Cart<int>;` makes code of a template that is defined elsewhere.
  if (/\btemplate\s+(?:class|struct)\b/.test(pattern)) return true;
  // Calls of macros and, in the block behind one, variables.
  if (kind === 'function' && /^[A-Z][A-Z0-9_]*$/.test(name)) return true;
  if (kind === 'variable' && scope === undefined && /^\/\^\s/.test(pattern)) return true;
  // `namespace shop::cart {` is one namespace, which has its last name.
  if (kind === 'namespace' && new RegExp(`\\b${name}\\s*::`).test(pattern)) return true;
  // `struct stat st{};` is a variable, and a statement is no member.
  if (kind === 'struct' && new RegExp(`^/\\^\\s*struct\\s+\\w+\\s+${name}\\s*\\{\\s*\\}`).test(pattern)) return true;
  // `Cart (add)(int n) {` and `typedef Cart (*add)(int);` have other names.
  if (/^\w+$/.test(name) && new RegExp(`\\b${name}\\s*\\((?:\\w+|\\*\\w+)\\)\\s*(?:\\w+\\s*)?\\(`).test(pattern))
    return true;
  return /^\/\^\s*(?:co_await|co_return|co_yield|return|throw|delete|goto|case|import|export\s+import|module)\b/.test(
    pattern,
  );
}

/** Most branches of a condition that are looked at. */
const MAX_BRANCHES = 6;

/** Definitions in other branches of `#if`, and behind `#if 0`: ctags reads one branch of each alone. */
function otherBranches(directory, paths, tagsIn) {
  const found = [];
  for (let branch = 0; branch < MAX_BRANCHES; branch++) {
    const work = mkdtempSync(join(tmpdir(), 'socraticode-branches-'));
    try {
      const changed = paths.filter((path) => {
        const text = readFileSync(join(directory, path), 'latin1');
        const chosen = branchOf(text, branch);
        if (chosen === text) return false;
        mkdirSync(join(work, dirname(path)), { recursive: true });
        writeFileSync(join(work, path), chosen, 'latin1');
        return true;
      });
      if (changed.length > 0) found.push(...tagsIn(work, changed).map((tag) => ({ ...tag, may: true })));
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return found;
}

/** The text with one branch of each condition, the last one where it has fewer, and without the directives; lines stay where they are. */
export function branchOf(text, wanted) {
  const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;
  const lines = text.split('\n');
  const open = [];
  /** Number of the branch that a line stands in, of each condition around it. */
  const around = lines.map((line) => {
    const word = directive.exec(line)?.[1];
    if (word?.startsWith('if')) open.push({ count: 1 });
    else if (word === 'endif') open.pop();
    else if (word !== undefined && open.length > 0) open.at(-1).count++;
    return word === undefined ? open.map((condition) => [condition, condition.count - 1]) : null;
  });
  let goesOn = false;
  return lines
    .map((line, i) => {
      const isPart = goesOn || around[i] === null;
      goesOn = isPart && /\\\r?$/.test(line);
      const isChosen = !isPart && around[i].every(([{ count }, at]) => at === Math.min(wanted, count - 1));
      return isChosen ? line : '';
    })
    .join('\n');
}

/** Heads of functions of a shell by their lines: ctags takes `$((n << 4))` for the beginning of a text, and finds none behind it. */
function headsOf(path, text) {
  return [...text.matchAll(/^[ \t]*(?:function[ \t]+([\w:.@+-]+)|([\w:.@+-]+)[ \t]*\([ \t]*\))/gm)].map((match) => {
    const name = match[1] ?? match[2];
    return { path, line: lineOf(text, match.index + match[0].indexOf(name)), name, kind: 'function', may: true };
  });
}

/** Macros that stand alone on a line, `G_DEFINE_TYPE(Cart, cart, OBJECT)`, and attributes, `int carts __read_mostly;`: ctags takes what is behind for theirs. */
function macrosOf(directory, paths) {
  const found = new Set();
  const heads = new Set();
  for (const path of paths) {
    const text = readFileSync(join(directory, path), 'utf8');
    for (const [, name] of text.matchAll(/^[ \t]*([A-Z][A-Z0-9_]{3,})[ \t]*\([^;{}\n]*\)[ \t]*$(?!\s*\{)/gm))
      found.add(`${name}(...)=`);
    for (const [, name] of text.matchAll(/^[ \t]*([A-Z][A-Z0-9_]{3,})[ \t]*\([^;{}()]*\)\s*\{/gm)) heads.add(name);
    for (const [, name] of text.matchAll(/\b(?:class|struct)\s+\w+\s+([A-Z][A-Z0-9_]{3,})(?=\s*(?::[^:]|\{))/g))
      found.add(`${name}=`);
    // Behind a type and a name: in `const struct cart __cart = {` it is the name.
    for (const [, before, name] of text.matchAll(
      /((?:\w+[ \t*]+)?[\w\])]+)[ \t]+(__[a-z]\w*[a-z])(?=[ \t]*(?:;|=[^=]))/g,
    ))
      if (!/^(?:const|static|extern|struct|union|enum|volatile)\b|^\w+$/.test(before)) found.add(`${name}=`);
  }
  return [...found].filter((macro) => !heads.has(macro.replace('(...)=', '')));
}

/**
 * A function with the name of a macro of its file is a call of that macro: `step(total) {` behind `#define step(name) …`. Values of what is no
 * enumeration are items of a list: `enum step steps[] = { STEP_A }`.
 */
function markWrong(directory, definitions) {
  for (const [path, own] of groupBy(definitions, (one) => one.path)) {
    const text = readFileSync(join(directory, path), 'utf8');
    const macros = new Set([...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)\(/gm)].map((match) => match[1]));
    for (const one of own) {
      if (one.kind === 'function' && macros.has(one.name)) one.may = true;
      if (one.kind === 'enumerator' && new RegExp(`\\benum\\s+\\w+\\s+${one.scope}\\s*\\[`).test(text)) one.may = true;
    }
  }
}

/** What macros define, whose names are in a string or in the macro's own: `TEST_F(CartTest, adds)`, `TEST_CASE("adds")`, `BEGINcommit`. */
const NAMED_BY_MACROS =
  /\b(?:TYPED_)?TEST(?:_[FP])?\s*\(\s*\w+\s*,\s*(\w+)|\b\w*(?:TEST_CASE|SCENARIO)\w*\s*\(\s*(?:\w+\s*,\s*)?"([^"\n]+)"|\bMOCK_METHOD\s*\([^;{}]*?[,)]\s*(\w+)\s*,\s*\(|\bMOCK_(?:CONST_)?METHOD\d+(?:_T)?\s*\(\s*(\w+)|^BEGIN(\w+)/gm;
/** A macro with a body, whose name may be each of its arguments: `MU_TEST(adds) {`, `DEFUN (show, show_cmd, "…") {`. */
const BODY_OF_MACRO =
  /^[ \t]*(?:(?:static|inline)[ \t]+)*(\w+)[ \t]*\(((?:"(?:[^"\\]|\\[\s\S])*"|\((?:"(?:[^"\\]|\\[\s\S])*"|\([^;{}"()]*\)|[^;{}"()])*\)|[^;{}"()])*)\)(?=\s*\{)/gm;
/** Forms that ctags does not know: `void (add)(int n) {`, `Price Shop::least(100);`, `constexpr bool fits<int> = true;` */
const UNKNOWN_FORMS =
  /^\w[\w \t*]*\((\w+)\)[ \t]*\([^;{}]*\)\s*\{|^[\w:<>, ]+[ \t*&]+(?:\w+::)+(\w+)\(\s*["'\d]|\bconstexpr\s+[\w:]+\s+(\w+)\s*</gm;

function testsOf(path, text) {
  const found = [];
  const add = (name, at) => found.push({ path, line: lineOf(text, at), name, kind: 'test', may: true });
  for (const pattern of [NAMED_BY_MACROS, UNKNOWN_FORMS])
    for (const match of text.matchAll(pattern)) {
      const name = match.slice(1).find((group) => group !== undefined);
      add(name, match.index + match[0].lastIndexOf(name));
    }
  for (const { index, 0: head, 1: macro, 2: names } of text.matchAll(BODY_OF_MACRO)) {
    if (!/^[A-Z][A-Z0-9_]{2,}$/.test(macro) && !text.includes(`define ${macro}(`)) continue;
    for (const name of names.matchAll(/\b[A-Za-z_]\w*/g))
      add(name[0], index + head.length - 1 - names.length + name.index);
  }
  return found;
}

function kindNames(name) {
  const { stdout } = run('ctags', [`--list-kinds-full=${name}`]);
  return new Map(
    stdout.split('\n').map((line) => {
      const [letter, word] = line.trim().split(/\s+/);
      return [word, letter];
    }),
  );
}

/**
 * A judge that is a program: it reads paths, one a line, and writes `path, line, kind, name, must or may` with tabs between; a kind `!` is a
 * file that it could not read. `text` goes to a temporary file called `file`.
 */
const program =
  (file, text, command, args) =>
  ({ directory, paths }) => {
    const work = mkdtempSync(join(tmpdir(), 'socraticode-judge-'));
    try {
      const script = join(work, file);
      writeFileSync(script, text);
      const { stdout, status } = run(command, args(script), {
        cwd: directory,
        input: paths.join('\n'),
        env: { ...process.env, GO111MODULE: 'off' },
      });
      if (status !== 0) throw new Error(`${command} ended with ${status}`);
      const definitions = [];
      const unread = new Set();
      for (const row of stdout.split('\n')) {
        const [path, line, kind, name, tier] = row.split('\t');
        if (kind === '!') unread.add(path);
        else if (name) definitions.push({ path, line: Number(line), kind, name, may: tier === 'may' });
      }
      return { definitions, unread };
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  };

const PYTHON = String.raw`
import ast, sys
def out(path, node, kind, name, tier='must'): print(path, node.lineno, kind, name, tier, sep='\t')
def names(target):
    if isinstance(target, ast.Name): yield target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for each in target.elts: yield from names(each)
    elif isinstance(target, ast.Starred): yield from names(target.value)
def visit(path, node, place, nested):
    for each in ast.iter_child_nodes(node):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            out(path, each, 'function', each.name)
            visit(path, each, 'function', True)
        elif isinstance(each, ast.ClassDef):
            out(path, each, 'class', each.name)
            visit(path, each, 'class', nested)
        else:
            targets = each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For)) else []
            for target in targets:
                plain = isinstance(target, ast.Name) and isinstance(each, (ast.Assign, ast.AnnAssign))
                for name in names(target):
                    direct = isinstance(node, (ast.Module, ast.ClassDef)) and plain and not name.id == '_'
                    out(path, name, 'variable', name.id, 'must' if direct and not nested else 'may')
                if isinstance(target, ast.Attribute): out(path, target, 'attribute', target.attr, 'may')
            if isinstance(each, (ast.Import, ast.ImportFrom, ast.With, ast.arg, ast.Tuple)): pass
            visit(path, each, place, nested)
for path in sys.stdin.read().split('\n'):
    try:
        with open(path, 'rb') as file: tree = ast.parse(file.read())
    except Exception:
        print(path, 0, '!', '', '', sep='\t')
        continue
    seen = visit(path, tree, 'module', False)
`;

const RUBY = String.raw`
require 'ripper'
def out(path, line, kind, name, tier = 'must') = puts([path, line, kind, name, tier].join("\t"))
def ident(node)
  return nil unless node.is_a?(Array)
  return node if node[0].is_a?(Symbol) && node[0].to_s.start_with?('@')
  last = node.reverse.find { |each| each.is_a?(Array) }
  last && ident(last)
end
def visit(path, node, inside)
  return unless node.is_a?(Array)
  case node[0]
  when :class, :module
    name = ident(node[1]); out(path, name[2][0], node[0], name[1]) if name
  when :def
    out(path, node[1][2][0], 'method', node[1][1])
  when :defs
    out(path, node[3][2][0], 'method', node[3][1])
  when :assign, :opassign
    name = node[1][0] == :var_field || node[1][0] == :const_path_field || node[1][0] == :top_const_field ? ident(node[1]) : nil
    if name && name[0] == :@const
      out(path, name[2][0], 'constant', name[1], inside || node[1][0] != :var_field || node[0] == :opassign ? 'may' : 'must')
    elsif name
      out(path, name[2][0], 'variable', name[1], 'may')
    end
  when :@const, :@ident, :@ivar, :@cvar, :@gvar, :@tstring_content, :@label
    out(path, node[2][0], 'word', node[1].to_s.split("\n")[0].to_s.tr("\t", ' ').delete_suffix(':'), 'may')
  end
  deeper = inside || [:def, :defs, :method_add_block, :if, :unless, :begin, :if_mod, :unless_mod].include?(node[0])
  node.each { |each| visit(path, each, deeper) }
end
$stdin.read.split("\n").each do |path|
  text = File.binread(path).force_encoding('UTF-8')
  tree = text.valid_encoding? ? Ripper.sexp(text) : nil
  tree ? visit(path, tree, false) : out(path, 0, '!', '')
end
`;

const PHP = String.raw`<?php
error_reporting(0);
function out($path, $node, $kind, $name, $tier = 'must') { echo "$path\t{$node->lineno}\t$kind\t$name\t$tier\n"; }
const TYPES = [1 => 'class'];
function visit($path, $node, $tier) {
  if (!($node instanceof ast\Node)) return;
  $c = $node->children;
  switch ($node->kind) {
    case ast\AST_CLASS:
      if (isset($c['name']) && !($node->flags & ast\flags\CLASS_ANONYMOUS)) out($path, $node, 'class', $c['name'], $tier);
      else $tier = 'may';
      break;
    case ast\AST_FUNC_DECL: out($path, $node, 'function', $c['name'], $tier); break;
    case ast\AST_METHOD: out($path, $node, 'method', $c['name'], $tier); break;
    case ast\AST_PROP_ELEM: out($path, $node, 'property', $c['name'], $tier); break;
    case ast\AST_DECLARE: return;
    case ast\AST_CONST_ELEM: out($path, $node, 'constant', $c['name'], $tier); break;
    case ast\AST_ENUM_CASE: out($path, $node, 'enum-member', $c['name'], $tier); break;
    case ast\AST_PARAM: if ($node->flags) out($path, $node, 'property', $c['name'], 'may'); break;
    case ast\AST_NAMESPACE: if (isset($c['name'])) out($path, $node, 'namespace', $c['name'], 'may'); break;
    case ast\AST_CALL: $args = $c['args']->children; if (is_string($args[0]) && preg_match('/^\w+$/', $args[0])) out($path, $node, 'call', $args[0], 'may'); break;
    case ast\AST_ASSIGN: if ($c['var'] instanceof ast\Node && is_string($c['var']->children['name'])) out($path, $node, 'variable', $c['var']->children['name'], 'may');
  }
  foreach ($c as $child) visit($path, $child, $tier);
}
foreach (explode("\n", stream_get_contents(STDIN)) as $path) {
  try { visit($path, ast\parse_file($path, 90), 'must'); } catch (Throwable $e) { echo "$path\t0\t!\t\t\n"; }
}
`;

const GO = String.raw`package main
import ("bufio"; "fmt"; "go/ast"; "go/parser"; "go/token"; "os")
func main() {
  in := bufio.NewScanner(os.Stdin)
  for in.Scan() {
    path := in.Text()
    set := token.NewFileSet()
    file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
    if err != nil { fmt.Printf("%s\t0\t!\t\t\n", path); continue }
    out := func(id *ast.Ident, kind, tier string) {
      if id.Name == "_" { tier = "may" }
      fmt.Printf("%s\t%d\t%s\t%s\t%s\n", path, set.PositionFor(id.Pos(), false).Line, kind, id.Name, tier)
    }
    depth := 0
    var visit func(ast.Node) bool
    visit = func(node ast.Node) bool {
      value := "must"
      if depth > 0 { value = "may" }
      switch n := node.(type) {
      case *ast.File: out(n.Name, "package", "may")
      case *ast.FuncDecl:
        out(n.Name, "function", "must")
        depth++; if n.Body != nil { ast.Inspect(n.Body, visit) }; depth--
        return false
      case *ast.FuncLit:
        depth++; ast.Inspect(n.Body, visit); depth--
        return false
      case *ast.TypeSpec:
        out(n.Name, "type", "must")
        tier := value
        switch t := n.Type.(type) {
        case *ast.StructType: fields(t.Fields, out, tier)
        case *ast.InterfaceType: fields(t.Methods, out, tier)
        }
      case *ast.StructType: fields(n.Fields, out, "may")
      case *ast.InterfaceType: fields(n.Methods, out, "may")
      case *ast.ValueSpec: for _, id := range n.Names { out(id, "value", value) }
      case *ast.AssignStmt: for _, e := range n.Lhs { if id, ok := e.(*ast.Ident); ok { out(id, "value", "may") } }
      }
      return true
    }
    ast.Inspect(file, visit)
  }
}
func fields(list *ast.FieldList, out func(*ast.Ident, string, string), tier string) {
  for _, field := range list.List {
    for _, id := range field.Names { out(id, "field", tier) }
    if len(field.Names) == 0 { ast.Inspect(field.Type, func(n ast.Node) bool { if id, ok := n.(*ast.Ident); ok { out(id, "embedded", "may") }; return true }) }
  }
}
`;

const JAVA = String.raw`
import com.sun.source.tree.*; import com.sun.source.util.*; import javax.tools.*; import java.util.*; import java.nio.file.*;
public class Judge {
  public static void main(String[] args) throws Exception {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var paths = new String(System.in.readAllBytes()).split("\n");
    var files = compiler.getStandardFileManager(null, null, null);
    for (var path : paths) {
      var errors = new DiagnosticCollector<JavaFileObject>();
      var out = new StringBuilder();
      try {
        var task = (JavacTask) compiler.getTask(null, files, errors, List.of("-proc:none", "--enable-preview", "--release", String.valueOf(Runtime.version().feature())), null, files.getJavaFileObjects(path));
        var positions = Trees.instance(task).getSourcePositions();
        for (var unit : task.parse()) new TreeScanner<Void, String>() {
          String owner = "";
          void out(Tree tree, String kind, String name, String tier) {
            long at = positions.getStartPosition(unit, tree);
            if (at >= 0) out.append(path + "\t" + unit.getLineMap().getLineNumber(at) + "\t" + kind + "\t" + name + "\t" + tier + "\n");
          }
          public Void visitClass(ClassTree tree, String tier) {
            var name = tree.getSimpleName().toString();
            if (!name.isEmpty()) out(tree, "class", name, tier);
            var enums = tree.getKind() == Tree.Kind.ENUM;
            var before = owner; owner = name;
            for (var member : tree.getMembers()) if (member instanceof VariableTree v)
              out(v, enums ? "constant" : "field", v.getName().toString(), name.isEmpty() ? "may" : tier);
            super.visitClass(tree, name.isEmpty() ? "may" : tier);
            owner = before; return null;
          }
          public Void visitMethod(MethodTree tree, String tier) {
            var name = tree.getName().toString();
            if (positions.getEndPosition(unit, tree) >= 0) out(tree, "method", name.equals("<init>") ? owner : name, name.equals("<init>") ? "may" : tier);
            return super.visitMethod(tree, tier);
          }
        }.scan(unit, "must");
        boolean broken = false;
        for (var each : errors.getDiagnostics()) broken |= each.getKind() == Diagnostic.Kind.ERROR;
        System.out.print(broken ? path + "\t0\t!\t\t\n" : out);
      } catch (Throwable e) { System.out.print(path + "\t0\t!\t\t\n"); }
    }
  }
}
`;

const SCRIPT_KINDS = { typescript: ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX, javascript: ts.ScriptKind.JSX };

function tsc({ directory, paths, language }) {
  const definitions = [];
  const unread = new Set();
  for (const path of paths) {
    const text = readFileSync(join(directory, path), 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, SCRIPT_KINDS[language]);
    if (file.parseDiagnostics.length > 0) unread.add(path);
    else for (const found of scriptDefinitions(file)) definitions.push({ path, ...found });
  }
  return { definitions, unread };
}

/** Kinds of declarations of the compiler that are definitions wherever they stand. */
const DECLARED = new Map([
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.ClassDeclaration, 'class'],
  [ts.SyntaxKind.InterfaceDeclaration, 'interface'],
  [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
  [ts.SyntaxKind.EnumDeclaration, 'enum'],
  [ts.SyntaxKind.EnumMember, 'enum-member'],
  [ts.SyntaxKind.ModuleDeclaration, 'namespace'],
  [ts.SyntaxKind.PropertyDeclaration, 'property'],
  [ts.SyntaxKind.MethodDeclaration, 'method'],
  [ts.SyntaxKind.GetAccessor, 'method'],
  [ts.SyntaxKind.SetAccessor, 'method'],
  [ts.SyntaxKind.PropertySignature, 'property'],
  [ts.SyntaxKind.MethodSignature, 'method'],
]);

function scriptDefinitions(file) {
  const found = [];
  const add = (name, kind, may) => {
    const line = file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1;
    found.push({ line, name: name.text, kind, may });
  };
  const isNamed = (name) => name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
  const visit = (node) => {
    const kind = DECLARED.get(node.kind);
    const { name, parent } = node;
    if (kind !== undefined && name !== undefined && 'text' in name)
      add(name, kind, !isNamed(name) || name.text === 'global' || isLoose(node));
    else if (ts.isVariableDeclaration(node) && isNamed(name)) {
      const statement = parent.parent;
      const outer = ts.isVariableStatement(statement) && isOuter(statement.parent) && !isRequired(node.initializer);
      add(name, 'variable', !outer);
    } else if (isNamed(name)) add(name, 'other', true);
    else if (ts.isPropertyAccessExpression(node)) add(node.name, 'other', true);
    else if (ts.isStringLiteralLike(node)) add(node, 'other', true);
    else if (node.kind === ts.SyntaxKind.Constructor)
      found.push({
        ...placeOf(file, node),
        name: 'constructor',
        kind: 'constructor',
        may: !ts.isClassDeclaration(parent),
      });
    if (ts.isIdentifier(node) && !isNamed(parent?.name)) add(node, 'other', true);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const placeOf = (file, node) => ({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 });
/** `require('x')`, `require('x').y`: an import. */
const isRequired = (value) => value !== undefined && /^require\s*\(/.test(value.getText());
const isOuter = (node) => ts.isSourceFile(node) || ts.isModuleBlock(node);

const isLocal = ({ parent }) => ts.findAncestor(parent, ts.isFunctionLike) !== undefined;

/** Members of literals, of local interfaces and enumerations, of types without a name, and of classes in expressions. */
function isLoose({ parent, kind }) {
  if (kind === ts.SyntaxKind.PropertySignature || kind === ts.SyntaxKind.MethodSignature)
    return !ts.isInterfaceDeclaration(parent) || isLocal(parent);
  if (kind === ts.SyntaxKind.EnumMember) return isLocal(parent);
  return ts.isObjectLiteralExpression(parent) || ts.isClassExpression(parent) || ts.isTypeLiteralNode(parent);
}

// Rules of lines: declarations at the beginning of lines, in texts whose comments and strings are blanked

const MODIFIERS = (words, list = '\\([\\w ,=*:]*\\)') => `(?:(?:${words.replaceAll(' ', '|')})(?:${list})?[ \\t]+)*`;
const KOTLIN = `^[ \\t]*(?:@[\\w.:]+(?:\\([^()\\n]*\\))?[ \\t]+)*${MODIFIERS('public private protected internal open abstract final sealed data inner value inline infix operator override suspend tailrec external expect actual const lateinit companion enum annotation fun')}`;
const SWIFT = `^[ \\t]*(?:@\\w+(?:\\([^()\\n]*\\))?[ \\t]+)*${MODIFIERS('public private fileprivate internal open package final static class mutating nonmutating override required convenience indirect lazy weak unowned nonisolated isolated consuming borrowing distributed dynamic prefix postfix infix optional async')}`;
const SCALA = `^[ \\t]*(?:@\\w+(?:\\([^()\\n]*\\))?[ \\t]+)*${MODIFIERS('private protected override final sealed abstract implicit lazy case inline transparent open opaque infix given erased tracked', '\\[\\w+\\]')}`;
const RUST = `^[ \\t]*(?:#\\[[^\\]\\n]*\\][ \\t]*)*${MODIFIERS('pub default const async unsafe auto extern')}`;
const DART = `^[ \\t]*(?:@\\w+(?:\\([^()\\n]*\\))?[ \\t]+)*${MODIFIERS('abstract base final interface sealed mixin external augment')}`;

const CSHARP_ATTRIBUTES = '^[ \\t]*(?:\\[[^\\]\\n]*\\][ \\t]*)*';
const CSHARP_MODIFIERS =
  'public|private|protected|internal|static|virtual|override|abstract|sealed|async|extern|unsafe|partial|readonly|required|ref|file';

/**
 * `strings`: what opens and closes a string. `rules`: an expression over a line whose group 1 is the name, the kind, and `may` if such a
 * line can be something else.
 */
const LINES = {
  kotlin: {
    nested: true,
    strings: [
      ['"""', '"""'],
      ['"', '"'],
    ],
    words: 'fun class interface object typealias constructor',
    rules: [
      [`${KOTLIN}(?:class|interface|object)[ \\t]+(\\w+|\`[^\`\\n]+\`)`, 'class'],
      [
        `${KOTLIN}fun[ \\t]+(?:<[^\\n]*?>[ \\t]*)?(?:[\\w.<>?,*() \\t-]*?[>?\\w)]\\??\\.)?(\\w+|\`[^\`\\n]+\`)[ \\t]*\\(`,
        'function',
      ],
      [`${KOTLIN}typealias[ \\t]+(\\w+)`, 'type'],
    ],
    covers: 'class interface object enum function method type',
  },
  csharp: {
    strings: [
      ['$"""', '"""'],
      ['"""', '"""'],
      ['$@"', '"', 'raw'],
      ['@$"', '"', 'raw'],
      ['@"', '"', 'raw'],
      ['"', '"'],
    ],
    words: 'class struct interface enum record delegate',
    rules: [
      [
        `${CSHARP_ATTRIBUTES}(?:(?:${CSHARP_MODIFIERS}|new)[ \\t]+)*(?:class|struct|interface|enum|record(?:[ \\t]+(?:class|struct))?)[ \\t]+(?!class\\b|struct\\b)(\\w+)(?![ \\t]*=(?!>))`,
        'class',
      ],
      [
        `${CSHARP_ATTRIBUTES}(?:(?:${CSHARP_MODIFIERS})[ \\t]+)+(?!operator\\b|implicit\\b|explicit\\b|delegate\\b|class\\b|struct\\b|record\\b|event\\b)[\\w.<>,?\\[\\]() \\t]+?[ \\t](?!operator\\b|this\\b|when\\b)(\\w+)(?:<[^()\\n]*>)?[ \\t]*\\((?![^\\n]*\\)[ \\t]*=[^>])`,
        'method',
      ],
      [
        `${CSHARP_ATTRIBUTES}(?:(?:${CSHARP_MODIFIERS})[ \\t]+)+(?!class\\b|struct\\b|record\\b|interface\\b|enum\\b|event\\b|extension\\b)[\\w.<>,?\\[\\]() \\t]+?[ \\t](\\w+)[ \\t]*(?:=>|\\s*\\{[ \\t\\r\\n]*(?:get|set|init)\\b)`,
        'property',
      ],
    ],
    covers: 'class struct interface enum',
  },
  rust: {
    nested: true,
    strings: [
      ['r##"', '"##', 'raw'],
      ['r#"', '"#', 'raw'],
      ['r"', '"', 'raw'],
      ['"', '"', 'lines'],
    ],
    tokens: /\b(?:macro_rules!\s*\w+|(?:\w+::)*(?:quote|quote_spanned|parse_quote)!)\s*[({[]/g,
    words: 'fn struct enum union trait type mod const static macro_rules',
    rules: [
      [`${RUST}fn[ \\t]+(?:r#)?(\\w+)[ \\t]*[<(]`, 'function'],
      [`${RUST}(?:struct|enum|union|trait)[ \\t]+(\\w+)(?=[\\s<({;:=])`, 'type'],
      [`${RUST}type[ \\t]+(\\w+)[ \\t]*(?:[=<:;])`, 'type'],
      [`${RUST}mod[ \\t]+(\\w+)\\s*\\{`, 'module'],
      [`^(?:pub(?:\\([\\w ]*\\))?[ \\t]+)?(?:const|static(?:[ \\t]+mut)?)[ \\t]+(\\w\\w+)[ \\t]*:`, 'constant'],
      ['^[ \\t]*macro_rules![ \\t]*(\\w+)', 'macro'],
    ],
    covers: 'function method struct enum trait type module macro',
  },
  swift: {
    nested: true,
    strings: [
      ['#"""', '"""#'],
      ['"""', '"""'],
      ['#"', '"#'],
      ['"', '"'],
    ],
    words: 'func class struct enum protocol actor typealias associatedtype init subscript deinit extension macro',
    rules: [
      [
        `${SWIFT}(?:class|struct|enum|protocol|actor)[ \\t]+(?!func\\b|var\\b|let\\b|subscript\\b)(\\w+|\`\\w+\`)`,
        'class',
      ],
      [`${SWIFT}func[ \\t]+(\\w+|\`[^\`\\n]+\`|[-+*/<>=!&|^~%.?]+)[ \\t]*[(<]`, 'function'],
      [`${SWIFT}(?:typealias|associatedtype)[ \\t]+(\\w+)`, 'type'],
      [`${SWIFT}(init)[?!]?[ \\t]*[(<](?![^\\n]*\\)[ \\t]*(?:\\}|$))`, 'constructor'],
    ],
    covers: 'class struct enum interface function method type constructor',
  },
  scala: {
    nested: true,
    strings: [
      ['"""', '"""'],
      ['"', '"'],
    ],
    words: 'class trait object enum case def type given val var',
    rules: [
      [`${SCALA}(?:class|trait|object|enum)[ \\t]+(\\w+|\`[^\`\\n]+\`)`, 'class'],
      [`${SCALA}def[ \\t]+(\\w+|\`[^\`\\n]+\`|[-+*/<>=!&|^~%:?#@\\\\]+)`, 'function'],
      [`${SCALA}type[ \\t]+(\\w+)(?=[ \\t]*(?:\\[|=|<:|>:|$))`, 'type'],
    ],
    covers: 'class trait object enum function method type',
  },
  dart: {
    nested: true,
    strings: [
      ['r"""', '"""'],
      ["r'''", "'''"],
      ['"""', '"""'],
      ["'''", "'''"],
      ['r"', '"', 'raw'],
      ["r'", "'", 'raw'],
      ['"', '"'],
      ["'", "'"],
    ],
    words: 'class mixin enum extension typedef external',
    rules: [
      [`${DART}(?:class|mixin|enum)[ \\t]+(?!class\\b)([\\w$]+)`, 'class'],
      [`${DART}extension(?:[ \\t]+type)?(?:[ \\t]+const)?[ \\t]+(?!on\\b|type\\b)([\\w$]+)`, 'class'],
      [`^[ \\t]*typedef[ \\t]+([\\w$]+)(?:<[^\\n]*>)?[ \\t]*=`, 'type'],
      [
        '^(?:  )?(?:(?:static|external|abstract|override|late)[ \\t]+)*(?!return\\b|await\\b|else\\b|throw\\b|new\\b|const\\b|yield\\b|case\\b|in\\b|is\\b|as\\b|operator\\b|assert\\b|show\\b|export\\b|import\\b)[\\w.$]+(?:<[^;={}]*>)?\\??[ \\t]+(?:get[ \\t]+)?(?!Function\\b|get\\b|set\\b|operator\\b|if\\b|for\\b|while\\b|switch\\b)([\\w$]+)[ \\t]*(?:<[^()\\n]*>)?\\([^=]*?(?:\\{|=>)[ \\t]*$',
        'function',
      ],
    ],
    covers: 'class enum object interface trait impl struct type',
  },
  lua: {
    line: '--',
    block: ['--[[', ']]'],
    strings: [
      ['[[', ']]', 'raw'],
      ['"', '"'],
      ["'", "'"],
    ],
    words: 'function',
    rules: [['^[ \\t]*(?:local[ \\t]+)?function[ \\t]+([\\w.]+(?::\\w+)?)[ \\t]*\\(', 'function']],
    covers: 'function method',
  },
  elixir: {
    line: '#',
    block: ['@@@@', '@@@@'],
    strings: [
      ['"""', '"""'],
      ["'''", "'''"],
      ['~s|', '|', 'lines'],
      ['~S(', ')', 'lines'],
      ['"', '"', 'lines'],
    ],
    words: 'defmodule def defp defmacro defmacrop defguard defguardp defdelegate defprotocol defimpl defcallback',
    rules: [
      ['^[ \\t]*(?:defmodule|defprotocol)[ \\t]+([A-Z][\\w.]*)', 'module'],
      [
        '^[ \\t]*(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate)[ \\t]+([a-z_]\\w*[?!]?)(?=[ \\t]*[(\\n,]|[ \\t]+(?:do|when)\\b)',
        'function',
      ],
    ],
    covers: 'function module macro',
  },
  haskell: {
    nested: true,
    line: '--',
    block: ['{-', '-}'],
    strings: [['"', '"']],
    words: 'data newtype type class family instance',
    rules: [
      ["^([a-z_][\\w']*)(?:[ \\t]*,[ \\t]*\\w+)*[ \\t]*::", 'function'],
      ["^(?:data|newtype|type)[ \\t]+(?!family\\b|instance\\b)([A-Z]\\w*'*)", 'type'],
      ["^class[ \\t]+(?:[^\\n]*=>[ \\t]*)?([A-Z]\\w*'*)", 'class'],
    ],
    covers: 'type class interface trait struct enum',
  },
};

function lines({ directory, paths, language }) {
  const rule = LINES[language];
  const isHead = new RegExp(`\\b(?:${rule.words.replaceAll(' ', '|')})\\b`);
  const rules = rule.rules.map(([pattern, kind, may]) => ({
    pattern: new RegExp(pattern, 'gmu'),
    kind,
    may: may === 'may',
  }));
  const definitions = [];
  for (const path of paths) {
    const text = withoutTokens(blanked(readFileSync(join(directory, path), 'utf8'), rule), rule.tokens);
    for (const { pattern, kind, may } of rules) {
      for (const match of text.matchAll(pattern)) {
        const at = match.index + match[0].lastIndexOf(match[1]);
        definitions.push({ path, line: lineOf(text, at), name: match[1], kind, may });
      }
    }
    for (const [at, line] of text.split('\n').entries()) {
      if (!isHead.test(line)) continue;
      const names = [...line.matchAll(/`[^`]+`|[^\s\w()[\]{},;.`"'$]+|[\w$]+/g), ['Companion']];
      for (const [name] of names) definitions.push({ path, line: at + 1, name, kind: 'word', may: true });
    }
  }
  return { definitions, unread: new Set(), covers: rule.covers };
}

/** The text without what stands in brackets behind `tokens`: it is no code of this place. */
function withoutTokens(text, tokens) {
  if (tokens === undefined) return text;
  const parts = [];
  let at = 0;
  for (const { 0: head, index } of text.matchAll(tokens)) {
    if (index < at) continue;
    let end = index + head.length;
    for (let depth = 1; depth > 0 && end < text.length; end++) {
      if ('({['.includes(text[end])) depth++;
      else if (')}]'.includes(text[end])) depth--;
    }
    parts.push(text.slice(at, index + head.length), text.slice(index + head.length, end).replace(/[^\n]/g, ' '));
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

function lineOf(text, at) {
  let line = 1;
  for (let from = text.indexOf('\n'); from !== -1 && from < at; from = text.indexOf('\n', from + 1)) line++;
  return line;
}

const NAME = '`[^`\\n]+`';
const CHARACTER = `'(?:\\\\[^\\n]{1,6}?|[^'\\\\\\n])'(?!\\w)`;

/** The text with comments and strings blanked, of the same length and lines. */
export function blanked(text, { strings, nested = false, line = '//', block = ['/*', '*/'] }) {
  const parts = [];
  let at = 0;
  const blank = (to) => {
    parts.push(text.slice(at, to).replace(/[^\n]/g, ' '));
    at = to;
  };
  const openings = new RegExp(
    [
      ...[block[0], line, ...strings.map(([open]) => open)].map((open) => open.replace(/[*+?.()[\]{}|^$\\]/g, '\\$&')),
      NAME,
      CHARACTER,
    ].join('|'),
    'g',
  );
  for (;;) {
    openings.lastIndex = at;
    const match = openings.exec(text);
    if (match === null) break;
    parts.push(text.slice(at, match.index));
    at = match.index;
    const after = at + match[0].length;
    if (match[0].length > 2 && match[0][0] === '`') at = parts.push(match[0]) && after;
    else if (match[0].length > 2 && match[0][0] === "'" && match[0] !== "'''") blank(after);
    else if (match[0] === line) blank(endOr(text, '\n', after, 0));
    else if (match[0] === block[0]) blank(endOfBlock(text, after, block, nested));
    else
      blank(
        endOfString(
          text,
          after,
          strings.find(([open]) => open === match[0]),
        ),
      );
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function endOr(text, close, from, extra = close.length) {
  const at = text.indexOf(close, from);
  return at === -1 ? text.length : at + extra;
}

function endOfBlock(text, from, [open, close], nested) {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(close, at)) {
      at += close.length - 1;
      if (--depth === 0) return at + 1;
    } else if (nested && text.startsWith(open, at)) {
      depth++;
      at += open.length - 1;
    }
  }
  return text.length;
}

/** A string of one quote ends with its line, if its form is not `lines`; in the form `raw` nothing is escaped. */
function endOfString(text, from, [open, close, form]) {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(close, at)) return at + close.length;
    if (open.length === 1 && form !== 'lines' && text[at] === '\n') return at;
    if (text[at] === '\\' && form !== 'raw') at++;
  }
  return text.length;
}

/** Judges: whether this machine has one, the command that installs it, and the judge. */
export const JUDGE = {
  tsc: { has: () => true, judge: tsc },
  ast: {
    has: () => has('python3'),
    install: 'apt-get install python3',
    judge: program('judge.py', PYTHON, 'python3', (file) => [file]),
  },
  javac: {
    has: () => has('javac'),
    install: 'apt-get install default-jdk-headless',
    judge: program('Judge.java', JAVA, 'java', (file) => [file]),
  },
  'go/parser': {
    has: () => has('go', ['version']),
    install: 'apt-get install golang-go',
    judge: program('judge.go', GO, 'go', (file) => ['run', file]),
  },
  ripper: {
    has: () => has('ruby'),
    install: 'apt-get install ruby',
    judge: program('judge.rb', RUBY, 'ruby', (file) => [file]),
  },
  'php-ast': {
    has: () => has('php', ['-r', 'exit(extension_loaded("ast") ? 0 : 1);']),
    install: 'apt-get install php-cli php-ast',
    judge: program('judge.php', PHP, 'php', (file) => [file]),
  },
  ctags: {
    has: () => has('ctags', ['--output-format=json', '--version']),
    install: 'apt-get install universal-ctags',
    judge: ctags,
  },
  lines: { has: () => true, judge: lines },
};

// What each side lacks

/** Lines that the place of a name may differ: decorators, and results on a line of their own. */
const NEAR_LINES = 1;
/** Kinds that no judge has. */
const UNJUDGED = new Set(['section', 'key', 'selector', 'table', 'impl']);
const TYPES = new Set(['class', 'interface', 'trait', 'struct', 'enum', 'module', 'namespace', 'object']);
const VALUES = new Set(['variable', 'constant', 'field', 'property']);

/** Names as both sides write them: without quotes, sigils and spaces. */
const plainName = (name) =>
  name
    .replace(/[`\s]|^[$#]|\/\d+$/g, '')
    .split(/::|(?<=[\w$])[.:](?=[\w$])/)
    .at(-1);

export function groupBy(list, keyOf) {
  const groups = new Map();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** What each side lacks. `ours` and `theirs`: definitions `{path, name, kind, line}`; files in `unread` do not count. */
export function compare(ours, theirs, { unread = new Set(), covers } = {}) {
  const result = { judged: 0, lost: [], counted: 0, extra: [] };
  const known = covers === undefined ? null : new Set(covers.split(' '));
  const judgedBy = groupBy(theirs, ({ path }) => path);
  for (const [path, symbols] of ours) {
    if (unread.has(path)) continue;
    const judged = judgedBy.get(path) ?? [];
    const symbolsBy = groupBy(symbols, ({ name }) => plainName(name));
    const seen = new Set();
    for (const one of judged) {
      const key = `${one.line} ${one.name}`;
      if (one.may || seen.has(key)) continue;
      seen.add(key);
      result.judged++;
      const same = symbolsBy.get(plainName(one.name)) ?? [];
      if (!same.some((symbol) => isSame(symbol, one))) result.lost.push(one);
    }
    const namesBy = groupBy(judged, ({ name }) => plainName(name));
    const types = new Set(judged.filter(({ kind }) => TYPES.has(kind)).map(({ name }) => name));
    for (const symbol of symbols) {
      // Parsers of other programs leave out constructors without a body.
      if (symbol.kind === 'constructor' && types.has(symbol.name)) continue;
      if (known === null ? UNJUDGED.has(symbol.kind) : !known.has(symbol.kind)) continue;
      result.counted++;
      const same = namesBy.get(plainName(symbol.name)) ?? [];
      if (!same.some((one) => isSame(symbol, one))) result.extra.push(symbol);
    }
  }
  return result;
}

/** A value that is assigned again, and functions that are declared several times, are one symbol. */
function isSame({ kind, line, startLine, endLine }, one) {
  if (Math.abs(line - one.line) <= NEAR_LINES || (startLine <= one.line && one.line <= line)) return true;
  if (VALUES.has(kind) && one.kind === 'variable') return line <= one.line;
  return !TYPES.has(kind) && startLine <= one.line && one.line <= endLine;
}
