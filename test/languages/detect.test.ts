import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage, isBinaryPath, needsContent } from '../../src/extract/extract.js';
import {
  BINARY_EXTENSIONS,
  isLanguageOfContent,
  languageIn,
  languageOfContent,
  packageFinder,
} from '../../src/languages/detect.js';
import { allLanguages, languageOf } from '../../src/languages/registry.js';

test('paths tell the language by name, extension or shape', () => {
  const cases: Record<string, string> = {
    'src/a.ts': 'typescript',
    'src/a.d.ts': 'typescript',
    'a.mts': 'typescript',
    'a.tsx': 'tsx',
    'a.jsx': 'javascript',
    'a.PY': 'python',
    'a.hpp': 'cpp',
    'a.kts': 'kotlin',
    Dockerfile: 'dockerfile',
    'docker/Dockerfile.dev': 'dockerfile',
    'x/Makefile': 'makefile',
    Gemfile: 'ruby',
    Jenkinsfile: 'groovy',
    'CMakeLists.txt': 'cmake',
    'requirements.txt': 'requirements',
    'notes.txt': 'text',
    '.bashrc': 'bash',
    '.gitignore': 'ignore',
    '.env.local': 'dotenv',
    'config.yaml.example': 'yaml',
    'go.mod': 'gomod',
    'Cargo.lock': 'toml',
    LICENSE: 'text',
    'schema.prisma': 'prisma',
    'App.vue': 'vue',
  };
  for (const [path, language] of Object.entries(cases)) {
    assert.equal(detectLanguage(path), language, path);
    assert.equal(needsContent(path), false, path);
  }
});

test('content tells where the path cannot', () => {
  const first = (text: string) => Buffer.from(text);
  assert.equal(needsContent('bin/tool'), true);
  // What follows a known ending makes another kind of file of it, unless it says what a copy is for.
  for (const path of ['a.unheardof', 'a.ts.unheardof', 'a.json.gzip', 'a.py.unheardof.bak'])
    assert.equal(needsContent(path), true, path);
  assert.equal(detectLanguage('bin/tool'), null);
  assert.equal(detectLanguage('bin/tool', first('#!/usr/bin/env -S python3.11 -u\n')), 'python');
  assert.equal(detectLanguage('bin/tool', first('#!/bin/sh -e\n')), 'bash');
  assert.equal(detectLanguage('bin/tool', first('#!/usr/bin/env node\n')), 'javascript');
  assert.equal(detectLanguage('bin/tool', first('<?xml version="1.0"?>')), 'xml');
  assert.equal(detectLanguage('bin/tool', first('just words')), 'text');
  assert.equal(detectLanguage('bin/tool', first('a\0b')), null);
});

test('a drawing is markup that nothing parses', () => {
  assert.equal(detectLanguage('icons/all.svg'), 'svg');
  assert.equal(languageOf('svg')?.grammar, undefined);
});

test('an ending of two languages is told by content, and what is neither is text', () => {
  const cases: [path: string, text: string, language: string][] = [
    ['a.pro', '-keep class com.acme.Cart { *; }\n', 'text'],
    ['a.pro', 'QT += core gui\nTARGET = shop\n', 'text'],
    ['a.pro', 'pro plot_cart, x\n  print, x\nend\n', 'text'],
    ['a.pro', '% carts\n:- module(cart, [total/2]).\n', 'prolog'],
    ['a.pro', 'likes(ann, cart).\n', 'prolog'],
    ['a.v', 'Theorem plus : forall n, n = n.\nProof. auto. Qed.\n', 'text'],
    ['a.v', '(* carts *)\nRequire Import List.\n', 'text'],
    ['a.v', '`timescale 1ns/1ps\nmodule cart (input a);\nendmodule\n', 'verilog'],
    ['a.v', '// cart\nmodule cart #(parameter N = 1) (input a);\nendmodule\n', 'verilog'],
    ['a.v', 'module main\n\nfn main() {}\n', 'v'],
    ['a.cls', 'VERSION 1.0 CLASS\nBEGIN\n', 'visualbasic'],
    ['a.cls', 'public with sharing class Cart {}\n', 'apex'],
    ['a.cls', '\\ProvidesClass{cart}\n', 'text'],
    ['a.inc', '<?php function f() {}\n', 'php'],
    ['a.h', '#import <Foundation/Foundation.h>\n@interface Cart\n@end\n', 'objectivec'],
  ];
  for (const [path, text, language] of cases) {
    assert.equal(needsContent(path), true, path);
    assert.equal(detectLanguage(path, Buffer.from(text)), language, text);
  }
});

test('a file whose first bytes belong to another kind is read as text', () => {
  const foreign: [language: string, text: string][] = [
    ['typescript', '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS language="de"></TS>\n'],
    ['typescript', '\ufeff<!DOCTYPE TS><TS></TS>\n'],
    ['objectivec', 'function total = cart(x)\n  total = x;\nend\n'],
    ['objectivec', '% carts\nx = 1;\n'],
  ];
  for (const [language, text] of foreign) assert.equal(languageIn(language, Buffer.from(text)), 'text', text);
  assert.equal(languageIn('typescript', Buffer.from('<Cart>make();\n')), 'typescript');
  assert.equal(languageIn('objectivec', Buffer.from('#import "a.h"\n')), 'objectivec');
});

test('overrides win, but only with ids that exist', () => {
  assert.equal(detectLanguage('a.inc', undefined, { inc: 'php' }), 'php');
  assert.equal(detectLanguage('a.h', undefined, { '.h': 'cpp' }), 'cpp');
  assert.equal(detectLanguage('a.ts', undefined, { ts: 'nonsense' }), 'typescript');
  assert.equal(needsContent('a.inc', { inc: 'php' }), false);
});

test('binary files are known by their extension', () => {
  for (const path of ['a.png', 'x/b.WOFF2', 'lib.so', 'a.jar', 'c.mp4']) {
    assert.ok(isBinaryPath(path), path);
    assert.equal(detectLanguage(path), null, path);
    assert.equal(needsContent(path), false, path);
  }
  assert.ok(!isBinaryPath('a.svg') && !isBinaryPath('png') && !isBinaryPath('.o'));
});

test('no name or extension is claimed by two languages, or by binary files', () => {
  const owners = new Map<string, string>();
  for (const { id, extensions, names = [] } of allLanguages()) {
    for (const extension of extensions) assert.ok(!BINARY_EXTENSIONS.has(extension), extension);
    for (const key of [...extensions.map((e) => `.${e}`), ...names.map((n) => `=${n}`)]) {
      assert.equal(owners.get(key), undefined, `${key}: ${owners.get(key)} and ${id}`);
      owners.set(key, id);
    }
  }
});

test('one language is asked for with the answer that reading for all gives', () => {
  const texts = [
    '#!/usr/bin/env ruby\nputs 1\n',
    '# frozen_string_literal: true\nclass Cart\nend\n',
    '#pragma once\nint total(struct cart *cart);\n',
    '#pragma once\nclass Cart { public: int total(); };\n',
    '`timescale 1ns / 1ps\nmodule cart(input a);\nendmodule\n',
    'VERSION 1.0 CLASS\nBEGIN\n',
    'module main\n',
    'import x from "y";\n',
    'Plain words.\n',
    'a\0b',
    '',
  ];
  for (const text of texts) {
    const bytes = Buffer.from(text);
    const found = languageOfContent(bytes);
    for (const { id } of allLanguages())
      assert.equal(isLanguageOfContent(id, bytes), id === found, `${id}, ${JSON.stringify(text)}`);
  }
});

test('a file belongs to the package of the nearest manifest of its language, at or above its folder', () => {
  const find = packageFinder(
    new Map([
      ['package.json', '{"name": "top"}'],
      ['packages/cart/package.json', '{"name": "@shop/cart"}'],
      ['packages/cart/src/package.json', '{"private": true}'],
      ['tools/pyproject.toml', '[project]\nname = "tools"\n'],
    ]),
  );
  const cases: [path: string, language: string, name: string][] = [
    ['index.ts', 'typescript', 'top'],
    ['packages/index.ts', 'typescript', 'top'],
    ['packages/cart/index.ts', 'typescript', '@shop/cart'],
    ['packages/cart/src/deep/total.js', 'javascript', '@shop/cart'],
    ['packages/cartoon/a.ts', 'typescript', 'top'],
    ['tools/a/b.py', 'python', 'tools'],
    ['packages/cart/build.py', 'python', ''],
    ['packages/cart/README.md', 'markdown', ''],
  ];
  for (const [path, language, name] of cases) assert.equal(find({ path, language }).name, name, path);
  assert.deepEqual(find({ path: 'tools/c.py', language: 'python' }), { manager: 'python', name: 'tools' });
});
