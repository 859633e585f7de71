import { crc16 } from '@partner-payments/brcode'
import { nested } from './edges.ts'
import { items, type SeededRandom, seededRandom, words } from './random.ts'

/** Maximum bytes of a body (the assumption to the open question `body-size`). */
const LIMIT = 65_536

/** 200 bodies of invalid or unusual JSON, made from a valid one. */
export function rawBodies(fine: string, seed: number): (string | Uint8Array)[] {
  const random = seededRandom(seed)
  const fixed = [...TEXTS, ...encodingsOf(fine), ...fullOf(fine)]
  const broken = Array.from({ length: 200 - fixed.length }, () => brokenOf(Buffer.from(fine), random))
  return [...fixed, ...broken]
}

const TEXTS: readonly string[] = [
  ...words(`
    { } [ ] " , : {} [] {}{} []] null true NaN {"a":NaN} {"a":Infinity} {"a":-Infinity} {"a":undefined}
    {"a":+1} {"a":01} {"a":.5} {"a":1.} {"a":0x10} {"a":1e} {"a":1e999} {"a":-0} {"a":1,} [1,] {,} {'a':1}
    {a:1} "a" 1 - 1e --1 {"amount":"1.00","amount":"2.00"} {"dict_key":"a","dict_key":{}} {"__proto__":1}
    {"":""} a=1&b=2 <x/> --boundary undefined`),
  ...items(String.raw`
    | // {} | /* */{} | {} // x | {"a":1 /* */} | # {} | {"a":"\x41"} | {"a":"\u12"} | {"a":"\ud800"}
    | {"a":"\ud83d\ude00"} | {"\u0000":1} | [object Object]`),
  ...[' ', '\n\t ', '\0', '{"a":"\n"}', '{"a":"\t"}', '\u2028{}', '\ufeff\ufeff{}', '{}\0', '\x1b[2J'],
]

function encodingsOf(fine: string): Uint8Array[] {
  const utf16 = Buffer.from(fine, 'utf16le')
  return [
    Buffer.from(`\ufeff${fine}`),
    utf16,
    Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    Buffer.from(utf16).swap16(),
    Buffer.from('{"a":"é"}', 'latin1'),
    ...['c0af', 'ff', 'eda080', 'f4908080', 'e28028', '80', 'f0'].map((hex) =>
      Buffer.concat([Buffer.from('{"dict_key":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]),
    ),
  ]
}

/** Bodies of the maximum size and depth, and slightly above. */
function fullOf(fine: string): string[] {
  const padded = (size: number) => fine + ' '.repeat(size - Buffer.byteLength(fine))
  return [
    '['.repeat(LIMIT),
    nested(LIMIT / 2),
    `${'{"a":'.repeat(10_922)}1${'}'.repeat(10_922)}`,
    padded(LIMIT),
    padded(LIMIT + 1),
    '"'.repeat(LIMIT),
    `"${'\\'.repeat(LIMIT - 2)}"`,
    `[${'0,'.repeat(32_000)}0]`,
    `{"dict_key":"${'a'.repeat(65_000)}"}`,
    `{"amount":${'9'.repeat(65_000)}}`,
    `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":1`).join()}}`,
    'x'.repeat(LIMIT * 4),
  ]
}

/** Bodies with bytes removed, changed, doubled or inserted. */
function brokenOf(fine: Buffer, random: SeededRandom): Uint8Array {
  const at = random.integer(fine.length)
  const [before, after] = [fine.subarray(0, at), fine.subarray(at)]
  const byte = Buffer.from([random.integer(256)])
  return random.pick([
    () => before,
    () => Buffer.concat([before, byte, after.subarray(1)]),
    () => Buffer.concat([before, byte, after]),
    () => Buffer.concat([before, after.subarray(1)]),
    () => Buffer.concat([before, before]),
  ])()
}

/** Mutated codes. Half of them have a valid checksum, so that their content is read. */
export function mutatedCodes(codes: readonly string[], count: number, random: SeededRandom): string[] {
  return Array.from({ length: count }, (_, i) => {
    let changed = random.pick(codes)
    for (let left = 1 + random.integer(3); left > 0; left--) changed = changedOf(changed, random)
    return i % 2 ? changed : sealed(changed)
  })
}

const PIECES = [
  ...words(`
    0 9 00 99 54 5404 26 62 63 6304 0503*** br.gov.bcb.pix . * -1 1e9 9999999999.99 0.00 0.001 99999999999999`),
  ...['', ' ', '\0', '\ud800', '😀', 'é', '٣', 'A'.repeat(99)],
]

function changedOf(code: string, random: SeededRandom): string {
  const at = random.integer(code.length + 1)
  const length = random.integer(8)
  const [before, cut, after] = [code.slice(0, at), code.slice(at, at + length), code.slice(at + length)]
  return random.pick([
    () => before + after,
    () => before + random.pick(PIECES) + after,
    () => before + random.pick(PIECES) + cut + after,
    () => before + cut + cut + after,
    () => before + String(random.integer(100)).padStart(2, '0') + code.slice(at + 2),
    () => before,
    () => before + String.fromCodePoint(random.integer(128)) + code.slice(at + 1),
  ])()
}

/** Appends the checksum. */
function sealed(code: string): string {
  const rest = code.replace(/6304[0-9A-Fa-f]{4}$/, '')
  return `${rest}6304${crc16(`${rest}6304`).toString(16).toUpperCase().padStart(4, '0')}`
}
