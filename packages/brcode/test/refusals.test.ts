import { expect, test } from 'vitest'
import { type MalformedCode, malformed } from '../bench/malformed.ts'
import { BrCodeError, decode, tryDecode } from '../src/index.ts'
import {
  createAccount,
  extended,
  object,
  pixTemplate,
  recurring,
  replaceInStatic,
  seal,
} from './codes.ts'
import { expectError } from './expect.ts'
import { official } from './vectors.ts'

function errorOf(code: string): BrCodeError {
  const result = tryDecode(code)
  if (result.ok) throw new Error(`accepted ${code}`)
  return result.error
}

const cases: readonly MalformedCode[] = [
  ...malformed,
  {
    fault: 'an id that is not digits',
    code: replaceInStatic('5204', 'x204'),
    expected: 'structure x2 68',
  },
  {
    fault: 'a length that is not digits',
    code: replaceInStatic('5204', '52-4'),
    expected: 'structure 52 68',
  },
  {
    fault: 'a value that runs past the end',
    code: seal('000201').replace('6304', '6399'),
    expected: 'structure 63 6',
  },
  {
    fault: 'an object that occurs twice',
    code: replaceInStatic('5802BR', '5802BR5802BR'),
    expected: 'duplicate 58 89',
  },
  {
    fault: 'an object out of order that occurs twice',
    code: replaceInStatic('5802BR', '5802BR53039865911'),
    expected: 'duplicate 53',
  },
  {
    fault: 'a checksum of five characters',
    code: official.static.replace('63041D3D', '63051D3D1'),
    expected: 'crc 63 129',
  },
  {
    fault: 'a withdrawal beside a recurrence',
    code: recurring(
      createAccount(object('01', '12345678909'), object('03', '12345678')),
      'pix.example.com/rec/x',
    ),
    expected: 'conflict 26',
  },
  {
    fault: 'a recurrence at another host',
    code: recurring(official.immediate, 'pix.example.org/rec/x'),
    expected: 'conflict 80 147',
  },
  {
    fault: 'a recurrence without /rec/',
    code: recurring(official.static, 'pix.example.com/x'),
    expected: 'conflict 80 129',
  },
  {
    fault: 'a recurrence with /rec/ in its query alone',
    code: recurring(official.static, 'a.b/x?u=/rec/y'),
    expected: 'conflict',
  },
  {
    fault: 'two recurrences',
    code: extended(official.recurrence, pixTemplate('81', object('25', 'pix.example.com/rec/x'))),
    expected: 'duplicate 81',
  },
  {
    fault: 'a recurrence without its location beside one that has it',
    code: extended(official.recurrence, object('99', object('00', 'BR.GOV.BCB.PIX'))),
    expected: 'missing 99-25',
  },
  {
    fault: 'a recurrence with something else in place of its location',
    code: extended(official.static, pixTemplate('81', '0103abc')),
    expected: 'missing 81-25',
  },
  {
    fault: 'the location of a recurrence in the account',
    code: createAccount(object('25', 'pix.example.com/rec/x')),
    expected: 'conflict 26',
  },
  {
    fault: 'a category that is not four digits',
    code: replaceInStatic('52040000', '5203000'),
    expected: 'value 52',
  },
  {
    fault: 'a city of 16',
    code: replaceInStatic('6008BRASILIA', object('60', 'x'.repeat(16))),
    expected: 'value 60',
  },
  {
    fault: 'a postal code of 11',
    code: replaceInStatic('62070503', '61111234567890162070503'),
    expected: 'value 61',
  },
  {
    fault: 'a txid with a hyphen',
    code: replaceInStatic('62070503***', '62070503a-b'),
    expected: 'value 62-05',
  },
  {
    fault: 'a txid of 26',
    code: replaceInStatic('62070503***', object('62', object('05', 'a'.repeat(26)))),
    expected: 'value',
  },
  {
    fault: 'a location with user information',
    code: createAccount(object('25', 'pix.example.com@evil.example/x')),
    expected: 'value',
  },
  {
    fault: 'half a character',
    code: replaceInStatic('6008BRASILIA', '6008BRAS\ud800LIA'),
    expected: 'text ',
  },
  {
    fault: 'more than 512 digits',
    code: '0'.repeat(513),
    expected: { code: 'size', path: '', found: '513' },
  },
  {
    fault: 'more than 512 bytes in fewer characters',
    code: 'é'.repeat(257),
    expected: { code: 'size', found: '514' },
  },
]

for (const { fault, code, expected } of cases) {
  test(`refuses ${fault}`, () => {
    expectError(errorOf(code), expected)
  })
}

test.each(['a.b/', 'a.b/cob/', 'a.b/cobv/?x=y', 'a.b/cobv/#x', 'a.b/?x', 'a.b/#x/y'])(
  'refuses a location without a token: %s',
  (location) => {
    const error = errorOf(createAccount(object('25', location)))
    expectError(error, { code: 'value', path: '26-25', found: location })
  },
)

test.each(['a.b/rec/', 'a.b/rec/?x'])('refuses a recurrence without a token: %s', (location) => {
  const error = errorOf(recurring(official.static, location))
  expectError(error, { code: 'value', path: '80-25', found: location })
})

test.each(['99999999999.99', '+1', '1e3', '.', '.5', ' 1', '٣', '0'])(
  'refuses an amount of %s',
  (amount) => {
    const error = errorOf(replaceInStatic('5802BR', `${object('54', amount)}5802BR`))
    expectError(error, { code: 'value', path: '54', offset: 83, found: amount })
  },
)

test('refuses a value that is not a string', () => {
  for (const code of [undefined, null, 12, {}, [], Symbol('x'), new String('x')]) {
    // @ts-expect-error a code is a string
    expect(() => decode(code)).toThrow(BrCodeError)
  }
})

test('states what was expected, where, and what was received', () => {
  expect(errorOf(replaceInStatic('5802BR', '54031,55802BR')).message).toMatchInlineSnapshot(
    `"54 at 83: expected an amount like "10.50", at most 13 characters, got "1,5""`,
  )
  expect(errorOf(replaceInStatic('62070503***', '')).message).toMatchInlineSnapshot(
    `"62: expected a template with 05, got nothing"`,
  )
  expect(errorOf('0'.repeat(600)).message).toMatchInlineSnapshot(
    `"code at 0: expected at most 512 bytes, got "600""`,
  )
})

test('escapes control characters in its message, also those where an object must begin', () => {
  expect(errorOf('000201\u001b[2J').message).toBe(
    String.raw`\u001B[ at 6: expected an id of two digits, got "\u001b[2J"`,
  )
  const name = errorOf(replaceInStatic('Fulano de', 'Fula\u009b\u202e de'))
  expect(name.message).toContain(String.raw`got "Fula\u009B\u202E de Tal"`)
  expect(name.found).toBe('Fula\u009b\u202e de Tal')
})

test('an error has a stable shape', () => {
  const error = errorOf(replaceInStatic('5303986', '5303840'))
  expect(error).toBeInstanceOf(Error)
  const issue = { code: 'value', path: '53', offset: 76, expected: '"986"', found: '840' }
  expect({ ...error }).toEqual({ name: 'BrCodeError', ...issue })
})
