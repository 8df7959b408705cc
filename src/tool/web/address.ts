/**
 * Which addresses are public. What is not sure to be is not: of IPv6 only what the registries hand out (2000::/3) can be, and an
 * IPv4 address inside of an IPv6 one counts as itself.
 */
import { isIPv4, isIPv6 } from 'node:net';

const notPublic4: readonly (readonly [range: string, bits: number, words: string])[] = [
  ['0.0.0.0', 8, 'this machine'],
  ['10.0.0.0', 8, 'a private network'],
  ['100.64.0.0', 10, "a provider's own network"],
  ['127.0.0.0', 8, 'this machine'],
  ['169.254.0.0', 16, 'a link-local address, as that of metadata services'],
  ['172.16.0.0', 12, 'a private network'],
  ['192.0.0.0', 24, 'a reserved range'],
  ['192.0.2.0', 24, 'a range for documentation'],
  ['192.88.99.0', 24, 'a reserved range'],
  ['192.168.0.0', 16, 'a private network'],
  ['198.18.0.0', 15, 'a range for tests'],
  ['198.51.100.0', 24, 'a range for documentation'],
  ['203.0.113.0', 24, 'a range for documentation'],
  ['224.0.0.0', 4, 'a multicast address'],
  ['240.0.0.0', 4, 'a reserved range'],
];

const notPublic6: readonly (readonly [range: string, bits: number, words: string])[] = [
  ['::1', 128, 'this machine'],
  ['::', 128, 'this machine'],
  ['fc00::', 7, 'a private network'],
  ['fe80::', 10, 'a link-local address'],
  ['fec0::', 10, 'a private network'],
  ['ff00::', 8, 'a multicast address'],
  ['2001:db8::', 32, 'a range for documentation'],
  ['3fff::', 20, 'a range for documentation'],
  // Tunnels and tests of the IETF, Teredo among them.
  ['2001::', 23, 'a reserved range'],
];

/** Ranges whose addresses hold an IPv4 one, and at which bit. */
const holding4: readonly (readonly [range: string, bits: number, at: number])[] = [
  ['::ffff:0:0', 96, 96],
  ['::ffff:0:0:0', 96, 96],
  ['64:ff9b::', 96, 96],
  ['2002::', 16, 16],
  ['::', 96, 96],
];

/** Why an address is not a public one, in words; undefined when it is. */
export function notPublic(address: string): string | undefined {
  const plain = address.replace(/%.*$/s, '');
  if (isIPv4(plain)) return notPublicV4(value4(plain));
  if (!isIPv6(plain)) return 'no address';
  const value = value6(plain);
  const known = notPublic6.find(([range, bits]) => isIn(value, value6(range), bits, 128))?.[2];
  if (known !== undefined) return known;
  const holder = holding4.find(([range, bits]) => isIn(value, value6(range), bits, 128));
  if (holder) return notPublicV4((value >> BigInt(128 - holder[2] - 32)) & 0xffffffffn);
  return isIn(value, value6('2000::'), 3, 128) ? undefined : 'a reserved range';
}

function notPublicV4(value: bigint): string | undefined {
  return notPublic4.find(([range, bits]) => isIn(value, value4(range), bits, 32))?.[2];
}

function isIn(value: bigint, range: bigint, bits: number, size: number): boolean {
  const shift = BigInt(size - bits);
  return value >> shift === range >> shift;
}

function value4(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function value6(text: string): bigint {
  const dotted = /[0-9]+(\.[0-9]+){3}$/.exec(text)?.[0];
  const tail = dotted === undefined ? 0n : value4(dotted);
  const plain =
    dotted === undefined
      ? text
      : `${text.slice(0, -dotted.length)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [head = '', rest] = plain.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const before = groups(head);
  const after = groups(rest);
  const zeros = rest === undefined ? [] : new Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
