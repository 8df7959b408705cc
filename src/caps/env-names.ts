/** The `env` of a service: names of environment variables, as a list or as a text with commas. */
import type { Span } from '../text/index.ts';
import { type Checker, emptyPlace, placesIn, report } from './checker.ts';
import type { CapProperty } from './property.ts';

const help = 'Write names of variables, such as "API_TOKEN, OTHER_VARIABLE".';

/** Each name once, in written order. */
export function readEnv(c: Checker, property: CapProperty | undefined): string[] {
  const names = new Set<string>();
  for (const item of property ? itemsOf(c, property) : []) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(item.name)) names.add(item.name);
    else reportName(c, item.name, item.span);
  }
  return [...names];
}

function itemsOf(c: Checker, property: CapProperty): { name: string; span: Span }[] {
  const { shape, value } = property;
  if (shape === 'broken') return [];
  if (shape === 'list') {
    if (property.items.length === 0) reportEmpty(c, property);
    return property.items.map((item) => ({ name: item.value.trim(), span: item.span }));
  }
  if (shape !== 'text' || typeof value !== 'string') {
    report(c, 'TOO5206', property.valueSpan, '"env" takes the names of variables, not values for them.', { help });
    return [];
  }
  if (value.trim() === '') {
    reportEmpty(c, property);
    return [];
  }
  const placeIn = placesIn(c, value, property.valueSpan);
  let start = 0;
  return value.split(',').map((part) => {
    const from = start + (part.length - part.trimStart().length);
    const name = part.trim();
    const place = name === '' ? placeIn(start, start + part.length) : placeIn(from, from + name.length);
    start += part.length + 1;
    return { name, span: place };
  });
}

function reportEmpty(c: Checker, property: CapProperty): void {
  report(c, 'TOO5225', emptyPlace(property), '"env" names no variable.', {
    help: `${help.slice(0, -1)}, or remove the line.`,
  });
}

function reportName(c: Checker, name: string, where: Span): void {
  const bare = /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/.exec(name)?.[1];
  const assigned = /^([A-Za-z_][A-Za-z0-9_]*)\s*[=:]/.exec(name)?.[1];
  const message =
    name === ''
      ? 'there is a comma too many in "env".'
      : assigned
        ? `"env" takes the name "${assigned}" alone: values come from the environment, and never stand in files.`
        : `"${name}" is not the name of an environment variable.`;
  const better = bare ?? assigned;
  const exact = c.cap.source.text.slice(where.start, where.end) === name;
  report(c, 'TOO5232', where, message, {
    help: bare ? `Write ${bare}, without "$".` : help,
    ...(better && exact && { fix: { title: `change it to "${better}"`, edits: [{ span: where, text: better }] } }),
  });
}
