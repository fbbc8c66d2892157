<?php
// Truth of PHP without types of receivers, by php-parser: `php graph-truth.php DIR` writes JSON: uses of classes, functions, X::method(), X::CONST, $this->method() and $this->property.
// Other uses of members are unknown.
require '/usr/share/php/PhpParser/autoload.php';
use PhpParser\{Node, NodeTraverser, NodeVisitorAbstract, ParserFactory, NodeVisitor\NameResolver, Lexer};
ini_set('memory_limit', '4G'); $root = realpath($argv[1]);
$lexer = new Lexer(['usedAttributes' => ['startLine', 'endLine', 'startFilePos', 'endFilePos']]); $parser = (new ParserFactory)->create(ParserFactory::PREFER_PHP7, $lexer);
$files = []; foreach (explode("\0", shell_exec("git -C " . escapeshellarg($root) . " ls-files -z '*.php'")) as $f) if ($f && !preg_match('~(^|/)(vendor|test/code|grammar)/~', $f)) $files[] = $f;
$syms = []; $refs = []; $known = []; $class = []; $asts = []; $ok = [];
function sym($name, $kind, $p, $line) { global $syms; $id = "$p:$line:$kind:$name"; $syms[$id] = ['id' => $id, 'name' => $name, 'kind' => $kind, 'path' => $p, 'line' => $line, 'col' => 1]; return $id; }
foreach ($files as $p) { try { $ast = $parser->parse(file_get_contents("$root/$p")); } catch (\Throwable $e) { continue; } $t = new NodeTraverser; $t->addVisitor(new NameResolver); try { $asts[$p] = $t->traverse($ast); } catch (\Throwable $e) { continue; } $ok[] = $p; }
$funcs = [];
class V extends NodeVisitorAbstract { public $f; public $p; public $stack = []; function __construct($f, $p) { $this->f = $f; $this->p = $p; } function enterNode(Node $n) { if ($n instanceof Node\Stmt\ClassLike) $this->stack[] = $n; ($this->f)($n, $this->p, end($this->stack) ?: null); } function leaveNode(Node $n) { if ($n instanceof Node\Stmt\ClassLike) array_pop($this->stack); } }
function walk($f) { global $asts; foreach ($asts as $p => $a) { $t = new NodeTraverser; $t->addVisitor(new V($f, $p)); $t->traverse($a); } }
$key = fn($c) => isset($c->namespacedName) && $c->namespacedName ? strtolower($c->namespacedName->toString()) : 'anon' . spl_object_id($c);
walk(function ($n, $p, $c) use (&$class, &$funcs, $key) { 
  if ($n instanceof Node\Stmt\ClassLike) { $k = $key($n); $sup = []; foreach (['extends', 'implements'] as $x) if (isset($n->$x) && $n->$x) foreach (is_array($n->$x) ? $n->$x : [$n->$x] as $s) $sup[] = strtolower($s->toString()); foreach ($n->stmts as $s) if ($s instanceof Node\Stmt\TraitUse) foreach ($s->traits as $t) array_unshift($sup, strtolower($t->toString())); $class[$k] = ['id' => $n->name ? sym($n->name->toString(), 'type', $p, $n->name->getStartLine()) : null, 'sup' => $sup, 'm' => [], 'c' => [], 'v' => []];
    foreach ($n->stmts as $s) { if ($s instanceof Node\Stmt\ClassMethod) $class[$k]['m'][strtolower($s->name->toString())] = sym($s->name->toString(), 'method', $p, $s->name->getStartLine()); if ($s instanceof Node\Stmt\ClassConst) foreach ($s->consts as $q) $class[$k]['c'][$q->name->toString()] = sym($q->name->toString(), 'constant', $p, $q->name->getStartLine()); if ($s instanceof Node\Stmt\Property) foreach ($s->props as $q) $class[$k]['v'][$q->name->toString()] = sym($q->name->toString(), 'property', $p, $q->name->getStartLine()); } }
  if ($n instanceof Node\Stmt\Function_) $funcs[strtolower($n->namespacedName->toString())] = sym($n->name->toString(), 'function', $p, $n->name->getStartLine()); });
function member($k, $t, $name, $d = 0) { global $class; if (!isset($class[$k]) || $d > 20) return null; if (isset($class[$k][$t][$name])) return $class[$k][$t][$name]; foreach ($class[$k]['sup'] as $s) if ($r = member($s, $t, $name, $d + 1)) return $r; return null; }
function ref($id, $p, $line) { global $refs, $known, $syms; if (!$id) return; $refs[$id]["$p:$line"] = [$p, $line, 1]; $known[$p][$line][$syms[$id]['name']] = 1; }
walk(function ($n, $p, $c) use (&$class, &$funcs, $key) {
  $of = function ($x) use ($c, $key) { if ($x instanceof Node\Name) { $s = strtolower($x->toString()); if ($s === 'self' || $s === 'static') return $c ? $key($c) : null; if ($s === 'parent') return $c && isset($c->extends) && $c->extends instanceof Node\Name ? strtolower($c->extends->toString()) : null; return $s; } if ($x instanceof Node\Expr\Variable && $x->name === 'this') return $c ? $key($c) : null; return null; };
  if ($n instanceof Node\Name\FullyQualified) { $k = strtolower($n->toString()); if (isset($class[$k]) && $class[$k]['id']) ref($class[$k]['id'], $p, $n->getEndLine()); }
  if ($n instanceof Node\Expr\FuncCall && $n->name instanceof Node\Name) { $a = [$n->name->toString()]; if ($n->name->hasAttribute('namespacedName')) array_unshift($a, $n->name->getAttribute('namespacedName')->toString()); foreach ($a as $k) if (isset($funcs[strtolower($k)])) { ref($funcs[strtolower($k)], $p, $n->name->getEndLine()); break; } }
  if (($n instanceof Node\Expr\StaticCall || $n instanceof Node\Expr\MethodCall) && $n->name instanceof Node\Identifier && ($k = $of($n instanceof Node\Expr\StaticCall ? $n->class : $n->var))) ref(member($k, 'm', strtolower($n->name->toString())), $p, $n->name->getStartLine());
  if ($n instanceof Node\Expr\ClassConstFetch && $n->name instanceof Node\Identifier && ($k = $of($n->class))) ref(member($k, 'c', $n->name->toString()), $p, $n->name->getStartLine());
  if ($n instanceof Node\Expr\PropertyFetch && $n->name instanceof Node\Identifier && ($k = $of($n->var))) ref(member($k, 'v', $n->name->toString()), $p, $n->name->getStartLine());
  if ($n instanceof Node\Expr\StaticPropertyFetch && $n->name instanceof Node\Identifier && ($k = $of($n->class))) ref(member($k, 'v', $n->name->toString()), $p, $n->name->getStartLine()); });
// overriding methods are relatives
$rel = []; foreach ($class as $k => $x) foreach ($x['m'] as $name => $id) foreach ($x['sup'] as $s) if (($b = member($s, 'm', $name)) && $b !== $id) { $rel[$id][$b] = 1; $rel[$b][$id] = 1; }
echo json_encode(['language' => 'php', 'files' => $ok, 'symbols' => array_values($syms), 'refs' => array_map('array_values', $refs) ?: new stdClass, 'relatives' => array_map('array_keys', $rel) ?: new stdClass, 'known' => array_map(fn($m) => array_map('array_keys', $m), $known)]);
fwrite(STDERR, count($ok) . ' files, ' . count($syms) . ' symbols, ' . array_sum(array_map('count', $refs)) . " refs\n");
