import { expect, test } from 'vitest'
import { malformed } from '../bench/malformed.ts'
import { BrCodeError, type BrCodeFields, encode, explain, tryDecode } from '../src/index.ts'
import { createAccount, merchant, object, replaceInStatic, seal } from './codes.ts'
import { official } from './vectors.ts'

const cases: readonly { what: string; code: string; sentence: string }[] = [
  {
    what: 'a wrong checksum',
    code: official.static.replace('1D3D', '1D3E'),
    sentence:
      'The checksum (object 63, offset 129) does not fit: the code was changed or cut, or its issuer computed it wrongly.',
  },
  {
    what: 'an invalid checksum',
    code: official.static.replace('1D3D', 'ZZZZ'),
    sentence: 'The checksum (object 63, offset 129) is not four hexadecimal digits.',
  },
  {
    what: 'a checksum in lower case',
    code: official.static.replace('1D3D', '1d3d'),
    sentence: 'The checksum (object 63, offset 129) is in lower case.',
  },
  {
    what: 'a code cut before its checksum',
    code: official.static.slice(0, -8),
    sentence: 'The code is cut: it does not end with a checksum.',
  },
  {
    what: 'a code cut in its checksum',
    code: official.static.slice(0, -1),
    sentence:
      'The code is cut in its checksum: object 63 at offset 129 announces 4 characters, and 3 are left.',
  },
  {
    what: 'a code cut in a value',
    code: official.static.slice(0, 100),
    sentence:
      'The code is cut, or a length is wrong: object 59 at offset 89 announces 13 characters, and 7 are left.',
  },
  {
    what: 'a code cut in the head of an object',
    code: official.static.slice(0, 91),
    sentence: 'The code is cut: it ends where an object begins at offset 89.',
  },
  {
    what: 'a code that goes on in its middle',
    code: replaceInStatic('5913Fulano de Tal', '5913Fulano de T'),
    sentence:
      'The code was cut or changed, or a length is wrong: no object begins at offset 106 where one must, with two digits of its id and two of its length.',
  },
  {
    what: 'an object that is longer than its template',
    code: replaceInStatic('0136123e', '0137123e'),
    sentence:
      'A length is wrong in a template: object 26-01 at offset 28 announces 37 characters, and 36 are left.',
  },
  {
    what: 'text without a code',
    code: 'fulano@example.com',
    sentence: 'This is not a Pix code: it does not begin with 000201.',
  },
  { what: 'nothing', code: '', sentence: 'This is not a Pix code: it does not begin with 000201.' },
  {
    what: 'a code of another arrangement',
    code: replaceInStatic('0014br.gov.bcb.pix', '0014br.gov.bcb.spi'),
    sentence: 'This is not a Pix code: expected a template of br.gov.bcb.pix in 26 to 51.',
  },
  {
    what: 'text behind the checksum',
    code: `${official.static}6103ABC`,
    sentence: 'Something stands behind the checksum at offset 129.',
  },
  {
    what: 'more than 512 bytes',
    code: '0'.repeat(513),
    sentence: 'The code is too long: it may have at most 512 bytes.',
  },
  {
    what: 'a name that is too long',
    code: replaceInStatic('5913Fulano de Tal', object('59', 'x'.repeat(26))),
    sentence: 'The name (object 59, offset 89) is too long: it may have at most 25 characters.',
  },
  {
    what: 'an invalid amount',
    code: replaceInStatic('5802BR', `${object('54', '1,50')}5802BR`),
    sentence:
      'The amount (object 54, offset 83) is invalid: expected an amount like "10.50", at most 13 characters.',
  },
  {
    what: 'an object that occurs twice',
    code: replaceInStatic('6008BRASILIA', '6008BRASILIA5905Outro'),
    sentence: 'The name (object 59, offset 118) occurs twice: expected a unique id.',
  },
  {
    what: 'an empty object of another arrangement',
    code: seal('0002012704000052040000'),
    sentence: 'Object 27-00 at offset 10 is empty: its length is 00.',
  },
  {
    what: 'a missing object',
    code: replaceInStatic('52040000', ''),
    sentence: 'The category (object 52) is missing: expected four digits.',
  },
  {
    what: 'half a character',
    code: replaceInStatic('6008BRASILIA', '6008BRAS\ud800LIA'),
    sentence: 'The code is not a text of whole characters.',
  },
  {
    what: 'a key beside a location',
    code: createAccount(object('01', 'a@b.com'), object('25', 'pix.example.com/x')),
    sentence:
      'The account (object 26, offset 6) contradicts another object: expected a key (01) or a location (25), not both.',
  },
]

test.each(cases)('explains $what', ({ code, sentence }) => {
  expect(sentenceOf(code)).toBe(sentence)
})

test('explains every malformed code without a value of it', () => {
  const mark = 'Segredo'
  for (const { code } of malformed) {
    const marked = code.replace('Fulano de Tal', `${mark} do Ze`)
    expect(sentenceOf(marked)).toMatch(/^[A-Z].*\.$/)
    expect(sentenceOf(marked)).not.toContain(mark)
  }
})

test('explains an error of encode without its values', () => {
  const decoded = tryDecode(official.staticAndRecurrence)
  if (!decoded.ok) throw decoded.error
  expect(explainEncoding({ ...decoded.code, amount: '7.77' })).toBe(
    'The field amount contradicts other fields.',
  )
  expect(explainEncoding({ key: 'segredo', ...merchant })).toBe(
    'The key (object 26-01) is invalid: expected a CPF, a CNPJ, a phone with +, an e-mail or a random key.',
  )
})

function explainEncoding(fields: object): string {
  try {
    return encode(fields as BrCodeFields)
  } catch (error) {
    if (error instanceof BrCodeError) return explain(error)
    throw error
  }
}

function sentenceOf(code: string): string {
  const result = tryDecode(code)
  if (result.ok) throw new Error(`accepted ${code}`)
  return explain(result.error)
}
