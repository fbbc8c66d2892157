; Solidity.

(contract_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(library_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(struct_member name: (identifier) @name) @definition.field
(enum_declaration name: (identifier) @name) @definition.enum
(enum_declaration body: (enum_body (enum_value) @name @definition.enum-member))
(event_definition name: (identifier) @name) @definition.type
(error_declaration name: (identifier) @name) @definition.type
(user_defined_type_definition name: (identifier) @name) @definition.type
(function_definition name: (identifier) @name) @definition.function
(modifier_definition name: (identifier) @name) @definition.method
(constructor_definition "constructor" @name) @definition.constructor
(fallback_receive_definition ["fallback" "receive"] @name) @definition.method
(state_variable_declaration name: (identifier) @name) @definition.field
(constant_variable_declaration name: (identifier) @name) @definition.constant

(import_directive source: (string) @name) @reference.include
(call_expression function: (expression (identifier) @name)) @reference.call
(call_expression function: (expression (member_expression property: (identifier) @name))) @reference.call
(emit_statement name: (expression (identifier) @name)) @reference.call
(revert_statement error: (expression (identifier) @name)) @reference.call
(modifier_invocation (identifier) @name) @reference.decorator
(inheritance_specifier ancestor: (user_defined_type (identifier) @name .)) @reference.extends
(user_defined_type (identifier) @name .) @reference.type
(new_expression name: (type_name (user_defined_type (identifier) @name .))) @reference.new
(member_expression property: (identifier) @name) @reference.read
