import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BrCodeError, type BrCodeFields, decode, encode } from '../src/index.ts'
import { errorOf as encodeError, merchant } from './codes.ts'
import { official } from './vectors.ts'

const key = '12345678909'

const errorOf = (fields: BrCodeFields) => encodeError(fields, { fit: true })

/** The message after `fit`. */
function fitted(message: string): string | undefined {
  return decode(encode({ key, ...merchant, message }, { fit: true })).message
}

test('converts names only with `fit`', () => {
  const fields = { key, merchantName: 'Padaria São João & Irmãos Ltda', merchantCity: 'São Miguel do Oeste' }
  expect(() => encode(fields)).toThrow('59')
  expect(decode(encode(fields, { fit: true }))).toMatchObject({
    merchantName: 'Padaria Sao Joao & Irmaos',
    merchantCity: 'Sao Miguel do O',
  })
})

test('does not change valid values', () => {
  const fields = { key: '123e4567-e12b-12d1-a456-426655440000', ...merchant }
  expect(encode(fields, { fit: true })).toBe(official.static)
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

test('removes composed and combining marks from letters', () => {
  expect(fitted('Ação à moda de Zürich, ñandú, ễ')).toBe('Acao a moda de Zurich, nandu, e')
  expect(fitted('Ac\u0327a\u0303o q\u0303 \u01fe')).toBe('Acao q O')
})

test('spells letters without marks', () => {
  expect(fitted('Straße, Ærø, œuvre, Łódź, Đà, ðe, Þór')).toBe('Strasse, AEro, oeuvre, Lodz, Da, de, THor')
  expect(fitted('ẞ æ Ø Œ ł đ Ð þ ı')).toBe('SS ae O OE l d D th i')
})

test('spells ordinals, quotes, dashes, fractions with a slash, and an ellipsis', () => {
  expect(fitted('Cobrança nº 1, 2ª via')).toBe('Cobranca no 1, 2a via')
  expect(fitted('‘Copo d’água’ “azul” „x‟')).toBe(`'Copo d'agua' "azul" "x"`)
  expect(fitted('10–20 — 5‐6 ‑ −7…')).toBe('10-20 - 5-6 - -7...')
  expect(fitted('1⁄2 D´Oeste')).toBe(`1/2 D'Oeste`)
})

test('collapses spaces of any kind and trims the ends', () => {
  expect(fitted('\u00a0Pão  de\t\u3000queijo\n')).toBe('Pao de queijo')
  expect(fitted('2\u00a0000')).toBe('2 000')
})

// Dropping or simplifying these would change the meaning: 2½ is neither 2 nor 212, and a ≠ b is not a = b.
const without = '½ ² ³ ① ٣ ０ ⅓ € × ≠ ≮ ° и й 한 最 🎉 \u200b \u00ad \u0007 \u0301 \ufe0f'.split(' ')

test.each(without)('refuses and names a character without an ASCII spelling: %j', (character) => {
  const point = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  expect(errorOf({ key, ...merchant, message: `R$ 10${character}5` })).toMatchObject({
    code: 'value',
    path: '26-02',
    expected: `ASCII for "${character}" (U+${point})`,
    found: `R$ 10${character}5`,
  })
})

test('refuses it also in a name, in a city and in the lenient profile', () => {
  expect(errorOf({ key, ...merchant, merchantName: '最佳运输' })).toMatchObject({ code: 'value', path: '59' })
  expect(errorOf({ key, ...merchant, merchantCity: 'BRASÍLIA 🎉' })).toMatchObject({
    code: 'value',
    path: '60',
  })
  const lenient = { fit: true, profile: 'lenient' } as const
  expect(() => encode({ key, ...merchant, merchantName: 'Loja 🎉' }, lenient)).toThrow('U+1F389')
})

test('refuses a lone surrogate with its number', () => {
  expect(errorOf({ key, ...merchant, message: 'a\ud83c' })).toMatchObject({ code: 'value', path: '26-02' })
})

test('never changes a number: digits stay joined or separate', () => {
  const unit = fc.constantFrom(...'0123456789aãß ½²⁄ºª’–…é\u0301\u200b\u00a0')
  let fit = 0
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 9 }), (text) => {
      const message = `x${text}`
      const said = outcomeOf(message)
      if (said === undefined) return /½|²|\u200b|\u0301/.test(text)
      fit += 1
      expect(said.match(/\d+/g)).toEqual(message.match(/\d+/g))
      return true
    }),
    { numRuns: 500 },
  )
  expect(fit).toBeGreaterThan(100)
})

function outcomeOf(message: string): string | undefined {
  try {
    return fitted(message)
  } catch (error) {
    expect(error).toBeInstanceOf(BrCodeError)
    return undefined
  }
}

test('refuses an absent name and one that is not a string', () => {
  const { merchantCity } = merchant
  // @ts-expect-error a name is mandatory
  expect(errorOf({ key, merchantCity })).toMatchObject({ code: 'missing', path: '59' })
  // @ts-expect-error a name is text
  expect(errorOf({ key, ...merchant, merchantName: 12 })).toMatchObject({ code: 'value', path: '59' })
  expect(errorOf({ key, ...merchant, merchantName: ' \n ' })).toMatchObject({ code: 'value', path: '59' })
})

test('changes only the name, the city and the message', () => {
  expect(errorOf({ key, ...merchant, txid: 'ç' })).toMatchObject({ code: 'value', path: '62-05' })
  expect(errorOf({ key, ...merchant, postalCode: '70074–900' })).toMatchObject({ code: 'value', path: '61' })
  expect(errorOf({ key: 'joão@example.com', ...merchant })).toMatchObject({ code: 'value', path: '26-01' })
})
