import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, encode } from '../src/index.ts'
import { merchant } from './codes.ts'
import { type Expected, expectRefused } from './expect.ts'

const key = '12345678909'

const expectUnfit = (fields: object, expected: Expected) =>
  expectRefused({ key, ...merchant, ...fields }, expected, { fit: true })

/** The message after `fit`. */
function fitted(message: string): string | undefined {
  return decode(encode({ key, ...merchant, message }, { fit: true })).message
}

test('converts names only with `fit`', () => {
  const fields = {
    key,
    merchantName: 'Padaria São João & Irmãos Ltda',
    merchantCity: 'São Miguel do Oeste',
  }
  expect(() => encode(fields)).toThrow('59')
  expect(decode(encode(fields, { fit: true }))).toMatchObject({
    merchantName: 'Padaria Sao Joao & Irmaos',
    merchantCity: 'Sao Miguel do O',
  })
})

test('truncates to 25 and 15 characters, also within a word, without a trailing space', () => {
  const cut = (merchantName: string, merchantCity: string) =>
    decode(encode({ key, merchantName, merchantCity }, { fit: true }))
  expect(cut('n'.repeat(40), 'c'.repeat(40))).toMatchObject({
    merchantName: 'n'.repeat(25),
    merchantCity: 'c'.repeat(15),
  })
  expect(cut(`${'n'.repeat(24)} n`, `${'ß'.repeat(7)} c`)).toMatchObject({
    merchantName: 'n'.repeat(24),
    merchantCity: 's'.repeat(14),
  })
})

test.each([
  {
    title: 'removes composed marks',
    message: 'Ação à moda de Zürich, ñandú, ễ',
    expected: 'Acao a moda de Zurich, nandu, e',
  },
  {
    title: 'removes combining marks',
    message: 'Ac\u0327a\u0303o q\u0303 \u01fe',
    expected: 'Acao q O',
  },
  {
    title: 'spells letters',
    message: 'Straße, Ærø, œuvre, Łódź, Đà, ðe, Þór',
    expected: 'Strasse, AEro, oeuvre, Lodz, Da, de, THor',
  },
  {
    title: 'spells letters of either case',
    message: 'ẞ æ Ø Œ ł đ Ð þ ı',
    expected: 'SS ae O OE l d D th i',
  },
  { title: 'spells ordinals', message: 'Cobrança nº 1, 2ª via', expected: 'Cobranca no 1, 2a via' },
  {
    title: 'spells quotes',
    message: '‘Copo d’água’ “azul” „x‟',
    expected: `'Copo d'agua' "azul" "x"`,
  },
  {
    title: 'spells dashes and an ellipsis',
    message: '10–20 — 5‐6 ‑ −7…',
    expected: '10-20 - 5-6 - -7...',
  },
  { title: 'spells fractions with a slash', message: '1⁄2 D´Oeste', expected: `1/2 D'Oeste` },
  {
    title: 'collapses spaces and trims the ends',
    message: '\u00a0Pão  de\t\u3000queijo\n',
    expected: 'Pao de queijo',
  },
  { title: 'keeps a space between digits', message: '2\u00a0000', expected: '2 000' },
])('$title', ({ message, expected }) => {
  expect(fitted(message)).toBe(expected)
})

// Dropping or simplifying these would change the meaning: 2½ is neither 2 nor 212, and a ≠ b is not
// a = b.
const without = '½ ² ³ ① ٣ ０ ⅓ € × ≠ ≮ ° и й 한 最 🎉 \u200b \u00ad \u0007 \u0301 \ufe0f'.split(
  ' ',
)

test.each(without)('refuses and names a character without an ASCII spelling: %j', (character) => {
  const point = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  const message = `R$ 10${character}5`
  const expected = `ASCII for "${character}" (U+${point})`
  expectUnfit({ message }, { code: 'value', path: '26-02', expected, found: message })
})

test('refuses it also in a name, in a city and in the lenient profile', () => {
  expectUnfit({ merchantName: '最佳运输' }, 'value 59')
  expectUnfit({ merchantCity: 'BRASÍLIA 🎉' }, 'value 60')
  const lenient = { fit: true, profile: 'lenient' } as const
  expect(() => encode({ key, ...merchant, merchantName: 'Loja 🎉' }, lenient)).toThrow('U+1F389')
})

test('refuses a lone surrogate', () => expectUnfit({ message: 'a\ud83c' }, 'value 26-02'))

test('never changes a number: digits stay joined or separate', () => {
  const unit = fc.constantFrom(...'0123456789aãß ⁄ªº’–…é\u00a0')
  const same = fc.property(fc.string({ unit, maxLength: 9 }), (text) => {
    expect(fitted(`x${text}`)?.match(/\d+/g)).toEqual(text.match(/\d+/g))
  })
  fc.assert(same, { numRuns: 500 })
})

test('refuses an absent name and one that is not a string', () => {
  expectUnfit({ merchantName: undefined }, 'missing 59')
  expectUnfit({ merchantName: 12 }, 'value 59')
  expectUnfit({ merchantName: ' \n ' }, 'value 59')
})

test('changes only the name, the city and the message', () => {
  expectUnfit({ txid: 'ç' }, 'value 62-05')
  expectUnfit({ postalCode: '70074–900' }, 'value 61')
  expectUnfit({ key: 'joão@example.com' }, 'value 26-01')
})
