; What stands under these headers is indented.

[
  (struct)
  (psyche)
  (skill)
  (service)
  (prompt)
  (context)
  (instruct)
  (thunk)
  (context_block)
  (instruct_block)
  (message_block)
] @indent.begin @indent

; The text's own layout counts here.
[
  (raw_text)
  (frontmatter)
  (fence_content)
] @indent.auto

(fence_close) @indent.branch
