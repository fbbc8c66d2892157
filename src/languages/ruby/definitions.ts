/** Ruby. */
import type { DefinitionRules } from '../roles/definitions.js';

export const ruby: DefinitionRules = {
  definitions: [
    { node: 'module', kind: 'module', body: 'body' },
    { node: 'class', kind: 'class', body: 'body' },
    { node: 'method', kind: 'function', member: 'method', body: 'body' },
    { node: 'singleton_method', kind: 'function', member: 'method', body: 'body' },
    {
      // `Line = Struct.new(:account)` is a class that is written shorter.
      node: 'assignment',
      kind: 'constant',
      tail: [[/^\s*=\s*(?:::)?(?:Struct|Data|Class|Module)\s*\.\s*(?:new|define)\b/, 'class']],
      name: 'left',
      body: 'right/block',
      outer: true,
      named: /^[A-Z]\w*$/,
      where: { has: { field: 'left', kind: 'constant' } },
    },
    {
      // `define_method(:name)`, Rails' scopes.
      node: 'call',
      kind: 'method',
      nameText: /(?:define_method|scope)[\s(]+:?["']?([\w?!=]+)/y,
      outer: true,
      where: {
        has: { field: 'method', regex: '^(define_method|scope)$' },
        not: { has: { field: 'receiver', regex: '.' } },
      },
    },
    {
      // `attr_reader :name, :code`, and the fields of `Struct.new(:name, :code)`.
      node: 'simple_symbol',
      kind: 'property',
      nameText: /:([A-Za-z_]\w*[?!]?)/y,
      lead: /\battr_(?:reader|writer|accessor)[ (]+$/,
      outer: true,
      where: {
        inside: {
          kind: 'argument_list',
          inside: {
            kind: 'call',
            any: [
              {
                has: { field: 'method', regex: '^attr_(reader|writer|accessor)$' },
                not: { has: { field: 'receiver', regex: '.' } },
              },
              { has: { field: 'receiver', regex: '^(::)?(Struct|Data)$' } },
            ],
          },
        },
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
