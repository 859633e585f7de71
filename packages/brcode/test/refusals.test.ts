import { expect, test } from 'vitest'
import { malformed } from '../bench/malformed.ts'
import { BrCodeError, decode, type Issue, tryDecode } from '../src/index.ts'
import { accountOf, issueOf, object, seal, staticWith } from './codes.ts'
import { official } from './vectors.ts'

function errorOf(code: string): BrCodeError {
  const result = tryDecode(code)
  if (result.ok) throw new Error(`accepted ${code}`)
  return result.error
}

/** The manual's static code with a recurrence. */
function recurring(location: string): string {
  const template = object('00', 'br.gov.bcb.pix') + object('25', location)
  return seal(official.static.slice(0, -8) + object('80', template))
}

const cases: Record<string, [code: string, expected: string | Partial<Issue>]> = {
  'an id that is not digits': [staticWith('5204', 'x204'), 'structure x2 68'],
  'a length that is not digits': [staticWith('5204', '52-4'), 'structure 52 68'],
  'a value that runs past the end': [
    seal('000201').replace('6304', '6399'),
    { code: 'structure', path: '63', offset: 6, expected: 'a value of 99 characters' },
  ],
  'a length past the end of a template': [staticWith('0136123e', '0137123e'), 'structure 26-01 28'],
  'a template length of three digits': [staticWith('2658', '26058'), 'structure'],
  'a length of 00': [staticWith('6008BRASILIA', '6000'), 'empty 60'],
  'a length of 00 in a template': [staticWith('62070503***', '62040500'), 'empty 62-05'],
  'an object that occurs twice': [staticWith('5802BR', '5802BR5802BR'), 'duplicate 58 89'],
  'an object out of order that occurs twice': [staticWith('5802BR', '5802BR53039865911'), 'duplicate 53'],
  '00 that is not first': [seal(`010211${official.static.slice(0, -8)}`), 'order 00 6'],
  '63 that is not last': [`${official.static}6103ABC`, 'order 63'],
  'a missing checksum': [official.static.slice(0, -8), { code: 'missing', path: '63', found: undefined }],
  'a wrong checksum': [
    official.static.replace('1D3D', '1D3E'),
    { code: 'crc', path: '63', offset: 129, expected: '1D3D', found: '1D3E' },
  ],
  'a checksum of five characters': [
    official.static.replace('63041D3D', '63051D3D1'),
    { code: 'crc', path: '63', offset: 129, expected: 'four hexadecimal digits', found: '1D3D1' },
  ],
  'a template of another arrangement alone': [staticWith('bcb.pix', 'bcb.spi'), 'not-pix 26'],
  'two templates of Pix': [
    staticWith(
      '5204',
      `${object('27', `${object('00', 'br.gov.bcb.pix')}0111123456789095204`.slice(0, 33))}5204`,
    ),
    'duplicate 27',
  ],
  'neither key nor location': [accountOf(object('02', 'oi')), 'missing 26-01 6'],
  'key and location': [accountOf(object('01', 'a@b.com'), object('25', 'pix.example.com/x')), 'conflict 26'],
  'a withdrawal beside a location': [
    accountOf(object('03', '12345678'), object('25', 'pix.example.com/x')),
    'conflict 26',
  ],
  'a withdrawal beside a recurrence': [
    seal(
      accountOf(object('01', '12345678909'), object('03', '12345678')).slice(0, -8) +
        object('80', object('00', 'br.gov.bcb.pix') + object('25', 'pix.example.com/rec/x')),
    ),
    'conflict 26',
  ],
  'a recurrence at another host': [
    seal(
      official.immediate.slice(0, -8) +
        object('80', object('00', 'br.gov.bcb.pix') + object('25', 'pix.example.org/rec/x')),
    ),
    'conflict 26',
  ],
  'a recurrence without /rec/': [recurring('pix.example.com/x'), 'conflict 80 129'],
  'a recurrence with /rec/ in its query alone': [recurring('a.b/x?u=/rec/y'), 'conflict'],
  'two recurrences': [
    seal(
      official.recurrence.slice(0, -8) +
        object('81', object('00', 'br.gov.bcb.pix') + object('25', 'pix.example.com/rec/x')),
    ),
    'duplicate 81',
  ],
  'a recurrence without its location beside one that has it': [
    seal(official.recurrence.slice(0, -8) + object('99', object('00', 'BR.GOV.BCB.PIX'))),
    'missing 99-25',
  ],
  'a recurrence with something else in place of its location': [
    seal(official.static.slice(0, -8) + object('81', `${object('00', 'br.gov.bcb.pix')}0103abc`)),
    'missing 81-25',
  ],
  'the location of a recurrence in the account': [
    accountOf(object('25', 'pix.example.com/rec/x')),
    'conflict 26',
  ],
  'a payload format other than 01': [
    staticWith('000201', '000202'),
    { code: 'value', path: '00', found: '02' },
  ],
  'a point of initiation other than 11 and 12': [staticWith('000201', '000201010213'), 'value 01'],
  'a category that is not four digits': [staticWith('52040000', '5203000'), 'value 52'],
  'another currency': [staticWith('5303986', '5303840'), { code: 'value', path: '53', found: '840' }],
  'another country': [staticWith('5802BR', '5802AR'), 'value 58'],
  'a city of 16': [staticWith('6008BRASILIA', object('60', 'x'.repeat(16))), 'value 60'],
  'a postal code of 11': [staticWith('62070503', '61111234567890162070503'), 'value 61'],
  'a txid with a hyphen': [
    staticWith('62070503***', '62070503a-b'),
    { code: 'value', path: '62-05', found: 'a-b' },
  ],
  'a txid of 26': [staticWith('62070503***', object('62', object('05', 'a'.repeat(26)))), 'value'],
  'no 62': [staticWith('62070503***', ''), 'missing 62'],
  'no name': [staticWith('5913Fulano de Tal', ''), { code: 'missing', path: '59', offset: undefined }],
  'a location with a scheme': [accountOf(object('25', 'https://pix.example.com/x')), 'value 26-25'],
  'a location with user information': [accountOf(object('25', 'pix.example.com@evil.example/x')), 'value'],
  'half a character': [staticWith('6008BRASILIA', '6008BRAS\ud800LIA'), 'text '],
  'more than 512 bytes': ['0'.repeat(513), { code: 'size', path: '', found: '513' }],
  'more than 512 bytes in fewer characters': ['é'.repeat(257), { code: 'size', found: '514' }],
}

for (const location of ['a.b/', 'a.b/cob/', 'a.b/cobv/?x=y', 'a.b/cobv/#x', 'a.b/?x', 'a.b/#x/y']) {
  cases[`a location without a token: ${location}`] = [
    accountOf(object('25', location)),
    { code: 'value', path: '26-25', found: location },
  ]
}

for (const recurrence of ['a.b/rec/', 'a.b/rec/?x']) {
  cases[`a recurrence without a token: ${recurrence}`] = [
    recurring(recurrence),
    { code: 'value', path: '80-25', found: recurrence },
  ]
}

for (const amount of ['1,5', '9.8735', '99999999999.99', '-1.00', '+1', '1e3', '.', '.5', ' 1', '٣', '0']) {
  cases[`an amount of ${amount}`] = [
    staticWith('5802BR', `${object('54', amount)}5802BR`),
    { code: 'value', path: '54', offset: 83, found: amount },
  ]
}

for (const [what, [code, expected]] of Object.entries(cases)) {
  test(`refuses ${what}`, () => {
    expect(errorOf(code)).toMatchObject(issueOf(expected))
  })
}

test.each(malformed)('refuses the malformed code of the benchmark: %s', (_, code) => {
  expect(errorOf(code)).toBeInstanceOf(BrCodeError)
})

test('refuses a value that is not a string', () => {
  for (const code of [undefined, null, 12, {}, [], Symbol('x'), new String('x')]) {
    // @ts-expect-error a code is a string
    expect(() => decode(code)).toThrow(BrCodeError)
  }
})

test('states what was expected, where, and what was received', () => {
  expect(errorOf(staticWith('5802BR', '54031,55802BR')).message).toMatchInlineSnapshot(
    `"54 at 83: expected an amount like "10.50", at most 13 characters, got "1,5""`,
  )
  expect(errorOf(staticWith('62070503***', '')).message).toMatchInlineSnapshot(
    `"62: expected a template with 05, got nothing"`,
  )
  expect(errorOf('0'.repeat(600)).message).toMatchInlineSnapshot(
    `"code at 0: expected at most 512 bytes, got "600""`,
  )
})

test('an error has a stable shape', () => {
  const error = errorOf(staticWith('5303986', '5303840'))
  expect(error).toBeInstanceOf(Error)
  expect(error.name).toBe('BrCodeError')
  expect({ ...error }).toEqual({
    name: 'BrCodeError',
    code: 'value',
    path: '53',
    offset: 76,
    expected: '"986"',
    found: '840',
  })
})
