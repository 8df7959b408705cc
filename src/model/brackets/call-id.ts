/** Ids of calls: the SDK wants them unique over all steps of a conversation. */

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 20;

export function newCallId(): string {
  let id = 'call_';
  // 32 divides 256, so the five low bits are as even as the bytes. Browsers without TLS have no randomUUID, but this.
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) id += alphabet[byte & 31];
  return id;
}
