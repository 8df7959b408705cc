/** Text that may stand in XML. */

/** Nothing is left that would end a text or an attribute, and no character that XML 1.0 refuses. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
