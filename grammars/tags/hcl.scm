; HCL: Terraform, OpenTofu, Packer, Nomad. Names are addresses: `var.region`, `aws_instance.web`, `data.aws_ami.base`, `module.network`.

(config_file (body (block
  (identifier) @_block . (string_lit (template_literal) @name) . (block_start)) @definition.variable
  (#eq? @_block "variable") (#set! scope "var")))

(config_file (body (block
  (identifier) @_block . (string_lit (template_literal) @name) . (block_start)) @definition.property
  (#eq? @_block "output") (#set! scope "output")))

(config_file (body (block
  (identifier) @_block . (string_lit (template_literal) @name) . (block_start)) @definition.module
  (#eq? @_block "module") (#set! scope "module")))

(config_file (body (block
  (identifier) @_block (body (attribute (identifier) @name) @definition.constant))
  (#eq? @_block "locals") (#set! scope "local")))

(config_file (body (block
  (identifier) @_block . (string_lit (template_literal) @scope) . (string_lit (template_literal) @name)) @definition.object
  (#eq? @_block "resource")))

; Other blocks have their own word before their labels.
(config_file (body (block
  (identifier) @scope . (string_lit (template_literal) @scope) . (string_lit (template_literal) @name)) @definition.object))

(config_file (body (block
  (identifier) @scope . (string_lit (template_literal) @name) . (block_start)) @definition.object))

(block
  (identifier) @_block
  (body (attribute
    (identifier) @_key
    (expression (literal_value (string_lit (template_literal) @name)))) @reference.import)
  (#eq? @_block "module") (#eq? @_key "source"))

; Operands of operators stand in no expression of their own.
([
  (expression (variable_expr (identifier) @_root) . (get_attr (identifier) @scope) . (get_attr (identifier) @name @reference.read))
  (binary_operation (variable_expr (identifier) @_root) . (get_attr (identifier) @scope) . (get_attr (identifier) @name @reference.read))
  (unary_operation (variable_expr (identifier) @_root) . (get_attr (identifier) @scope) . (get_attr (identifier) @name @reference.read))]
  (#eq? @_root "data") (#set! scope "data"))

([
  (expression (variable_expr (identifier) @scope) . (get_attr (identifier) @name @reference.read))
  (binary_operation (variable_expr (identifier) @scope) . (get_attr (identifier) @name @reference.read))
  (unary_operation (variable_expr (identifier) @scope) . (get_attr (identifier) @name @reference.read))]
  (#not-any-of? @scope "data" "each" "count" "self" "path" "terraform"))

; Outputs of a module that is called here, and its variables, which the call sets.
([
  (expression (variable_expr (identifier) @_root) . (get_attr (identifier) @scope) . (get_attr (identifier) @name @reference.read))
  (binary_operation (variable_expr (identifier) @_root) . (get_attr (identifier) @scope) . (get_attr (identifier) @name @reference.read))
  (unary_operation (variable_expr (identifier) @_root) . (get_attr (identifier) @scope) . (get_attr (identifier) @name @reference.read))]
  (#eq? @_root "module") (#set! scope "module"))

(config_file (body (block
  (identifier) @_block . (string_lit (template_literal) @scope) . (block_start)
  (body (attribute (identifier) @name @reference.write))) )
  (#eq? @_block "module") (#set! scope "module")
  (#not-any-of? @name "source" "version" "count" "for_each" "providers" "depends_on"))

(function_call (identifier) @name @reference.call)
