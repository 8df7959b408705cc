/**
 * The arguments of a call as JSON text while the call is still being written, so that a file can be seen as it grows.
 * What is given out is never taken back: all pieces so far are the start of the final text, which is the JSON of what
 * `mapCall` gives, if that finds nothing wrong. Time is linear, also with pieces of one unit. A line break that may be the
 * last of a limited body is held back, since it may not belong to the value.
 */

import { CR, isHigh, QUOTE } from '../unit.ts';
import { createUnescaper, escapeBody } from '../write/escape.ts';
import { isLimitedBody, lastBreak } from './body-break.ts';
import { type HeaderArgs, readHeader } from './header-args.ts';
import { mapCall } from './map.ts';
import type { ToolPlan } from './plan.ts';
import { JSON_ARGS } from './tool-name.ts';
import { getOwn } from './value.ts';

export interface PartialArgs {
  /** Call it once, first: with the header's arguments. Returns the next piece of the JSON text, as the others do. */
  readonly start: (rawArgs: string) => string;
  /** A piece of the body, with its escapes. */
  readonly body: (piece: string) => string;
  /** The call is complete. Do not call it for one that is not: its text then stays open. */
  readonly end: () => string;
}

/** For one call of the tool. */
export function partialArgs(plan: ToolPlan): PartialArgs {
  const unescaper = createUnescaper();
  let form: Form | undefined;

  function started(): Form {
    if (form === undefined)
      throw new TypeError('the arguments of a call start with its header: call start(rawArgs) first');
    return form;
  }

  return {
    start(rawArgs) {
      const raw = rawArgs.trim();
      form = plan.json || raw === JSON_ARGS ? jsonForm() : headerForm(raw, plan);
      return form.start();
    },
    body: (piece) => started().text(unescaper.push(piece)),
    end: () => started().text(unescaper.end()) + started().end(),
  };
}

/** Where the JSON text comes from; bodies come without escapes here. */
interface Form {
  readonly start: () => string;
  readonly text: (piece: string) => string;
  readonly end: () => string;
}

/** The object of a JSON body as it stands: from its `{` to the `}` that closes it. */
function jsonForm(): Form {
  let depth = 0;
  let inText = false;
  let escaped = false;
  let state: 'before' | 'inside' | 'behind' = 'before';
  let blank = true;

  function text(piece: string): string {
    if (state === 'behind') return '';
    let from = 0;
    if (state === 'before') {
      blank &&= !/\S/.test(piece);
      from = piece.indexOf('{');
      if (from < 0) return '';
      state = 'inside';
    }
    for (let at = from; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      if (escaped) escaped = false;
      else if (inText) {
        if (unit === 0x5c) escaped = true;
        else if (unit === QUOTE) inText = false;
      } else if (unit === QUOTE) inText = true;
      else if (unit === 0x7b || unit === 0x5b) depth++;
      else if ((unit === 0x7d || unit === 0x5d) && --depth === 0) {
        state = 'behind';
        return piece.slice(from, at + 1);
      }
    }
    return piece.slice(from);
  }

  return { start: () => '', text, end: () => (blank ? '{}' : '') };
}

/** Header parameters, then the body as the string it is. */
function headerForm(raw: string, plan: ToolPlan): Form {
  const { body } = plan;
  const header = readHeader(raw, plan, true);
  /** The body so far, while the header has a value for it: that counts only if the body stays blank. */
  let held = header.body === undefined ? undefined : '';
  let before = members(header, plan);
  let inBody = false;
  /** What is not given out yet: the first half of a character, when a piece ends in the middle of it; or a line break. */
  let kept = '';
  const isLimited = isLimitedBody(plan);
  /** All of a limited body. */
  let whole = '';

  function openBody(): string {
    if (inBody || body === undefined) return '';
    inBody = true;
    return `${before === '' ? '' : ','}${JSON.stringify(body.name)}:"`;
  }

  function open(): string {
    return `{${before}${body?.required ? openBody() : ''}`;
  }

  function text(piece: string): string {
    if (body === undefined || piece === '') return '';
    if (held === undefined) return write(piece);
    held += piece;
    if (!/\S/.test(piece)) return '';
    const all = held;
    held = undefined;
    before = members(readHeader(raw, plan, false), plan);
    return open() + write(all);
  }

  function write(piece: string): string {
    const all = kept + piece;
    const last = all.charCodeAt(all.length - 1);
    if (isLimited) whole += piece;
    if (isHigh(last) || (isLimited && last === CR)) kept = all.slice(-1);
    else kept = isLimited ? lastBreak(all) : '';
    const rest = kept === '' ? all : all.slice(0, -kept.length);
    return rest === '' ? '' : openBody() + JSON.stringify(rest).slice(1, -1);
  }

  /** Whether the value is the body without its last line break. */
  function dropsBreak(): boolean {
    if (body === undefined || lastBreak(kept) === '') return false;
    const { args } = mapCall({ toolName: plan.name, rawArgs: raw, body: escapeBody(whole) }, plan);
    return getOwn(args, body.name) !== whole;
  }

  function end(): string {
    if (held !== undefined) return `${open()}${openBody()}${JSON.stringify(header.body).slice(1)}}`;
    const rest = dropsBreak() ? '' : kept;
    const last = kept === '' ? '' : openBody() + JSON.stringify(rest).slice(1, -1);
    return `${last}${inBody ? '"' : ''}}`;
  }

  return { start: () => (held === undefined ? open() : ''), text, end };
}

function members({ values }: HeaderArgs, plan: ToolPlan): string {
  const given = plan.header.filter(({ name }) => values.has(name));
  return given.map(({ name }) => `${JSON.stringify(name)}:${JSON.stringify(values.get(name))}`).join(',');
}
