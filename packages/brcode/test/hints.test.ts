import { expect, test } from 'vitest'
import { malformed } from '../bench/malformed.ts'
import { findHints, type HintFault, readableObjects } from '../src/hints.ts'
import { crc16, decode, encode, tryDecode } from '../src/index.ts'
import {
  createAccount,
  extended,
  merchant,
  object,
  pixTemplate,
  replaceInStatic,
  seal,
} from './codes.ts'
import { emvco, official } from './vectors.ts'

const key = '123e4567-e12b-12d1-a456-426655440000'
const padded = encode({
  location: 'pix.example.com/cobv/8b3da2f39a41',
  merchantName: 'EMPRESA AMBIENTAL        ',
  merchantCity: 'BRASILIA',
})

/** Writes objects with another measure of their length. */
function writerOf(measure: (value: string) => number) {
  const write = (id: string, value: string) => id + String(measure(value)).padStart(2, '0') + value
  return (name: string, city: string, message?: string): string => {
    const account =
      write('00', 'br.gov.bcb.pix') + write('01', key) + (message ? write('02', message) : '')
    const root = [
      '000201',
      write('26', account),
      '5204000053039865802BR',
      write('59', name),
      write('60', city),
      '62070503***',
    ]
    return seal(root.join(''))
  }
}

const inBytes = writerOf((value) => new TextEncoder().encode(value).length)
const inUnits = writerOf((value) => value.length)

/** Replaces the checksum by that of the code in Latin-1. */
function sealedOverLatin1(code: string): string {
  const body = code.slice(0, -4)
  const asBytes = Buffer.from(body, 'latin1')
  let crc = 0xffff
  for (const byte of asBytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
    crc &= 0xffff
  }
  return body + crc.toString(16).toUpperCase().padStart(4, '0')
}

/** Codes whose checksum begins with a zero, without that zero. */
function withoutChecksumZero(): string[] {
  const codes = Array.from({ length: 99 }, (_, number) =>
    encode({ key, txid: `${number * 7919}x`, ...merchant }),
  )
  const starting = codes.filter((code) => code.at(-4) === '0')
  return starting.map((code) => code.slice(0, -4) + code.slice(-4).replace(/^0+/, '')).slice(0, 3)
}

const withComma = replaceInStatic('5802BR', `${object('54', '1,50')}5802BR`)
const collapse = (code: string) => code.replace(/ {2,}/g, ' ')

const faults: Readonly<Record<HintFault, readonly string[]>> = {
  'length-in-bytes': [
    inBytes('Fulano de Tal', 'São Paulo'),
    inBytes('Padaria São João', 'BRASILIA', 'Pão de queijo'),
    inBytes('Loja 🎉', 'BRASILIA'),
  ],
  'length-in-utf-16': [
    inUnits('Loja 🎉', 'BRASILIA'),
    inUnits('Fulano de Tal', 'BRASILIA', 'Parabéns 🎂'),
    inUnits('👀👀', 'Maceió'),
  ],
  'checksum-over-latin-1': [
    sealedOverLatin1(replaceInStatic('BRASILIA', 'BRASÍLIA')),
    sealedOverLatin1(replaceInStatic('6008BRASILIA', '6009São Paulo')),
    sealedOverLatin1(createAccount(object('01', key), object('02', 'Cobrança nº 1'))),
  ],
  'checksum-zero-lost': withoutChecksumZero(),
  'text-after': [
    `${official.static}\n`,
    `${official.immediate}&amp`,
    official.static + official.immediate,
  ],
  'url-encoded': [
    encodeURIComponent(official.static),
    encodeURIComponent(replaceInStatic('BRASILIA', 'BRASÍLIA')),
    official.static.replaceAll(' ', '+'),
  ],
  'text-before': [
    `https://${official.static}`,
    `pix://pay.example.com?qr=${official.immediate}`,
    `\ufeff${official.static}`,
  ],
  'spaces-collapsed': [
    collapse(padded),
    collapse(encode({ key, merchantName: 'Fulano  de   Tal', merchantCity: 'SAO    PAULO' })),
    collapse(encode({ key, ...merchant, message: 'Pedido    42  de maio' })),
  ],
  'first-zero-lost': [
    official.static.slice(1),
    official.immediate.slice(1),
    official.recurrence.slice(3),
  ],
  'amount-with-comma': [
    withComma,
    replaceInStatic('5802BR', `${object('54', '1.234,56')}5802BR`),
    // The comma is younger than the checksum.
    encode({ key, amount: '10.50', ...merchant }).replace('10.50', '10,50'),
  ],
}

for (const [fault, codes] of Object.entries(faults)) {
  test.each(codes)(`names ${fault}: %j`, (code) => {
    expect(tryDecode(code, { profile: 'lenient' }).ok).toBe(false)
    expect(findHints(code).map((hint) => hint.fault)).toEqual([fault])
  })
}

test('has three codes for each fault', () => {
  expect(Object.keys(faults)).toHaveLength(10)
  for (const codes of Object.values(faults)) expect(codes).toHaveLength(3)
})

test.each<{ title: string; expected: HintFault[]; code: string }>([
  {
    title: 'names both faults of a URL-encoded code behind pix://',
    expected: ['text-before', 'url-encoded'],
    code: `pix://pay?qr=${encodeURIComponent(official.static)}`,
  },
  {
    title: 'names both faults of a URL whose query goes on behind the code',
    expected: ['text-before', 'text-after'],
    code: `https://example.com/?qr=${official.static}&amount=1`,
  },
  {
    title: 'names both faults of a byte order mark before lengths in bytes',
    expected: ['text-before', 'length-in-bytes'],
    code: `\ufeff${inBytes('Fulano de Tal', 'São Paulo')}`,
  },
])('$title', ({ expected, code }) => {
  expect(findHints(code).map(({ fault }) => fault)).toEqual(expected)
})

/** None of the codes that get it has the checksum AAAA. */
const withWrongChecksum = (code: string) => `${code.slice(0, -4)}AAAA`

// Codes that look as if they had one of the faults, and others.
const withoutHint: Readonly<Record<string, string>> = {
  'a code that can be read': official.static,
  'a deviation that the lenient profile reads': replaceInStatic('BRASILIA', 'BRASÍLIA'),
  'a wrong checksum of a code with accents': withWrongChecksum(
    replaceInStatic('BRASILIA', 'BRASÍLIA'),
  ),
  'lengths in bytes and a wrong checksum': withWrongChecksum(inBytes('Fulano', 'São Paulo')),
  'lengths in UTF-16 units and a wrong checksum': withWrongChecksum(inUnits('Loja 🎉', 'BRASILIA')),
  'three other digits of a checksum': `${official.static.slice(0, -4)}1D3`,
  'text behind a wrong checksum': `${withWrongChecksum(official.static)}\n`,
  'a code that is URL-encoded and changed': encodeURIComponent(official.static).replace(
    'Tal',
    'Val',
  ),
  'text before a code that was changed': `https://${official.static.replace('Tal', 'Val')}`,
  'spaces collapsed in a code that was changed': collapse(padded).replace('EMPRESA', 'EMPREZA'),
  'a name shorter than its length': official.static.replace('Fulano de Tal', 'Fulano Tal'),
  'an amount with a comma and three decimals': replaceInStatic(
    '5802BR',
    `${object('54', '1,500')}5802BR`,
  ),
  'an amount in the American spelling': replaceInStatic(
    '5802BR',
    `${object('54', '1,234.50')}5802BR`,
  ),
  'a code cut in its middle': official.static.slice(0, 80),
  'two templates of Pix': replaceInStatic('5204', `${pixTemplate('27', object('01', key))}5204`),
  'a code of another system': emvco,
  'no code': 'https://example.com/a%20b',
  nothing: '',
  'spaces alone': ' '.repeat(300),
  'a text that is too long': official.static.repeat(99),
}

test.each(Object.entries(withoutHint))('gives no hint on %s', (_, code) => {
  expect(findHints(code)).toEqual([])
})

test('gives no hint on a malformed code, except on an amount with a comma and on text behind a checksum', () => {
  const named = malformed.filter(({ code }) => findHints(code).length > 0)
  expect(named.map(({ fault }) => fault)).toEqual([
    'something after the checksum',
    'amount with a comma',
  ])
})

test('gives no hint on a value that is not a string', () => {
  for (const value of [undefined, null, 5, {}]) {
    // The casts simulate an untyped program.
    expect(findHints(value as unknown as string)).toEqual([])
    expect(readableObjects(value as unknown as string)).toEqual([])
  }
})

test('shows no value of the code', () => {
  for (const code of Object.values(faults).flat()) {
    for (const { sentence } of findHints(code)) {
      expect(sentence).not.toMatch(/Fulano|Padaria|Paulo|example|123e|1,50/)
    }
  }
})

// The number of steps and tries is limited; without the limits, these do not end.
test.each([
  '9999 '.repeat(80),
  '5950'.padEnd(40, ' x').repeat(9),
  `5999${' x'.repeat(49)}`.repeat(4),
  '5901 '.repeat(90),
])('ends on a text with many spaces and lengths: %j', (text) => {
  expect(findHints(`000201${text}6304AAAA`)).toEqual([])
})

test('reads the objects before an error in the structure', () => {
  const cut = official.static.slice(0, 80)
  expect(readableObjects(cut).map(({ id }) => id)).toEqual(['00', '26', '52'])
  expect(readableObjects(withWrongChecksum(official.static))).toHaveLength(
    decode(official.static).objects.length,
  )
  expect(readableObjects('')).toEqual([])
  expect(readableObjects(extended(official.static, '80040000')).at(-1)?.id).toBe('63')
})

test('writes the checksum over Latin-1 by its own code, as a check of these tests', () => {
  expect(sealedOverLatin1(official.static)).toBe(official.static)
  expect(crc16('123456789')).toBe(0x29b1)
})
