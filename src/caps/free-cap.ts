/** Psyches and prompts: their frontmatter is free, their body is what counts. */
import type { Prompt, Psyche } from './checked-cap.ts';
import { type Checker, find, report } from './checker.ts';

export function checkFree(c: Checker, kind: 'psyche' | 'prompt'): Psyche | Prompt {
  const { name, form, body, nameSpan, source, properties } = c.cap;
  if (body === '' && !c.cap.unread) {
    report(c, 'TOO5235', nameSpan, `this ${kind} has no text, and does nothing.`, {
      help: kind === 'psyche' ? 'Write how the agent should behave.' : 'Write the text of the prompt.',
    });
  }
  const base = {
    name,
    form,
    file: source.name,
    nameSpan,
    body,
    properties: Object.fromEntries(properties.map((property) => [property.key, property.value])),
  };
  if (kind === 'psyche') return { kind, ...base };
  const description = find(c, 'description');
  const text = description?.shape === 'text' && typeof description.value === 'string' ? description.value.trim() : '';
  return { kind, ...base, ...(text !== '' && { description: text }) };
}
