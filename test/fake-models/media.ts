/** What the bytes of an image are, whatever its name says; services look, too. */

export interface DataUrl {
  readonly type: string;
  readonly data: string;
}

export function dataUrl(url: string): DataUrl | undefined {
  const found = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  return found ? { type: found[1] ?? '', data: found[2] ?? '' } : undefined;
}

export function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

/** `image/png` and so on, by the first bytes; `undefined`: none that is known. */
export function imageType(data: string): string | undefined {
  const bytes = Buffer.from(data, 'base64');
  const starts = (hex: string, at = 0) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;
  if (starts('89504e470d0a1a0a')) return 'image/png';
  if (starts('ffd8ff')) return 'image/jpeg';
  if (starts('47494638')) return 'image/gif';
  if (starts('52494646') && starts('57454250', 8)) return 'image/webp';
  return undefined;
}

export const isPdf = (data: string): boolean => Buffer.from(data, 'base64').subarray(0, 5).toString() === '%PDF-';
