// The lines of a `.too` file: where they start and end, how deep they are, and the text that is not tokens.
//
// The grammar reads what stands within a line; this file reads everything that depends on lines. Rules it keeps:
//
// 1. No token but the error token ever covers a control character or a lone CR, so that one of these anywhere is an error.
// 2. Every line with tokens opens with one of _item_start, _indent and _property_indent, and closes with _line_end, which is
//    empty and stands before trailing blanks and comment. A line break is given only after that (or in a fence), so that
//    it can be an extra and still never splits a header.
// 3. Whatever is read far ahead is given as a token, even when it is wrong (an unclosed fence is content to the end of the
//    file); other lookahead stays within blank lines and one more line. So reading is linear in the size of the file.
// 4. In error recovery (all tokens are valid) nothing is given that was refused before it, because extras are valid
//    everywhere and would hide the error. What nothing else takes becomes the error token, up to the end of its line.
// 5. Empty tokens always change the mode, so that none is given twice in one place.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

enum Token {
  LINE_BREAK,
  COMMENT,
  LINE_END,
  ITEM_START,
  INDENT,
  PROPERTY_INDENT,
  RAW_TEXT,
  INLINE_TEXT,
  BLOCK_NAME,
  PROPERTY_VALUE,
  FENCE_OPEN,
  FRONTMATTER,
  FENCE_CONTENT,
  FENCE_CLOSE,
  ERROR_TOKEN,
};

enum Mode {
  LINE_START,   // in column 0 of a line that is not blank (at the start of the file it may be)
  IN_LINE,      // among the tokens of a line
  AFTER_END,    // after the last token of a line: blanks, a comment, the line break
  FENCE_TOP,    // in column 0 of the first line of a fence, which is not its last
  FENCE_BODY,   // in column 0 after frontmatter, on a line that does not close the fence
  FENCE_SPLIT,  // after frontmatter or content: the line break
  FENCE_LAST,   // in column 0 of the line that closes the fence
};

typedef struct {
  uint32_t indent;  // width of the indent of the current line, or of the last one with tokens
  uint32_t fence;   // number of backticks of the open fence, 0 when there is none
  uint8_t mode;
  bool ended;      // a line that is not deeper than the last one with tokens has come: it has no block of lines
  bool no_deeper;  // the last line has its value on it: the next one must not be deeper
} Scanner;

enum FenceLine { FENCE_OTHER, FENCE_CLOSING, FENCE_BAD };

// What a line opens with, as far as a cap's body is concerned.
enum CapLine { CAP_TEXT, CAP_PROPERTY, CAP_WRONG_OPERATOR };

static inline void take(TSLexer *lexer) { lexer->advance(lexer, false); }

static inline void skip(TSLexer *lexer) { lexer->advance(lexer, true); }

static inline bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\f'; }

static inline bool is_name_start(int32_t c) { return c >= 'a' && c <= 'z'; }

static inline bool is_name_part(int32_t c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

// A character that may stand in text. The end of the file reads as 0, as NUL does, and neither is text.
static inline bool is_text(int32_t c) {
  if (c < 0x20) return c == '\t' || c == '\f';
  return c < 0x7f || c > 0x9f;
}

static inline uint32_t widen(uint32_t width, int32_t blank) {
  if (blank == ' ') return width + 1;
  if (blank == '\t') return width - width % 8 + 8;
  return width;
}

static void take_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) take(lexer);
}

static uint32_t take_indent(TSLexer *lexer) {
  uint32_t width = 0;
  for (; is_blank(lexer->lookahead); take(lexer)) width = widen(width, lexer->lookahead);
  return width;
}

// Takes LF or CRLF. A lone CR is taken too, and is not a line break: callers must have marked the end before.
static bool take_line_break(TSLexer *lexer) {
  if (lexer->lookahead == '\r') take(lexer);
  else if (lexer->lookahead != '\n') return false;
  if (lexer->lookahead != '\n') return false;
  take(lexer);
  return true;
}

static void take_text_of_line(TSLexer *lexer) {
  while (is_text(lexer->lookahead)) take(lexer);
}

static uint32_t take_backticks(TSLexer *lexer) {
  uint32_t count = 0;
  for (; lexer->lookahead == '`'; take(lexer)) count++;
  return count;
}

static bool give(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

// Whether the line that begins here closes the fence: it is bad when it would, but for a lone CR. Reads a part of it.
static enum FenceLine take_fence_line(Scanner *self, TSLexer *lexer) {
  take_blanks(lexer);
  if (take_backticks(lexer) < self->fence) return FENCE_OTHER;
  take_blanks(lexer);
  if (lexer->lookahead == '\r' || lexer->lookahead == '\n') return take_line_break(lexer) ? FENCE_CLOSING : FENCE_BAD;
  return lexer->eof(lexer) ? FENCE_CLOSING : FENCE_OTHER;
}

// ---- lines

static bool scan_comment(Scanner *self, TSLexer *lexer) {
  take_text_of_line(lexer);
  lexer->mark_end(lexer);
  self->mode = AFTER_END;
  return give(lexer, COMMENT);
}

// The line break and the blank lines after it, up to column 0 of a line that is not blank.
static bool scan_line_break(Scanner *self, TSLexer *lexer) {
  uint32_t width;
  if (!take_line_break(lexer)) return false;
  do {
    lexer->mark_end(lexer);
    width = take_indent(lexer);
  } while (take_line_break(lexer));
  if (width <= self->indent) self->ended = true;
  self->mode = LINE_START;
  return give(lexer, LINE_BREAK);
}

// The line break within a fence; blank lines are content there.
static bool scan_fence_line_break(Scanner *self, TSLexer *lexer, enum Mode next) {
  if (!take_line_break(lexer)) return false;
  lexer->mark_end(lexer);
  self->mode = take_fence_line(self, lexer) == FENCE_CLOSING ? FENCE_LAST : next;
  return give(lexer, LINE_BREAK);
}

static bool scan_after_end(Scanner *self, TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) skip(lexer);
  if (lexer->lookahead == '#') return scan_comment(self, lexer);
  return self->fence > 0 ? scan_fence_line_break(self, lexer, FENCE_TOP) : scan_line_break(self, lexer);
}

// ---- text on a line

// `at_block_name` tells whether a name alone is a reference and not text.
static bool scan_text(Scanner *self, TSLexer *lexer, enum Token token, bool at_block_name) {
  bool is_name = is_name_start(lexer->lookahead);
  int32_t last = 0;
  bool after_blank = false;
  while (is_text(lexer->lookahead) && !(after_blank && lexer->lookahead == '#')) {
    int32_t c = lexer->lookahead;
    take(lexer);
    if (is_blank(c)) {
      after_blank = true;
      continue;
    }
    if (after_blank || !is_name_part(c)) is_name = false;
    after_blank = false;
    last = c;
    lexer->mark_end(lexer);
  }
  if (token != PROPERTY_VALUE) self->no_deeper = true;
  if (at_block_name && is_name && last != '-') token = BLOCK_NAME;
  return give(lexer, token);
}

static bool scan_in_line(Scanner *self, TSLexer *lexer, const bool *valid) {
  lexer->mark_end(lexer);
  while (is_blank(lexer->lookahead)) skip(lexer);
  bool at_value = valid[PROPERTY_VALUE] && !valid[ERROR_TOKEN];
  bool at_block = valid[INLINE_TEXT] && !valid[ERROR_TOKEN];
  bool at_fence = valid[FENCE_OPEN] && !valid[ERROR_TOKEN];

  if (lexer->lookahead == '#' || lexer->lookahead == '\r' || lexer->lookahead == '\n' || lexer->eof(lexer)) {
    if (!valid[LINE_END]) return false;
    if (lexer->lookahead != '#' && !lexer->eof(lexer) && !take_line_break(lexer)) return false;
    self->mode = AFTER_END;
    return give(lexer, LINE_END);
  }
  if (at_fence && lexer->lookahead == '`') {
    uint32_t count = take_backticks(lexer);
    lexer->mark_end(lexer);
    if (count >= 3) {
      self->fence = count;
      return give(lexer, FENCE_OPEN);
    }
    return at_block && scan_text(self, lexer, INLINE_TEXT, false);
  }
  if (!is_text(lexer->lookahead)) return false;
  if (at_block) return scan_text(self, lexer, INLINE_TEXT, valid[BLOCK_NAME]);
  if (at_value) return scan_text(self, lexer, PROPERTY_VALUE, false);
  return false;
}

// ---- lines of a block

static enum CapLine take_cap_key(TSLexer *lexer) {
  if (!is_name_start(lexer->lookahead)) return CAP_TEXT;
  uint32_t dashes = 0;
  for (; is_name_part(lexer->lookahead); take(lexer)) dashes = lexer->lookahead == '-' ? dashes + 1 : 0;
  // A name does not end in `-`: what follows it here is `-=`, or the line is text.
  if (dashes > 0) return dashes == 1 && lexer->lookahead == '=' ? CAP_WRONG_OPERATOR : CAP_TEXT;
  take_blanks(lexer);
  if (lexer->lookahead == '=') {
    take(lexer);
    return lexer->lookahead == '=' ? CAP_TEXT : CAP_PROPERTY;
  }
  if (lexer->lookahead != '+' && lexer->lookahead != '-') return CAP_TEXT;
  take(lexer);
  return lexer->lookahead == '=' ? CAP_WRONG_OPERATOR : CAP_TEXT;
}

// The rest of a line that belongs to the block, and the lines after it that do.
static bool scan_raw_text(Scanner *self, TSLexer *lexer) {
  self->mode = AFTER_END;
  for (;;) {
    take_text_of_line(lexer);
    lexer->mark_end(lexer);
    uint32_t width;
    do {
      if (!take_line_break(lexer)) return give(lexer, RAW_TEXT);
      width = take_indent(lexer);
    } while (lexer->lookahead == '\n' || lexer->lookahead == '\r');
    if (width <= self->indent || lexer->eof(lexer)) return give(lexer, RAW_TEXT);
  }
}

// The first line of a block: it is known to be deeper, and its blanks are a part of the text.
static bool scan_block(Scanner *self, TSLexer *lexer, bool in_cap) {
  take_blanks(lexer);
  lexer->mark_end(lexer);
  if (lexer->eof(lexer)) return false;
  enum CapLine line = in_cap ? take_cap_key(lexer) : CAP_TEXT;
  if (line == CAP_TEXT) return scan_raw_text(self, lexer);
  if (line == CAP_WRONG_OPERATOR) return false;
  self->mode = IN_LINE;
  return give(lexer, PROPERTY_INDENT);
}

static bool scan_line_start(Scanner *self, TSLexer *lexer, const bool *valid) {
  bool in_column_0 = !is_blank(lexer->lookahead);
  uint32_t width = 0;
  if (valid[RAW_TEXT] && !valid[ERROR_TOKEN] && !self->ended) return scan_block(self, lexer, valid[PROPERTY_INDENT]);
  for (; is_blank(lexer->lookahead); skip(lexer)) width = widen(width, lexer->lookahead);
  lexer->mark_end(lexer);
  if (lexer->eof(lexer)) return false;
  if (lexer->lookahead == '#') return scan_comment(self, lexer);
  // Only the first lines of a file are blank here.
  if (lexer->lookahead == '\n' || lexer->lookahead == '\r') return scan_line_break(self, lexer);
  if (!is_text(lexer->lookahead)) return false;
  if (in_column_0) {
    if (!valid[ITEM_START]) return false;
    self->indent = 0;
  } else {
    if (!valid[INDENT] || width == 0 || (self->no_deeper && width > self->indent)) return false;
    self->indent = width;
  }
  self->mode = IN_LINE;
  self->ended = false;
  self->no_deeper = false;
  return give(lexer, in_column_0 ? ITEM_START : INDENT);
}

// ---- fences

// `---` and blanks up to the end of the line, which stays. Has read a part of the line in any case.
static bool take_dashes(TSLexer *lexer) {
  for (int i = 0; i < 3; i++) {
    if (lexer->lookahead != '-') return false;
    take(lexer);
  }
  take_blanks(lexer);
  return lexer->lookahead == '\n' || lexer->lookahead == '\r' || lexer->eof(lexer);
}

// From anywhere in a line of content to the end of the last line before the closing one.
static bool scan_fence_content(Scanner *self, TSLexer *lexer, enum Token token) {
  self->mode = FENCE_SPLIT;
  do {
    take_text_of_line(lexer);
    lexer->mark_end(lexer);
  } while (take_line_break(lexer) && !lexer->eof(lexer) && take_fence_line(self, lexer) == FENCE_OTHER);
  return give(lexer, token);
}

// From the end of the opening `---` line to the end of the closing one. When the fence ends first, the error token.
static bool scan_frontmatter(Scanner *self, TSLexer *lexer) {
  self->mode = FENCE_SPLIT;
  lexer->mark_end(lexer);
  while (take_line_break(lexer)) {
    take_blanks(lexer);
    // Backticks behind dashes are text.
    bool dashed = lexer->lookahead == '-';
    if (dashed && take_dashes(lexer)) {
      lexer->mark_end(lexer);
      return give(lexer, FRONTMATTER);
    }
    if (!dashed && lexer->lookahead == '`' && take_fence_line(self, lexer) != FENCE_OTHER) break;
    take_text_of_line(lexer);
    lexer->mark_end(lexer);
  }
  return give(lexer, ERROR_TOKEN);
}

static bool scan_fence_top(Scanner *self, TSLexer *lexer, const bool *valid) {
  if (lexer->eof(lexer) || !valid[FENCE_CONTENT]) return false;
  if (valid[FRONTMATTER] && !valid[ERROR_TOKEN]) {
    take_blanks(lexer);
    if (take_dashes(lexer)) return scan_frontmatter(self, lexer);
  }
  return scan_fence_content(self, lexer, FENCE_CONTENT);
}

static bool scan_fence_close(Scanner *self, TSLexer *lexer, const bool *valid) {
  if (!valid[FENCE_CLOSE]) return false;
  while (is_blank(lexer->lookahead)) skip(lexer);
  take_backticks(lexer);
  lexer->mark_end(lexer);
  self->mode = IN_LINE;
  self->fence = 0;
  return give(lexer, FENCE_CLOSE);
}

// ---- all of it

static bool scan(Scanner *self, TSLexer *lexer, const bool *valid) {
  switch (self->mode) {
    case LINE_START:
      return scan_line_start(self, lexer, valid);
    case IN_LINE:
      return scan_in_line(self, lexer, valid);
    case AFTER_END:
      return scan_after_end(self, lexer);
    case FENCE_TOP:
      return scan_fence_top(self, lexer, valid);
    case FENCE_BODY:
      return !lexer->eof(lexer) && valid[FENCE_CONTENT] && scan_fence_content(self, lexer, FENCE_CONTENT);
    case FENCE_SPLIT:
      return scan_fence_line_break(self, lexer, FENCE_BODY);
    default:
      return scan_fence_close(self, lexer, valid);
  }
}

// What nothing else takes, to the end of the line, or in a fence to the end of its content.
static bool scan_error(Scanner *self, TSLexer *lexer) {
  if (self->mode >= FENCE_TOP) {
    take(lexer);
    return scan_fence_content(self, lexer, ERROR_TOKEN);
  }
  while (lexer->lookahead != '\n' && !lexer->eof(lexer)) {
    bool is_return = lexer->lookahead == '\r';
    take(lexer);
    if (!is_return || lexer->lookahead != '\n') lexer->mark_end(lexer);
  }
  if (self->mode == LINE_START) self->mode = IN_LINE;
  return give(lexer, ERROR_TOKEN);
}

void *tree_sitter_toolang_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_toolang_external_scanner_destroy(void *payload) { ts_free(payload); }

bool tree_sitter_toolang_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  bool at_eof = lexer->eof(lexer);
  if (scan(payload, lexer, valid)) return true;
  return valid[ERROR_TOKEN] && !at_eof && scan_error(payload, lexer);
}

static void write_number(char *buffer, uint32_t number) {
  for (int i = 0; i < 4; i++) buffer[i] = (char)(number >> (8 * i) & 0xff);
}

static uint32_t read_number(const char *buffer) {
  uint32_t number = 0;
  for (int i = 0; i < 4; i++) number |= (uint32_t)(uint8_t)buffer[i] << (8 * i);
  return number;
}

unsigned tree_sitter_toolang_external_scanner_serialize(void *payload, char *buffer) {
  Scanner *self = payload;
  write_number(buffer, self->indent);
  write_number(buffer + 4, self->fence);
  buffer[8] = (char)self->mode;
  buffer[9] = (char)(self->ended | self->no_deeper << 1);
  return 10;
}

void tree_sitter_toolang_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *self = payload;
  bool known = length == 10;
  self->indent = known ? read_number(buffer) : 0;
  self->fence = known ? read_number(buffer + 4) : 0;
  self->mode = known ? (uint8_t)buffer[8] : LINE_START;
  self->ended = known && buffer[9] & 1;
  self->no_deeper = known && buffer[9] & 2;
}
