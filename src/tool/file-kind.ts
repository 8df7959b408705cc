/** What bytes are that are no text, by how they begin; for words only. */

const starts: readonly (readonly [kind: string, hex: string, at?: number])[] = [
  ['a PNG image', '89504e470d0a1a0a'],
  ['a JPEG image', 'ffd8ff'],
  ['a GIF image', '474946383761'],
  ['a GIF image', '474946383961'],
  ['a WebP image', '57454250', 8],
  ['an AVIF or HEIC image, or a video', '66747970', 4],
  ['a BMP image', '424d'],
  ['an icon', '00000100'],
  ['a TIFF image', '49492a00'],
  ['a TIFF image', '4d4d002a'],
  ['a PDF document', '25504446'],
  ['a ZIP archive (or a document made of one)', '504b0304'],
  ['an empty ZIP archive', '504b0506'],
  ['a gzip archive', '1f8b'],
  ['a Zstandard archive', '28b52ffd'],
  ['an XZ archive', 'fd377a585a00'],
  ['a bzip2 archive', '425a68'],
  ['a 7-Zip archive', '377abcaf271c'],
  ['a tar archive', '7573746172', 257],
  ['an SQLite database', '53514c69746520666f726d61742033'],
  ['a program for Linux (ELF)', '7f454c46'],
  ['a program for macOS', 'cffaedfe'],
  ['a program for macOS, or a Java class', 'cafebabe'],
  ['a program for Windows', '4d5a'],
  ['a WebAssembly module', '0061736d'],
  ['a WOFF font', '774f4646'],
  ['a WOFF2 font', '774f4632'],
  ['a font', '0001000000'],
  ['an Ogg sound', '4f676753'],
  ['an MP3 sound', '494433'],
  ['a WAV sound', '57415645', 8],
  ['a Matroska video', '1a45dfa3'],
  ['UTF-16 text', 'fffe'],
  ['UTF-16 text', 'feff'],
];

/** How many bytes are looked at. */
export const kindBytes = 8192;

/** `head`: the first bytes. Undefined when they look like text. */
export function binaryKind(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, kindBytes));
  const known = starts.find(([, hex, at = 0]) => bytes.toString('hex', at, at + hex.length / 2) === hex)?.[0];
  const isBinary = bytes.includes(0);
  // Two letters may begin a text too.
  if (known !== undefined && (isBinary || !isPlain(bytes))) return known;
  return isBinary ? 'binary data' : undefined;
}

/** `1.4 MB`, as people say it. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${rounded(kilo)} kB` : `${rounded(kilo / 1024)} MB`;
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Letters, blanks and UTF-8 only. */
function isPlain(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13)) && !bytes.includes(0xff);
}
