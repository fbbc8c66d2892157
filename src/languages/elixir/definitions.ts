/** Elixir: every definition is a call, told apart by its first word. */
import type { DefinitionRules } from '../roles/definitions.js';

export const elixir: DefinitionRules = {
  definitions: [
    {
      node: 'call',
      kind: 'function',
      nameText:
        /(?:defmodule|defprotocol|defimpl|defstruct|defexception|defp?|defmacrop?|defguardp?|defdelegate|defn)\b\s*(?:\(\s*)?((?:[A-Z][\w.]*|[\p{L}_][\p{L}\p{N}_]*[?!]?)?)/uy,
      head: [
        [/\bdefmodule[\s(]*$/, 'module'],
        [/\bdefprotocol[\s(]*$/, 'interface'],
        [/\bdefimpl[\s(]*$/, 'impl'],
        [/\bdef(?:macrop?|guardp?)[\s(]*$/, 'macro'],
      ],
      tail: [[/^def(?:struct|exception)\b/, 'struct']],
      unnamed: '__struct__',
      body: '>do_block',
      exported: { notHead: /\bdef(?:macro|guard)?p[\s(]*$/ },
      where: {
        has: {
          field: 'target',
          regex:
            '^(defmodule|defprotocol|defimpl|defstruct|defexception|def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defn)$',
        },
      },
    },
    {
      // Module attributes that aren't documentation or directives are constants; types are types.
      node: 'unary_operator',
      kind: 'constant',
      nameText:
        /@(?:(?:type|typep|opaque|callback|macrocallback)\s+)?((?!(?:moduledoc|doc|typedoc|spec|impl|behaviour|deprecated|dialyzer|derive|enforce_keys|before_compile|after_compile|external_resource|compile|on_load|on_definition|tag|moduletag|describetag|optional_callbacks|since)\b)[a-z_]\w*[?!]?)(?=\s+[^\s|+\-*/=<>,)\]}])/y,
      by: { path: '>call/>identifier', kinds: {} },
      head: [
        [/@(?:type|typep|opaque)\s+$/, 'type'],
        [/@(?:macro)?callback\s+$/, 'method'],
      ],
      outer: true,
      exported: { head: /^@(?:type|opaque|callback|macrocallback)\b/ },
      where: { has: { kind: 'call' } },
    },
  ],
  attached: {
    kinds: ['unary_operator'],
    ends: /\S/,
    text: /^@(?:doc|spec|impl|typedoc|deprecated|since|dialyzer)\b/,
  },
  importText: /^(?:use|alias|import|require|@moduledoc|@behaviour)\b/,
  comments: ['comment'],
  docs: { line: /^#/, attached: /^@(?:type)?doc\s+(?:~[sS])?(?:"""|")/ },
  exported: {},
  merge: 'clauses',
};
