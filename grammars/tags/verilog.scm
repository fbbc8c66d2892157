; Verilog and SystemVerilog.

(module_declaration (module_header (simple_identifier) @name)) @definition.module
(interface_declaration (_ (interface_identifier) @name)) @definition.interface
(program_declaration (_ (program_identifier) @name)) @definition.module
(package_declaration . (package_identifier) @name) @definition.namespace
(class_declaration (class_identifier) @name) @definition.class
(function_declaration (function_body_declaration (function_identifier) @name)) @definition.function
(task_declaration (task_body_declaration (task_identifier) @name)) @definition.function
(class_constructor_declaration "new" @name) @definition.constructor
(type_declaration (data_type) (simple_identifier) @name) @definition.type
(enum_name_declaration (enum_identifier) @name) @definition.enum-member
(struct_union_member (list_of_variable_decl_assignments (variable_decl_assignment (simple_identifier) @name))) @definition.field
(param_assignment (parameter_identifier) @name) @definition.constant
(text_macro_definition (text_macro_name (text_macro_identifier) @name)) @definition.macro
(ansi_port_declaration (port_identifier) @name) @definition.field
(net_decl_assignment (simple_identifier) @name) @definition.variable
(module_declaration (_ (package_or_generate_item_declaration (data_declaration
  (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @name) @definition.variable)))))
(interface_declaration (_ (package_or_generate_item_declaration (data_declaration
  (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @name) @definition.field)))))
(class_property (data_declaration
  (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @name) @definition.field)))

(include_compiler_directive (double_quoted_string) @name) @reference.include
(module_instantiation . (simple_identifier) @name) @reference.new
; An instance without parameters looks like one of a checker or of a primitive.
(checker_instantiation . (checker_identifier) @name) @reference.new
(udp_instantiation . (simple_identifier) @name) @reference.new
(tf_call . (simple_identifier) @name) @reference.call
(class_type . (class_identifier) @name) @reference.type
