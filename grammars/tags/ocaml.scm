; OCaml.

(module_definition (module_binding (module_name) @name)) @definition.module
(module_type_definition (module_type_name) @name) @definition.interface
(type_definition . (type_binding name: (type_constructor) @name)) @definition.type
(type_binding name: (type_constructor) @name) @definition.type
(constructor_declaration (constructor_name) @name) @definition.enum-member
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.class
(field_declaration (field_name) @name) @definition.field
(class_binding (class_name) @name) @definition.class
(class_type_binding (class_type_name) @name) @definition.interface
(method_definition (method_name) @name) @definition.method
(method_specification (method_name) @name) @definition.method
(external (value_name) @name) @definition.function
(value_specification (value_name) @name) @definition.function
; The first of `let … and …` begins with its word.
(value_definition . (let_binding pattern: (value_name) @name (parameter))) @definition.function
(let_binding pattern: (value_name) @name (parameter)) @definition.function
(value_definition . (let_binding pattern: (parenthesized_operator) @name)) @definition.function
(value_definition
  . (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)])) @definition.function
(let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)]) @definition.function
(compilation_unit (value_definition . (let_binding pattern: (value_name) @name)) @definition.constant)
(structure (value_definition . (let_binding pattern: (value_name) @name)) @definition.constant)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @definition.constant))
(structure (value_definition (let_binding pattern: (value_name) @name) @definition.constant))
(polymorphic_variant_type (tag) @name @definition.enum-member (#strip! @name "^`"))
(tag_specification (tag) @name (#strip! @name "^`")) @definition.enum-member

(open_module module: (module_path (module_name) @name .)) @reference.include
(application_expression function: (value_path (value_name) @name)) @reference.call
(value_path (value_name) @name) @reference.read
(type_constructor_path (type_constructor) @name) @reference.type
(constructor_path (constructor_name) @name) @reference.read
(method_invocation (method_name) @name) @reference.call
(module_path (module_name) @name .) @reference.read
