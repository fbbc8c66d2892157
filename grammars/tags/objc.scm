; Objective-C: what C has, classes, categories, protocols and methods, which are named by the first part of their selector.

(class_interface . (identifier) @name) @definition.class
(class_implementation . (identifier) @name) @definition.impl
(protocol_declaration (identifier) @name) @definition.interface
(method_declaration . (method_type)? . (identifier) @name) @definition.method
(method_definition . (method_type)? . (identifier) @name) @definition.method
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name (pointer_declarator declarator: (identifier) @name)]))) @definition.property
(instance_variable (struct_declaration (struct_declarator [
  (identifier) @name (pointer_declarator declarator: (identifier) @name)]))) @definition.field

(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @definition.function
(translation_unit (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @definition.function)
(translation_unit (declaration declarator: [
  (identifier) @name (pointer_declarator declarator: (identifier) @name)
  (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])]) @definition.variable)
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
(type_definition declarator: [
  (type_identifier) @name
  (block_pointer_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator [
    (pointer_declarator declarator: (type_identifier) @name)
    (block_pointer_declarator declarator: (type_identifier) @name)]))]) @definition.type
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.enum-member
(field_declaration declarator: [
  (field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)]) @definition.field

(preproc_include path: [(string_literal) (system_lib_string)] @name) @reference.include
(message_expression . receiver: (_) . method: (identifier) @name) @reference.call
(call_expression function: (identifier) @name) @reference.call
(selector_expression [(identifier) @name (method_identifier . (identifier) @name)]) @reference.value
(class_interface superclass: (identifier) @name) @reference.extends
(parameterized_arguments (type_name (type_identifier) @name)) @reference.implements
(type_identifier) @name @reference.type
