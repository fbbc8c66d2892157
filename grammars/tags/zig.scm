; Zig.

(function_declaration name: (identifier) @name) @definition.function
(function_signature name: (identifier) @name) @definition.function
(variable_declaration . (identifier) @name [(struct_declaration) (opaque_declaration)]) @definition.struct
(variable_declaration . (identifier) @name (union_declaration)) @definition.struct
(variable_declaration . (identifier) @name (enum_declaration)) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration)) @definition.enum
(enum_declaration (container_field name: (identifier) @name) @definition.enum-member)
(error_set_declaration (identifier) @name @definition.enum-member)
(container_field name: (identifier) @name) @definition.field
(source_file (variable_declaration "const" . (identifier) @name) @definition.constant)
(source_file (variable_declaration "var" . (identifier) @name) @definition.variable)
(struct_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
(union_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
(enum_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
(test_declaration [(string (string_content) @name) (identifier) @name]) @definition.function

(builtin_function
  (builtin_identifier) @_builtin (arguments . (string (string_content) @name))
  (#eq? @_builtin "@import")) @reference.include
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression member: (identifier) @name)) @reference.call
(struct_initializer . (identifier) @name) @reference.new
(parameter type: (_ (identifier) @name @reference.type))
(parameter type: (identifier) @name @reference.type)
(field_expression member: (identifier) @name) @reference.read
