/** One definition: whether other files see it, and which comment describes it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, symbolLines } from './helpers.js';

test('javascript: methods of an object in a function are seen where an exported constant holds what it gives', () => {
  const cases: [source: string, line: string][] = [
    ['use({ open() {} });', '+ method open'],
    ['use(() => ({ open() {} }));', '- method open'],
    ['export const cart = use(() => ({ open() {} }));', '+ method cart.open'],
  ];
  for (const [source, line] of cases) assert.equal(symbolLines(factsOf(source, 'javascript')).at(-1), line, source);
});

test('a description is the lines of comments right above, without the line that names the program', () => {
  const doc = (source: string, language: 'bash' | 'python' | 'ruby') => {
    const [symbol] = factsOf(source, language).symbols;
    return symbol.doc && source.slice(symbol.doc.start, symbol.doc.end);
  };
  const [shell, python, ruby] = ['weigh() {\n  ls\n}\n', 'def weigh():\n    pass\n', 'def weigh\nend\n'];
  assert.equal(doc(`#!/bin/sh\n${shell}`, 'bash'), null);
  assert.equal(doc(`#!/usr/bin/env python\n${python}`, 'python'), null);
  assert.equal(doc(`#!/usr/bin/env python\n# Weighs.\n# In grams.\n${python}`, 'python'), '# Weighs.\n# In grams.');
  assert.equal(doc(`#!/usr/bin/env ruby\n# Weighs.\n${ruby}`, 'ruby'), '# Weighs.');
  assert.equal(doc(`# Of the file.\n\n# Weighs.\n${ruby}`, 'ruby'), '# Weighs.');
});
