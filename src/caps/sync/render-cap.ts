/** A cap as the text of a cap file: how inline caps and remote skills are written into a sync root. */
import { stringify } from 'yaml';
import type { CheckedCap, PropertyValue } from '../checked-cap.ts';

export function renderCap(cap: CheckedCap): string {
  const properties = propertiesOf(cap);
  const body = cap.body === '' ? '' : `${cap.body}\n`;
  // A body that begins as frontmatter does would be taken for it.
  if (Object.keys(properties).length === 0) return /^(?:\ufeff|---)/.test(body) ? `---\n---\n${body}` : body;
  // Long lines stay whole, so that a text is the same text for whoever reads lines.
  return `---\n${stringify(properties, { lineWidth: 0, blockQuote: false })}---\n${body}`;
}

function propertiesOf(cap: CheckedCap): Readonly<Record<string, PropertyValue>> {
  switch (cap.kind) {
    case 'psyche':
    case 'prompt':
      return cap.properties;
    case 'skill':
      return { description: cap.description };
    case 'service': {
      const { description, transport, target, env } = cap;
      return {
        ...(description !== undefined && { description }),
        transport,
        target,
        ...(cap.transport === 'http' && Object.keys(cap.headers).length > 0 && { headers: cap.headers }),
        ...(env.length > 0 && { env }),
      };
    }
  }
}
