/** Headers named `.h` are C, C++ or Objective-C by their text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage, languageOfContent, needsContent } from '../../../src/languages/detect.js';

const languageOf = (text: string) => languageOfContent(Buffer.from(text));
const guarded = (text: string) =>
  `/* Copyright: class Foo : public Bar, std::move */\n#ifndef A_H\n#define A_H\n${text}\n#endif\n`;
/** As headers of C let C++ use them. */
const both = (text: string) =>
  guarded(`#ifdef __cplusplus\nextern "C" {\n#endif\n${text}\n#ifdef __cplusplus\n}\nnamespace a { class B; }\n#endif`);

const EXPECTED: Record<string, string[]> = {
  c: [
    guarded('#include <stdio.h>\nstruct a { int class; };\nint f(struct a *x);'),
    both('typedef struct cart cart;\nvoid cart_add(cart *self, int item);'),
    both('/* std::string */ #define SEP "::"\nstatic inline int g(void) { return 1; }'),
    'int g(int);\n',
    '/* Sizes. */\n# define SIZE 32\nextern int g(char *);\n',
    '# include <stddef.h>\nint g(const char *p);\n',
    '# ifndef A_H\n# define A_H\nint g(void);\n# endif\n',
    '# define MAX(a, b) ((a) > (b) ? (a) : (b))\n',
    '#ident "$Id$"\nint g(void);\n',
    '#pragma once\nenum kind { A, B };\n',
    guarded('struct a { unsigned low : 3; enum b kind : 2; };\nint override(struct a *x), final(void);'),
  ],
  cpp: [
    guarded('namespace shop { int f(); }'),
    guarded('template <typename T> struct Box { T item; };'),
    guarded('#include <vector>\nint f();'),
    guarded('class Cart {\n public:\n  void add(int item);\n};'),
    guarded('struct Cart {\n  ~Cart() noexcept;\n  Cart(const Cart&) = delete;\n};'),
    guarded('inline shop::Cart make();'),
    guarded('#ifdef __cplusplus\nnamespace shop { class Cart; }\n#endif'),
    '#ident "$Id$"\n#pragma once\nclass Tree { public: int depth() const { return 1; } };\n',
    'class Cart;\nclass Item : public Cart {};\n',
    guarded('struct Far : Base {\n  int size();\n};'),
    guarded('struct EXPORTED Far\n  : Base {\n  int size() const override;\n};'),
  ],
  objectivec: [
    '#import <UIKit/UIKit.h>\n\n@interface Cart : NSObject\n@end\n',
    guarded('@class Item;\n@protocol Cart\n- (void)add:(Item *)item;\n@end'),
  ],
  text: [
    'just words\n',
    '# include what you use, and define the rest\n',
    '# define the scope\n\ntext\n',
    '# if in doubt\n',
    '# undef and others\n',
    'class of 1999; we met here\n',
    '',
  ],
};

for (const [language, texts] of Object.entries(EXPECTED))
  test(`a text is ${language} by what stands in it`, () => {
    for (const text of texts) assert.equal(languageOf(text), language, text);
  });

test('a header of C with a part for Objective-C is C', () => {
  assert.equal(languageOf(guarded('#ifdef __OBJC__\n@class NSString;\n#endif\nint f(void);')), 'c');
});

test('the path of a header tells no language, unless the settings do', () => {
  for (const path of ['include/a.h', 'A.H', 'config.h.in']) {
    assert.equal(detectLanguage(path), null, path);
    assert.equal(needsContent(path), true, path);
  }
  assert.equal(detectLanguage('a.h', undefined, { h: 'c' }), 'c');
  assert.equal(detectLanguage('a.h', Buffer.from('#pragma once\nnamespace a {}\n')), 'cpp');
});

test('hostile text is read in linear time', () => {
  const from = process.cpuUsage();
  for (const text of [
    '"\\"'.repeat(30_000),
    '/*'.repeat(30_000),
    'a '.repeat(32_000),
    '#if __cplusplus\n'.repeat(4_000),
  ])
    for (const start of ['', '#if\n', '#if\nclass x ']) languageOf(start + text);
  const { user } = process.cpuUsage(from);
  assert.ok(user < 2e6, `${user / 1e6} s`);
});
