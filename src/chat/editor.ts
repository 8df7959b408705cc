/** The line at the end of a chat: what is typed, what was typed before, what Tab offers. It draws nothing itself. */
import { displayWidth, type Painter, printable } from '../text/index.ts';
import { shorten } from '../view/index.ts';
import { begun, commonStart, type Wanted, wantedAt, written } from './completion.ts';
import { type Edit, editKey, editOf, emptyEdit, insert, replaceBefore } from './edit-buffer.ts';
import type { History } from './history.ts';
import { inputArea, moveRow, windowOf } from './input-area.ts';
import type { Key, KeyName } from './key.ts';

export interface EditorOptions {
  readonly history: History;
  /** What may stand there; folders end with a slash. */
  readonly offers: (wanted: Wanted) => Promise<readonly string[]>;
  /** Something else is to be drawn. */
  readonly changed: () => void;
}

export interface Drawn {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

export interface Editor {
  readonly text: () => string;
  /** What is sent off with Enter; undefined where the key was for the text, or means nothing in it. */
  readonly press: (key: Key) => { readonly sent: string } | { readonly key: KeyName } | undefined;
  readonly put: (text: string) => void;
  /** Another text is asked for, until what it gives is called: what stood there stands there again. */
  readonly aside: () => () => void;
  readonly draw: (width: number, most: number, prompt: string, paint: Painter) => Drawn;
}

interface Menu {
  readonly wanted: Wanted;
  readonly offers: readonly string[];
  /** Which is written now; none before the second Tab. */
  readonly at: number;
}

const mostOffers = 8;

export function createEditor({ history, offers, changed }: EditorOptions): Editor {
  let edit: Edit = emptyEdit;
  let menu: Menu | undefined;
  let isAside = false;
  let width = 80;

  async function complete(by: 1 | -1): Promise<void> {
    if (menu) {
      pick(menu, by);
      return;
    }
    const asked = edit;
    const wanted = wantedAt(edit.text, edit.at);
    if (wanted === undefined) return;
    const found = await offers(wanted);
    // Somebody has typed on.
    if (edit !== asked) return;
    const [only, ...more] = found;
    if (only === undefined) menu = { wanted, offers: [], at: -1 };
    else if (more.length === 0) edit = replaceBefore(edit, wanted.from, written(wanted, only));
    else {
      const start = commonStart(found);
      if (start.length > wanted.start.length) edit = replaceBefore(edit, wanted.from, begun(wanted, start));
      menu = { wanted, offers: found, at: -1 };
    }
    changed();
  }

  function pick(open: Menu, by: 1 | -1): void {
    const count = open.offers.length;
    if (count === 0) return;
    const at = open.at === -1 && by === -1 ? count - 1 : (open.at + by + count) % count;
    edit = replaceBefore(edit, open.wanted.from, written(open.wanted, open.offers[at] ?? ''));
    menu = { ...open, at };
    changed();
  }

  function send(): { readonly sent: string } | undefined {
    // A line that ends so goes on in the next.
    if (!isAside && edit.at === edit.text.length && edit.text.endsWith('\\')) {
      edit = editOf(`${edit.text.slice(0, -1)}\n`, edit.taken);
      return undefined;
    }
    const { text } = edit;
    edit = { ...emptyEdit, taken: edit.taken };
    if (!isAside) history.add(text);
    return { sent: text };
  }

  function vertical(by: -1 | 1, isByRow: boolean): void {
    const moved = isByRow ? moveRow(edit, by, width) : undefined;
    if (moved) {
      edit = moved;
      return;
    }
    if (isAside) return;
    const other = by === -1 ? history.before(edit.text) : history.after(edit.text);
    if (other !== undefined) edit = editOf(other, edit.taken);
  }

  function pressKey(name: KeyName): { readonly sent: string } | { readonly key: KeyName } | undefined {
    if (name === 'tab' || name === 'backtab') {
      void complete(name === 'tab' ? 1 : -1);
      return undefined;
    }
    const wasOpen = menu !== undefined;
    menu = undefined;
    if (name === 'escape' && wasOpen) return undefined;
    if (name === 'enter') return send();
    if (name === 'up' || name === 'down') return void vertical(name === 'up' ? -1 : 1, true);
    if (name === 'before' || name === 'after') return void vertical(name === 'before' ? -1 : 1, false);
    if (name === 'end-of-input' && edit.text !== '') {
      edit = editKey(edit, 'delete') ?? edit;
      return undefined;
    }
    const next = editKey(edit, name);
    if (next === undefined) return { key: name };
    edit = next;
    return undefined;
  }

  return {
    text: () => edit.text,
    press(key) {
      if (key.kind === 'key') return pressKey(key.name);
      menu = undefined;
      edit = insert(edit, key.text);
      return undefined;
    },
    put(text) {
      menu = undefined;
      edit = editOf(text, edit.taken);
    },
    aside() {
      const kept = edit;
      edit = emptyEdit;
      menu = undefined;
      isAside = true;
      return () => {
        edit = kept;
        isAside = false;
      };
    },
    draw(columns, most, prompt, paint) {
      const lead = displayWidth(prompt);
      width = Math.max(8, columns - lead);
      const area = inputArea(edit, width);
      const { from, to } = windowOf(area.rows.length, area.row, most);
      const rows = area.rows
        .slice(from, to)
        .map(({ text }, i) => (from + i === 0 ? paint.bold(prompt) : ' '.repeat(lead)) + text);
      return {
        rows: [...rows, ...(menu ? menuRows(menu, columns, paint) : [])],
        row: area.row - from,
        column: lead + area.column,
      };
    },
  };
}

function menuRows({ offers, at }: Menu, columns: number, paint: Painter): readonly string[] {
  if (offers.length === 0) return [paint.dim('  nothing begins so')];
  const { from, to } = windowOf(offers.length, Math.max(0, at), mostOffers);
  const rows = offers.slice(from, to).map((offer, i) => {
    const text = shorten(printable(offer), Math.max(4, columns - 4));
    return from + i === at ? `${paint.bold('›')} ${paint.bold(text)}` : `  ${paint.dim(text)}`;
  });
  const more = offers.length - rows.length;
  return more > 0 ? [...rows, paint.dim(`  and ${more} more`)] : rows;
}
