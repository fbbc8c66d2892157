import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage, isBinaryPath, needsContent } from '../../src/extract/extract.js';
import { BINARY_EXTENSIONS } from '../../src/languages/detect.js';
import { allLanguages } from '../../src/languages/registry.js';

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
  assert.equal(needsContent('a.unheardof'), true);
  assert.equal(detectLanguage('bin/tool'), null);
  assert.equal(detectLanguage('bin/tool', first('#!/usr/bin/env -S python3.11 -u\n')), 'python');
  assert.equal(detectLanguage('bin/tool', first('#!/bin/sh -e\n')), 'bash');
  assert.equal(detectLanguage('bin/tool', first('#!/usr/bin/env node\n')), 'javascript');
  assert.equal(detectLanguage('bin/tool', first('<?xml version="1.0"?>')), 'xml');
  assert.equal(detectLanguage('bin/tool', first('just words')), 'text');
  assert.equal(detectLanguage('bin/tool', first('a\0b')), null);
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
