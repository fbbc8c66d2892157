; PowerShell.

(function_statement (function_name) @name (#strip! @name "^(?:global|script|local|private):")) @definition.function
(class_statement . (simple_name) @name) @definition.class
(class_method_definition (simple_name) @name) @definition.method
(class_property_definition (variable) @name (#strip! @name "^[$]")) @definition.property
(enum_statement . (simple_name) @name) @definition.enum
(enum_member . (simple_name) @name) @definition.enum-member

(program (statement_list (pipeline
  (assignment_expression (left_assignment_expression) @name) @definition.variable)
  (#match? @name "^(?:\\[[\\w.]+\\])?\\$[\\w:]+$") (#strip! @name "^(?:\\[[\\w.]+\\])?\\$(?:global:|script:)?")))

(command
  (command_invokation_operator) @_dot . command_name: (command_name_expr) @name
  (#eq? @_dot ".") (#strip! @name "^[$]PSScriptRoot[\\\\/]")) @reference.include

(command command_name: (command_name) @name) @reference.call
(invokation_expression (member_name (simple_name) @name)) @reference.call
(member_access (member_name (simple_name) @name)) @reference.read
(class_statement . (simple_name) . (simple_name) @name @reference.extends)
(type_literal (type_spec (type_name) @name)) @reference.type
