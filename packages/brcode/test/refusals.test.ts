import { expect, test } from 'vitest'
import { malformed } from '../bench/malformed.ts'
import { BrCodeError, decode, tryDecode } from '../src/index.ts'
import { accountOf, extended, object, pixTemplate, recurring, seal, staticWith } from './codes.ts'
import { type Expected, expectError } from './expect.ts'
import { official } from './vectors.ts'

function errorOf(code: string): BrCodeError {
  const result = tryDecode(code)
  if (result.ok) throw new Error(`accepted ${code}`)
  return result.error
}

const cases: [what: string, code: string, expected: Expected][] = [
  ...malformed,
  ['an id that is not digits', staticWith('5204', 'x204'), 'structure x2 68'],
  ['a length that is not digits', staticWith('5204', '52-4'), 'structure 52 68'],
  ['a value that runs past the end', seal('000201').replace('6304', '6399'), 'structure 63 6'],
  ['an object that occurs twice', staticWith('5802BR', '5802BR5802BR'), 'duplicate 58 89'],
  [
    'an object out of order that occurs twice',
    staticWith('5802BR', '5802BR53039865911'),
    'duplicate 53',
  ],
  ['a checksum of five characters', official.static.replace('63041D3D', '63051D3D1'), 'crc 63 129'],
  [
    'a withdrawal beside a recurrence',
    recurring(
      accountOf(object('01', '12345678909'), object('03', '12345678')),
      'pix.example.com/rec/x',
    ),
    'conflict 26',
  ],
  [
    'a recurrence at another host',
    recurring(official.immediate, 'pix.example.org/rec/x'),
    'conflict 26',
  ],
  [
    'a recurrence without /rec/',
    recurring(official.static, 'pix.example.com/x'),
    'conflict 80 129',
  ],
  [
    'a recurrence with /rec/ in its query alone',
    recurring(official.static, 'a.b/x?u=/rec/y'),
    'conflict',
  ],
  [
    'two recurrences',
    extended(official.recurrence, pixTemplate('81', object('25', 'pix.example.com/rec/x'))),
    'duplicate 81',
  ],
  [
    'a recurrence without its location beside one that has it',
    extended(official.recurrence, object('99', object('00', 'BR.GOV.BCB.PIX'))),
    'missing 99-25',
  ],
  [
    'a recurrence with something else in place of its location',
    extended(official.static, pixTemplate('81', '0103abc')),
    'missing 81-25',
  ],
  [
    'the location of a recurrence in the account',
    accountOf(object('25', 'pix.example.com/rec/x')),
    'conflict 26',
  ],
  ['a category that is not four digits', staticWith('52040000', '5203000'), 'value 52'],
  ['a city of 16', staticWith('6008BRASILIA', object('60', 'x'.repeat(16))), 'value 60'],
  ['a postal code of 11', staticWith('62070503', '61111234567890162070503'), 'value 61'],
  ['a txid with a hyphen', staticWith('62070503***', '62070503a-b'), 'value 62-05'],
  ['a txid of 26', staticWith('62070503***', object('62', object('05', 'a'.repeat(26)))), 'value'],
  [
    'a location with user information',
    accountOf(object('25', 'pix.example.com@evil.example/x')),
    'value',
  ],
  ['half a character', staticWith('6008BRASILIA', '6008BRAS\ud800LIA'), 'text '],
  ['more than 512 digits', '0'.repeat(513), { code: 'size', path: '', found: '513' }],
  ['more than 512 bytes in fewer characters', 'é'.repeat(257), { code: 'size', found: '514' }],
  ...['a.b/', 'a.b/cob/', 'a.b/cobv/?x=y', 'a.b/cobv/#x', 'a.b/?x', 'a.b/#x/y'].map(
    (location): (typeof cases)[number] => [
      `a location without a token: ${location}`,
      accountOf(object('25', location)),
      { code: 'value', path: '26-25', found: location },
    ],
  ),
  ...['a.b/rec/', 'a.b/rec/?x'].map((location): (typeof cases)[number] => [
    `a recurrence without a token: ${location}`,
    recurring(official.static, location),
    { code: 'value', path: '80-25', found: location },
  ]),
  ...['99999999999.99', '+1', '1e3', '.', '.5', ' 1', '٣', '0'].map(
    (amount): (typeof cases)[number] => [
      `an amount of ${amount}`,
      staticWith('5802BR', `${object('54', amount)}5802BR`),
      { code: 'value', path: '54', offset: 83, found: amount },
    ],
  ),
]

test.each(cases)('refuses %s', (_, code, expected) => {
  expectError(errorOf(code), expected)
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
  const issue = { code: 'value', path: '53', offset: 76, expected: '"986"', found: '840' }
  expect({ ...error }).toEqual({ name: 'BrCodeError', ...issue })
})
