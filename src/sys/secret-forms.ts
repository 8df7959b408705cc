/**
 * The forms in which the value of a secret may stand in a text: as it is, as JSON and addresses write it, in base64 (alone, or
 * anywhere within something longer), in hex digits, and each long line of one that has several. Short forms are words like
 * others, and are left out.
 */

/** Of the value itself, and of what it is escaped to. */
const shortest = 4;
/** Of what it is encoded to: four letters of base64 are found in any longer base64. */
const shortestCode = 10;
/** Of one line out of several. */
const shortestLine = 20;

export function secretForms(value: string): ReadonlySet<string> {
  const trimmed = value.trim();
  const forms = new Set<string>();
  const add = (form: string, least: number) => {
    if (form.trim().length >= least) forms.add(form);
  };
  add(value, shortest);
  add(trimmed, shortest);
  add(JSON.stringify(trimmed).slice(1, -1), shortest);
  const address = encodeURIComponent(trimmed.replace(/[\ud800-\udfff]/gu, '\ufffd'));
  for (const form of [address, address.replace(/%20/g, '+')]) {
    add(form, shortest);
    add(
      form.replace(/%../g, (code) => code.toLowerCase()),
      shortest,
    );
  }
  const hex = Buffer.from(trimmed).toString('hex');
  if (trimmed.length >= shortest) {
    for (const code of [...base64Forms(trimmed), hex, hex.toUpperCase()]) add(code, shortestCode);
  }
  if (/[\r\n]/.test(trimmed)) for (const line of trimmed.split(/[\r\n]+/)) add(line.trim(), shortestLine);
  return forms;
}

/**
 * Base64 goes by three bytes, so a value looks different after one, two or three bytes of something else. The letters at
 * both ends that hold bits of its neighbours are left out.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const letters = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const plain = letters.slice(Math.ceil((before * 8) / 6), whole);
    // Alone it has its last letter too.
    const forms = before === 0 ? [bytes.toString('base64'), letters, plain] : [plain];
    return forms.flatMap((form) => [form, form.replace(/\+/g, '-').replace(/\//g, '_')]);
  });
}
