; What is defined where, and what refers to it.

(struct name: (type_name) @name) @definition.class
(field name: (value_name) @name) @definition.field
(thunk name: (value_name) @name) @definition.function
(psyche name: (value_name) @name) @definition.constant
(skill name: (value_name) @name) @definition.constant
(service name: (value_name) @name) @definition.constant
(prompt name: (value_name) @name) @definition.constant
(context name: (value_name) @name) @definition.constant
(instruct name: (value_name) @name) @definition.constant

(type (type_name) @name) @reference.class
(block_name) @name @reference.constant
((directive
  (directive_key) @_key
  (bare_value) @name @reference.call)
  (#any-of? @_key "hands" "handoffs"))
