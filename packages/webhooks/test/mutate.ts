/** The arguments of {@link verify}. */
export type Delivery = { id: string; timestamp: string; signature: string; secret: string; body: Uint8Array }

export type Part = keyof Delivery

export const parts: Part[] = ['id', 'timestamp', 'signature', 'secret', 'body']

/** Numbers from 0 to 1 that are the same on every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The delivery with one changed part: a single character, or the whole part by a known attack. */
export function mutate(delivery: Delivery, part: Part, random: () => number): Delivery {
  for (let tries = 0; tries < 100; tries++) {
    const mutant = {
      ...delivery,
      [part]: part === 'body' ? bytes(delivery.body, random) : text(delivery, part, random),
    }
    if (!isSame(mutant, delivery)) return mutant
  }
  throw new Error(`no mutant of ${part} found`)
}

function text(delivery: Delivery, part: Exclude<Part, 'body'>, random: () => number): string {
  const original = delivery[part]
  const trick = pick(tricks[part], random)
  return random() < 0.3 ? trick(original) : characters(original, random)
}

const characterSet = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  'é',
  '１',
  '\u200B',
  '\uFEFF',
]

function characters(original: string, random: () => number): string {
  const at = Math.floor(random() * (original.length + 1))
  const character = pick(characterSet, random)
  const [before, after] = [original.slice(0, at), original.slice(at)]
  return pick(
    [
      before + character + after.slice(1), // replaced
      before + character + after, // inserted
      before + after.slice(1), // deleted
      before, // cut short
      before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2), // swapped
    ],
    random,
  )
}

function bytes(original: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * original.length)
  const flipped = Uint8Array.from(original)
  flipped[at] = (original[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  const random8 = Math.floor(random() * 256)
  return pick(
    [
      flipped,
      Uint8Array.of(...original.subarray(0, at), random8, ...original.subarray(at)),
      Uint8Array.of(...original.subarray(0, at), ...original.subarray(at + 1)),
      original.subarray(0, at),
      Uint8Array.of(0xef, 0xbb, 0xbf, ...original),
      Uint8Array.of(...original, 0x0a),
      new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(original)), null, 1)),
    ],
    random,
  )
}

type Trick = (original: string) => string

const tricks: Record<Exclude<Part, 'body'>, Trick[]> = {
  id: [(id) => `${id}.1`, (id) => `${id},${id}`, (id) => id.toUpperCase(), (id) => ` ${id}`, () => ''],
  timestamp: [
    (seconds) => `${seconds}.0`,
    (seconds) => `0${seconds}`,
    (seconds) => `+${seconds}`,
    (seconds) => `${seconds}e0`,
    (seconds) => `0x${Number(seconds).toString(16)}`,
    (seconds) => `${Number(seconds) + 1}`,
    (seconds) => `${Number(seconds) - 1}`,
    (seconds) => `${seconds}000`,
  ],
  signature: [
    (signature) => signature.slice(0, -1), // no padding
    (signature) => `${signature}=`,
    (signature) => signature.replace('v1,', 'v1a,'),
    (signature) => signature.replace('v1,', 'V1,'),
    (signature) => signature.replace('v1,', ''),
    (signature) => signature.replace('v1,', 'v1='),
    (signature) => signature.replaceAll('+', '-').replaceAll('/', '_'), // the URL alphabet
    (signature) => signature.toLowerCase(),
    (signature) => signature.replace(/.=$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}=`), // last bits
    (signature) => `${signature},${signature}`,
    (signature) => signature.replace(/,.*/, `,${'A'.repeat(43)}=`),
  ],
  secret: [
    (secret) => secret.slice(0, -1),
    (secret) => secret.replace('whsec_', ''),
    (secret) => secret.replace('whsec_', 'whpk_'),
    (secret) => `${secret} `,
    (secret) => secret.replace(/.=$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}=`),
    (secret) => secret.toLowerCase(),
  ],
}

function pick<T>(list: T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T
}

function isSame(a: Delivery, b: Delivery): boolean {
  const texts = a.id === b.id && a.timestamp === b.timestamp && a.signature === b.signature
  return texts && isSameKey(a.secret, b.secret) && Buffer.compare(a.body, b.body) === 0
}

// HMAC pads a key with zero bytes (RFC 2104, 2), so keys that differ by zero bytes at the end are one key.
function isSameKey(a: string, b: string): boolean {
  const [x, y] = [a, b].map((secret) =>
    Buffer.from(encodedIn(secret), 'base64').toString('latin1').replace(/\0+$/, ''),
  )
  return a === b || (isCanonical(a) && isCanonical(b) && x === y)
}

function isCanonical(secret: string): boolean {
  const canonical = Buffer.from(encodedIn(secret), 'base64').toString('base64')
  return [canonical, canonical.replace(/=+$/, '')].includes(encodedIn(secret))
}

function encodedIn(secret: string): string {
  return secret.replace(/^whsec_/, '')
}
