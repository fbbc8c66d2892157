; Groovy, and Gradle's tasks.

(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.class
(enum_constant name: (identifier) @name) @definition.enum-member
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(function_definition name: (_) @name) @definition.function
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(program (local_variable_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.variable)
(juxt_function_call name: (identifier) @_task args: (argument_list . (identifier) @name) (#eq? @_task "task")) @definition.function
(method_invocation
  object: (identifier) @_tasks name: (identifier) @_maker
  arguments: (argument_list . [(string_literal) (character_literal)] @name)
  (#eq? @_tasks "tasks") (#any-of? @_maker "register" "create")) @definition.function

(juxt_function_call
  name: (identifier) @_apply args: (argument_list (map_item key: (identifier) @_from value: [(string_literal) (character_literal)] @name))
  (#eq? @_apply "apply") (#eq? @_from "from")) @reference.include
(method_invocation name: (identifier) @name) @reference.call
(juxt_function_call name: (identifier) @name) @reference.call
(object_creation_expression type: (type_identifier) @name) @reference.new
(superclass (type_identifier) @name) @reference.extends
(super_interfaces (type_list (type_identifier) @name)) @reference.implements
(marker_annotation name: (identifier) @name) @reference.decorator
(annotation name: (identifier) @name) @reference.decorator
(field_declaration type: (type_identifier) @name (#not-any-of? @name "def" "var")) @reference.type
(formal_parameter type: (type_identifier) @name (#not-any-of? @name "def" "var")) @reference.type
(method_declaration type: (type_identifier) @name (#not-any-of? @name "def" "var")) @reference.type
(local_variable_declaration type: (type_identifier) @name (#not-any-of? @name "def" "var")) @reference.type
