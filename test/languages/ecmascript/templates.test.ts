/** Templates of Angular are code: members, components, directives and pipes are used in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnusedFinder } from '../../../src/graph/query/unused.js';
import { usesOf } from '../../../src/languages/ecmascript/templates.js';
import { edgeLines, graphOf } from '../../graph/link/project.js';

const CART = 'export class Cart { title = ""; id = 1; size() { return 1; } }\n';
const PARTS = `import { Component, Directive, EventEmitter, Input, Output, Pipe } from '@angular/core';
@Component({ selector: 'app-row', template: \`<p (click)="drop()">{{ label | money:'EUR' }}</p>\` })
export class Row {
  @Input() label = '';
  @Input() set note(text: string) {}
  @Output() dropped = new EventEmitter<void>();
  @Output() labelChange = new EventEmitter<string>();
  drop() { this.dropped.emit(); }
  dead() {}
}
@Pipe({ name: 'money' })
export class MoneyPipe { transform(value: string) { return value; } }
@Directive({ selector: 'button[appGlow], appGlow' })
export class Glow { @Input() appGlow = ''; }
`;
const component = (name: string, url: string, body: string): string => `import { Component } from '@angular/core';
import { Cart } from './cart';
@Component({ selector: 'app-${name.toLowerCase()}', templateUrl: '${url}', styleUrls: ['./cart.scss'] })
export class ${name} { ${body} }
`;

/** What templates use, without what they leave open. */
const usesIn = (files: Record<string, string>, from: RegExp): string[] =>
  edgeLines(graphOf(files)).filter((line) => from.test(line) && !line.includes(' ?'));

test('a template uses members of its component, and what they lead to', () => {
  const body =
    'cart = new Cart(); carts: Cart[] = []; total = 1; sum() { return 1; } save(e: Event) {} lock = ""; name = "";';
  const html = `<p *ngIf="cart as c; else none">{{ c.size() }}</p>
<li *ngFor="let one of carts; let i = index; trackBy: sum">{{ one.title }} {{ i }}</li>
@for (item of carts; track item.id) { <b [class.big]="sum() > total" [attr.aria-x]=lock>{{ item?.title }}</b> }
@if (cart; as k) { <input [(ngModel)]="name" #box (keyup)="total = box.value; save($event)" title="{{ k.title }}"> }
`;
  const files = { 'a/cart.ts': CART, 'a/page.ts': component('Page', './page.html', body), 'a/page.html': html };
  assert.deepEqual(usesIn(files, /^a\/page\.html /), [
    'a/page.html read a/page.ts:Page.cart (receiver)',
    'a/page.html call a/cart.ts:Cart.size (receiver)',
    'a/page.html read a/page.ts:Page.carts (receiver)',
    'a/page.html value a/page.ts:Page.sum (receiver)',
    'a/page.html read a/cart.ts:Cart.title (receiver)',
    'a/page.html read a/page.ts:Page.carts (receiver)',
    'a/page.html read a/cart.ts:Cart.id (receiver)',
    'a/page.html call a/page.ts:Page.sum (receiver)',
    'a/page.html read a/page.ts:Page.total (receiver)',
    'a/page.html read a/page.ts:Page.lock (receiver)',
    'a/page.html read a/cart.ts:Cart.title (receiver)',
    'a/page.html read a/page.ts:Page.cart (receiver)',
    'a/page.html read a/page.ts:Page.name (receiver)',
    'a/page.html write a/page.ts:Page.total (receiver)',
    'a/page.html call a/page.ts:Page.save (receiver)',
    'a/page.html read a/cart.ts:Cart.title (receiver)',
  ]);
});

test('elements are components, attributes are directives and inputs, and words behind a bar are pipes', () => {
  const files = {
    'a/cart.ts': CART,
    'a/parts.ts': PARTS,
    'a/page.ts': component('Page', 'page.html', 'text = "";'),
    'a/page.html':
      '<app-row [(label)]="text" note="x" (dropped)="text = 1 | money"></app-row>\n<button appGlow="x" mat-button></button>\n',
    'index.html': '<!doctype html>\n<html><app-page></app-page></html>\n',
  };
  assert.deepEqual(usesIn(files, /^(?:a\/page|index)\.html /), [
    'a/page.html new a/parts.ts:Row (package)',
    'a/page.html read a/parts.ts:Row.labelChange (receiver)',
    'a/page.html write a/parts.ts:Row.label (receiver)',
    'a/page.html read a/page.ts:Page.text (receiver)',
    'a/page.html value a/parts.ts:Row.note (receiver)',
    'a/page.html read a/parts.ts:Row.dropped (receiver)',
    'a/page.html write a/page.ts:Page.text (receiver)',
    'a/page.html call a/parts.ts:MoneyPipe.transform (receiver)',
    'a/page.html new a/parts.ts:MoneyPipe (package)',
    'a/page.html new a/parts.ts:Glow (package)',
    'index.html new a/page.ts:Page (package)',
  ]);
  assert.deepEqual(usesIn(files, /^a\/parts\.ts:Row /).slice(0, 4), [
    'a/parts.ts:Row call a/parts.ts:Row.drop (receiver)',
    'a/parts.ts:Row read a/parts.ts:Row.label (receiver)',
    'a/parts.ts:Row call a/parts.ts:MoneyPipe.transform (receiver)',
    'a/parts.ts:Row new a/parts.ts:MoneyPipe (package)',
  ]);
});

test('bindings of a host, a template in front of a selector, and classes with marks are read', () => {
  const bar = `import { Component, Directive } from '@angular/core';
@Component({
  template: '<p [class.!hidden]="isShut" [class.w-1/2]="isWide" (click)="shut()"></p>', selector: 'app-bar',
  host: { class: 'x', '[class.big]': 'isBig()', '(keydown)': 'press($event)' },
})
export class Bar { isShut = false; isWide = false; shut() {} isBig() { return true; } press(e: Event) {} }
`;
  assert.deepEqual(usesIn({ 'bar.ts': bar, 'x.html': '<app-bar></app-bar>' }, /^(?:x\.html|bar\.ts:Bar) /), [
    'bar.ts:Bar read bar.ts:Bar.isShut (receiver)',
    'bar.ts:Bar read bar.ts:Bar.isWide (receiver)',
    'bar.ts:Bar call bar.ts:Bar.shut (receiver)',
    'bar.ts:Bar call bar.ts:Bar.isBig (receiver)',
    'bar.ts:Bar call bar.ts:Bar.press (receiver)',
    'x.html new bar.ts:Bar (package)',
  ]);
});

test('the file of a template is found by its path, and components that share one use it each', () => {
  const files = {
    'a/cart.ts': CART,
    'a/open.ts': component('Open', '../shared/list.html', 'rows = []; wide = 1;'),
    'a/shut.ts': component('Shut', '../shared/list.html', 'rows = [];'),
    'shared/list.html': '<p>{{ rows.length }} {{ wide }}</p>\n',
    'b/other.ts': component('Other', './list.html', 'rows = [];'),
    'b/list.html': '<p [x]="rows"></p>\n',
  };
  assert.deepEqual(usesIn(files, /^\S*list\.html /), [
    'b/list.html read b/other.ts:Other.rows (receiver)',
    'shared/list.html read a/open.ts:Open.rows (receiver)',
    'shared/list.html read a/shut.ts:Shut.rows (receiver)',
    'shared/list.html read a/open.ts:Open.wide (receiver)',
  ]);
});

test('a component with several selectors is used under each of them', () => {
  const files = {
    'a/cart.ts': CART,
    'a/row.ts': component('Row', './row.html', '').replace("'app-row'", "'app-row, app-line,app-entry'"),
    'a/page.html': '<app-row></app-row>\n<app-line></app-line>\n<app-entry></app-entry>\n<app-other></app-other>\n',
  };
  const use = 'a/page.html new a/row.ts:Row (package)';
  assert.deepEqual(usesIn(files, /^a\/page\.html /), [use, use, use]);
});

test('a selector that several have is likely that of the nearest, and none of two as near', () => {
  const row = component('Row', './row.html', '');
  const files = {
    ...{ 'a/cart.ts': CART, 'a/row.ts': row, 'b/row.ts': row, 'c/x.html': '<app-row [y]="1"></app-row>' },
    'a/page.html': '<app-row [y]="1"></app-row>',
  };
  assert.deepEqual(usesIn(files, /^\S*(?:page|x)\.html /), ['a/page.html new a/row.ts:Row (likely)']);
});

test('pages and templates of other engines use no members, and what nothing defines leaves no trace', () => {
  const files = {
    'a.html': '{% if user %}{{ user.name | upper }}{% endif %}<my-card [x]="y"></my-card>',
    'b.html': '{{#each rows}}<p>{{name}}</p>{{/each}}',
    'c.html': '<!doctype html><p>{{ total }}</p>',
    'd.html': '<mat-icon [x]="y">{{ total | date }}</mat-icon>',
  };
  assert.deepEqual(edgeLines(graphOf(files)), []);
});

test('what only a template uses is no dead code', () => {
  const files = {
    'package.json': '{"private": true}',
    'main.ts': "import { Page } from './page';\nstart(Page);\n",
    'cart.ts': CART,
    'page.ts': component('Page', './page.html', 'private open() {} private dead() {}'),
    'page.html': '<p (click)="open()"></p>\n',
  };
  const graph = graphOf(files);
  const found = new UnusedFinder(graph).find('possible').map(({ node }) => graph.qualifiedName(node));
  assert.ok(found.includes('Page.dead'));
  assert.ok(!found.includes('Page.open'));
});

test('an expression is read by its words and brackets', () => {
  const paths = (code: string): string[] => usesOf(code, 0, (name) => name).map(({ kind, path }) => `${kind} ${path}`);
  assert.deepEqual(paths("a?.b!.c[i].d('x | y') || { key: e, f: g }"), [
    'read a',
    'read a.b',
    'read a.b.c',
    'read i',
    'call a.b.c[].d',
    'read e',
    'read g',
  ]);
  assert.deepEqual(paths('rows.map((row) => row.id)'), ['read rows', 'call rows.map']);
  assert.deepEqual(paths('(a + b).c; (d).e = 1'), ['read a', 'read b', 'read ?.c', 'read d', 'write d.e']);
});
