; Texts for people and models are Markdown; frontmatter is YAML.

((raw_text) @injection.content
  (#set! injection.language "markdown"))

((fence_content) @injection.content
  (#set! injection.language "markdown"))

((frontmatter) @injection.content
  (#set! injection.language "yaml"))
