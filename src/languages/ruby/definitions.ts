/** Ruby. */
import type { DefinitionRules } from '../roles/definitions.js';

export const ruby: DefinitionRules = {
  definitions: [
    { node: 'module', kind: 'module', body: 'body' },
    { node: 'class', kind: 'class', body: 'body' },
    { node: 'method', kind: 'function', member: 'method', body: 'body' },
    { node: 'singleton_method', kind: 'function', member: 'method', body: 'body' },
    {
      node: 'assignment',
      kind: 'constant',
      name: 'left',
      outer: true,
      named: /^[A-Z]\w*$/,
      where: { has: { field: 'left', kind: 'constant' } },
    },
    {
      // `define_method(:name)`, `attr_reader :name`, Rails' scopes and associations.
      node: 'call',
      kind: 'method',
      nameText: /(?:define_method|attr_reader|attr_accessor|attr_writer|scope)[\s(]+:?["']?([\w?!=]+)/y,
      outer: true,
      where: {
        has: { field: 'method', regex: '^(define_method|attr_reader|attr_accessor|attr_writer|scope)$' },
        not: { has: { field: 'receiver', regex: '.' } },
      },
    },
  ],
  importText: /^(?:require|require_relative|load|autoload|gem|source)\b/,
  comments: ['comment'],
  docs: { line: /^#(?!!)/, block: ['=begin', '=end'] },
  exported: {},
  constructors: /^initialize$/,
  moduleMethods: true,
  visibility: { hide: /^\s*(?:private|protected)\s*(?:#.*)?$/, show: /^\s*public\s*(?:#.*)?$/ },
};
