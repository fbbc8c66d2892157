import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf } from '../../graph/link/project.js';
import { relationLines } from '../relations-support.js';

const COMPONENT = `<template>
  <CartList :items="items" @add="onAdd" />
  <cart-item v-for="i in items" :key="i">{{ format(i) }}</cart-item>
</template>

<script setup lang="ts">
import CartList from './CartList.vue';
import CartItem from './CartItem.vue';
import { format } from '@/format';
function onAdd(x: Item) { format(x); }
</script>

<style lang="scss" src="./cart.scss"></style>
<style>
@import './base.css';
</style>
`;

test('Vue: the script at its own lines, and what the template uses of it', () => {
  const { imports, references } = relationLines(COMPONENT, 'vue');
  assert.deepEqual(imports, [
    '7 import ./CartList.vue default=CartList',
    '8 import ./CartItem.vue default=CartItem',
    '9 import @/format format',
    '13 import ./cart.scss',
    '15 import ./base.css *=',
  ]);
  assert.deepEqual(references, [
    '2 new CartList @-',
    '2 value onAdd @-',
    '3 new CartItem @-',
    '3 call format @-',
    '10 type Item @onAdd',
    '10 call format/1 @onAdd',
  ]);
});

test('Svelte: components and handlers of the markup', () => {
  const source = `<script>
  import Item from './Item.svelte';
  function save() {}
</script>
<Item on:click={save}>{save()}</Item>
`;
  const { imports, references } = relationLines(source, 'svelte');
  assert.deepEqual(imports, ['2 import ./Item.svelte default=Item']);
  assert.deepEqual(references, ['5 new Item @-', '5 value save @-', '5 call save @-']);
});

test('Vue: loops, variables and methods of a component are used by its markup', () => {
  const setup = `<template>
  <p v-for="(row, i) in rows" :key="row.id" @click="() => drop(row, { total })">{{ fmt({ x: total }) }}</p>
</template>
<script setup lang="ts">
import { Cart } from './cart';
const rows: Cart[] = [];
const total = ref(0);
function drop(row: Cart) {}
const fmt = (o) => '';
</script>
`;
  const options = `<template><p @click="save">{{ full }} {{ other }}</p></template>
<script>
export default { computed: { full() { return 1; } }, methods: { save() {}, dead() {} } };
</script>
`;
  const files = {
    'cart.ts': 'export class Cart { id = 1; }',
    'A.vue': setup,
    'B.vue': options,
    'c.ts': 'export function save() {}',
  };
  const lines = edgeLines(graphOf(files)).filter((line) => / [\w.]+:\w/.test(line.replace(/^\S+/, '')));
  assert.deepEqual(lines, [
    'A.vue read A.vue:rows (same-file)',
    'A.vue read cart.ts:Cart.id (receiver)',
    'A.vue call A.vue:drop (same-file)',
    'A.vue read A.vue:total (same-file)',
    'A.vue call A.vue:fmt (same-file)',
    'A.vue:rows type cart.ts:Cart (imported)',
    'A.vue:drop type cart.ts:Cart (imported)',
    'B.vue value B.vue:save (same-file)',
    'B.vue value B.vue:full (same-file)',
  ]);
});

test('Svelte: expressions with braces, loops, variables and stores', () => {
  const source = `<script lang="ts">
  import { Cart } from './cart';
  import { stock } from './stock';
  let carts: Cart[] = [];
  let count = 0;
  function save() {}
</script>
{#each carts as one (one.id)}<p on:click={() => { count = count + 1; save(); }}>{$stock}</p>{/each}
`;
  const files = {
    'cart.ts': 'export class Cart { id = 1; }',
    'stock.ts': 'export const stock = 1;',
    'S.svelte': source,
  };
  const lines = edgeLines(graphOf(files)).filter((line) => /^S\.svelte (?!import)/.test(line));
  assert.deepEqual(lines, [
    'S.svelte read S.svelte:carts (same-file)',
    'S.svelte read cart.ts:Cart.id (receiver)',
    'S.svelte write S.svelte:count (same-file)',
    'S.svelte read S.svelte:count (same-file)',
    'S.svelte call S.svelte:save (same-file)',
    'S.svelte value stock.ts:stock (imported)',
  ]);
});

test('HTML: scripts and what links load; not comments, not templates, not other links', () => {
  const source = `<!doctype html>
<!-- <script src="no.js"></script> -->
<link rel="stylesheet" href="/a.css">
<link rel=canonical href="/nope">
<script type="module" src='./main.ts'></script>
<script src="{{ x }}"></script>
`;
  assert.deepEqual(relationLines(source, 'html').imports, ['3 import /a.css', '5 import ./main.ts']);
});

test('style sheets: all ways to import, with the name that what they import has', () => {
  const css =
    '@charset "utf-8";\n@import url("x.css") screen;\n@import \'y.css\';\n@import url(z.css);\na { b: url(c.png) }\n';
  assert.deepEqual(relationLines(css, 'css').imports, ['2 import x.css', '3 import y.css', '4 import z.css']);
  const scss = `@use 'sass:math';
@use "../theme/_colors.scss" as c;
@use 'lib' as *;
@forward "src/list" hide x;
@import 'a', "b";
.x { @import "nested"; }
// @use 'not';
`;
  assert.deepEqual(relationLines(scss, 'scss').imports, [
    '1 import sass:math *=math',
    '2 import ../theme/_colors.scss *=c',
    '3 import lib *=',
    '4 reexport src/list *=',
    '5 import a *=',
    '5 import b *=',
    '6 import nested *=',
  ]);
  assert.deepEqual(relationLines('@import (reference) "foo";\n', 'less').imports, ['1 import foo *=']);
});

test('html: a handler uses functions of the page and of the scripts that it loads', () => {
  const files = {
    'page.html':
      '<button onclick="save(1); if (x) { shop.open() }" onKeyUp=\'go()\' title="none()">\n<script src="app.js"></script>\n<div id="app"><script>function save(n) {}\nconst shop = { open() {} };</script></div>\n',
    'app.js': 'function go() {}\nfunction none() {}\n',
    'other.js': 'function go() {}\n',
  };
  assert.deepEqual(
    edgeLines(graphOf(files)).filter((line) => line.startsWith('page.html call')),
    [
      'page.html call page.html:save (same-file)',
      'page.html call page.html:shop.open (receiver)',
      'page.html call app.js:go (imported)',
    ],
  );
});
