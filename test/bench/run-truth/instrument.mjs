// Prepares a copy of a repository of JavaScript for tracing: `node test/bench/run-truth/instrument.mjs COPY`, then its tests
// with TRACE_ROOT=COPY and TRACE_OUT=FILE. Files are changed in place and keep their lines. Each call tells that its line
// runs, each function that it ran and from which line (`trace-calls.cjs`).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ts = createRequire(import.meta.url)('typescript-api');
const root = resolve(process.argv[2]);
const TRACER = fileURLToPath(new URL('./trace-calls.cjs', import.meta.url));
const UNTOUCHED = /(?:^|\/)(?:node_modules|dist|build|vendor|fixtures?|docs?|examples?|benchmarks?)\/|\.min\.js$/;

const MANIFEST = join(root, 'package.json');
const ALL_MODULES = existsSync(MANIFEST) && JSON.parse(readFileSync(MANIFEST, 'utf8')).type === 'module';

const nameOf = (node) => {
  if (node.name !== undefined) return node.name.getText();
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
    return parent.name.getText();
  if (ts.isBinaryExpression(parent) && parent.right === node) {
    const { left } = parent;
    return ts.isPropertyAccessExpression(left) ? left.name.getText() : ts.isIdentifier(left) ? left.getText() : '';
  }
  return '';
};

const calledName = ({ expression }) =>
  ts.isPropertyAccessExpression(expression)
    ? expression.name.getText()
    : ts.isIdentifier(expression)
      ? expression.getText()
      : '';

function instrument(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSX);
  if (source.parseDiagnostics.length > 0) return 0;
  const line = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  const put = [];
  let functions = 0;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined && ts.isBlock(node.body)) {
      const name = nameOf(node);
      const first = node.body.statements[0];
      const directive = first !== undefined && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression);
      const at = directive ? first.end : node.body.getStart() + 1;
      put.push([
        at,
        `;globalThis.__ran&&globalThis.__ran(${JSON.stringify([path, line((node.name ?? node).getStart()), name])});`,
      ]);
      functions++;
    }
    if (ts.isCallExpression(node) && !['require', 'import', ''].includes(calledName(node))) {
      const at = node.expression.end + text.slice(node.expression.end, node.end).indexOf('(') + 1;
      const open = node.arguments.pos;
      const told = `...(globalThis.__at?globalThis.__at(${JSON.stringify(path)},${line(node.expression.name?.getStart() ?? node.getStart())},${JSON.stringify(calledName(node))}):[])`;
      put.push([Math.max(open, at), node.arguments.length > 0 ? `${told},` : told]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const isModule = ts.isExternalModule(source) || path.endsWith('.mjs') || (ALL_MODULES && path.endsWith('.js'));
  const head = isModule ? `;import ${JSON.stringify(TRACER)};` : `;require(${JSON.stringify(TRACER)});`;
  const strict =
    /^(?:#![^\n]*\n)?(?:\s|\/\*[\s\S]{0,3000}?\*\/|\/\/[^\n]*\n)*(?:(['"])use strict\1;?)?/.exec(text)?.[0] ?? '';
  let out = text;
  put.push([strict.length, head]);
  for (const [at, added] of put.sort((a, b) => b[0] - a[0])) out = out.slice(0, at) + added + out.slice(at);
  writeFileSync(join(root, path), out);
  return functions;
}

const listed = execFileSync('git', ['-C', root, 'ls-files', '-z']).toString().split('\0');
const paths = listed.filter((path) => /\.(?:js|mjs|cjs)$/.test(path) && !UNTOUCHED.test(path));
console.log(`${paths.reduce((sum, path) => sum + instrument(path), 0)} functions in ${paths.length} files`);
