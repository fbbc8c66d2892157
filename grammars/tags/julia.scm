; Julia.

(module_definition name: (identifier) @name) @definition.module
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])])) @definition.struct
(abstract_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])])) @definition.interface
(primitive_definition (type_head [(identifier) @name (binary_expression . (identifier) @name)])) @definition.type
(struct_definition [
  (identifier) @name @definition.field
  (typed_expression . (identifier) @name) @definition.field
  (const_statement (typed_expression . (identifier) @name)) @definition.field])

(function_definition (signature [
  (identifier) @name
  (call_expression . [(identifier) @name (field_expression (identifier) @name .) (parametrized_type_expression . (identifier) @name)])
  (typed_expression . (call_expression . [(identifier) @name (field_expression (identifier) @name .) (parametrized_type_expression . (identifier) @name)]))
  (where_expression . (call_expression . [(identifier) @name (field_expression (identifier) @name .) (parametrized_type_expression . (identifier) @name)]))
  (where_expression . (typed_expression . (call_expression . [(identifier) @name (field_expression (identifier) @name .) (parametrized_type_expression . (identifier) @name)])))
  ])) @definition.function
(macro_definition (signature (call_expression . (identifier) @name))) @definition.macro
(assignment . [
  (call_expression . [(identifier) @name (field_expression (identifier) @name .) (parametrized_type_expression . (identifier) @name)])
  (typed_expression . (call_expression . [(identifier) @name (field_expression (identifier) @name .) (parametrized_type_expression . (identifier) @name)]))
  (where_expression . (call_expression . [(identifier) @name (field_expression (identifier) @name .) (parametrized_type_expression . (identifier) @name)]))
  ]) @definition.function
(assignment . (identifier) @name (arrow_function_expression)) @definition.function
(const_statement (assignment . (identifier) @name)) @definition.constant
(source_file (assignment . (identifier) @name) @definition.variable)
(module_definition (assignment . (identifier) @name) @definition.variable)
(macrocall_expression (macro_identifier (identifier) @_macro) (macro_argument_list . (identifier) @name) (#eq? @_macro "enum")) @definition.enum
(macrocall_expression
  (macro_identifier (identifier) @_macro) (macro_argument_list (identifier) (identifier) @name @definition.enum-member)
  (#eq? @_macro "enum"))

(call_expression
  . (identifier) @_include (argument_list . (string_literal (content) @name)) (#eq? @_include "include")) @reference.include
(call_expression . (identifier) @name (#not-eq? @name "include")) @reference.call
(call_expression . (field_expression (identifier) @name .)) @reference.call
(macrocall_expression (macro_identifier (identifier) @name)) @reference.call
(typed_expression (_) (identifier) @name .) @reference.type
(type_head (binary_expression (operator) . (identifier) @name)) @reference.extends
