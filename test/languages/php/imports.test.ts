/** Names that files of PHP import. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, uses } from '../../graph/link/project.js';

test('PHP: behind an imported name that is a class and a namespace, a path leads into the namespace', () => {
  const project = {
    'lib/Stmt.php': '<?php namespace A; class Stmt { const MAX = 1; function go() {} static function all() {} }',
    'lib/Stmt/Use_.php': '<?php namespace A\\Stmt; class Use_ { function run() {} static function make() {} }',
    'use.php': `<?php namespace B;
use A\\Stmt;
function one(Stmt\\Use_ $u) { $u->run(); new Stmt\\Use_(); Stmt\\Use_::make(); return Stmt\\Use_::class; }
function two(Stmt $s) { $s->go(); Stmt::all(); return Stmt::MAX; }
`,
  };
  const lines = edgeLines(graphOf(project)).filter((line) => /:(?:one|two) /.test(line) && !line.includes('?class'));
  assert.deepEqual(lines.sort(), [
    'use.php:one call lib/Stmt/Use_.php:Use_.make (receiver)',
    'use.php:one call lib/Stmt/Use_.php:Use_.run (receiver)',
    'use.php:one new lib/Stmt/Use_.php:Use_ (imported)',
    'use.php:one read lib/Stmt/Use_.php:Use_ (imported)',
    'use.php:one type lib/Stmt/Use_.php:Use_ (imported)',
    'use.php:two call lib/Stmt.php:Stmt.all (receiver)',
    'use.php:two call lib/Stmt.php:Stmt.go (receiver)',
    'use.php:two read lib/Stmt.php:Stmt (imported)',
    'use.php:two read lib/Stmt.php:Stmt.MAX (receiver)',
    'use.php:two type lib/Stmt.php:Stmt (imported)',
  ]);
});

test('PHP: facades, containers, callables, and methods by a part of their name', () => {
  const source = `<?php
class Till { public function ring() {} public static function heard() {} }
class Facades extends Facade { protected static function getFacadeAccessor() { return Till::class; } }
class Cart {
  public function run($name) {
    Facades::ring();
    app(Till::class)->ring();
    $this->app->make(Till::class)->ring();
    $call = [Till::class, 'heard'];
    $own = [$this, 'handle'];
    call_user_func([$this, 'get' . $name . 'Part']);
    $this->{'load' . $name}();
    $method = "fill{$name}";
    $this->$method();
  }
  public function handle() {}
  public function getOnePart() {}
  public function loadOne() {}
  public function fillOne() {}
}
`;
  assert.deepEqual(uses({ 'cart.php': source }, / (?:call|value) cart\.php:\w+\./), [
    'cart.php:Cart.run call cart.php:Till.ring (inherited)',
    'cart.php:Cart.run call cart.php:Till.ring (receiver)',
    'cart.php:Cart.run call cart.php:Till.ring (receiver)',
    'cart.php:Cart.run value cart.php:Till.heard (receiver)',
    'cart.php:Cart.run value cart.php:Cart.handle (receiver)',
    'cart.php:Cart.run call cart.php:Cart.getOnePart (likely)',
    'cart.php:Cart.run call cart.php:Cart.loadOne (likely)',
    'cart.php:Cart.run call cart.php:Cart.fillOne (likely)',
  ]);
});
