import { expect, test } from 'vitest'
import { decode, encode, tryDecode } from '../src/index.ts'
import { accountOf, extended, object, pixTemplate, recurring, seal, staticWith } from './codes.ts'
import { official } from './vectors.ts'

// Deviations in codes that banks issue.
const tolerated: Record<string, [code: string, path: string]> = {
  'a name of 26': [staticWith('5913Fulano de Tal', object('59', 'x'.repeat(26))), '59'],
  'a name that is not ASCII': [staticWith('5913Fulano de Tal', '5911CAFÉ BRASIL'), '59'],
  'a city of 19': [staticWith('6008BRASILIA', '6019Presidente Prudente'), '60'],
  'a city that is not ASCII': [staticWith('6008BRASILIA', '6008BRASÍLIA'), '60'],
  'a txid with punctuation': [
    staticWith('62070503***', object('62', object('05', 'RP12345678-2019'))),
    '62-05',
  ],
  'a txid of 32': [staticWith('62070503***', object('62', object('05', 'a'.repeat(32)))), '62-05'],
  'a txid beyond the basic plane': [
    staticWith('62070503***', object('62', object('05', '1234👀56'))),
    '62-05',
  ],
  'no txid': [staticWith('62070503***', '62120108CUSTOMER'), '62-05'],
  'a key in no form of the DICT': [accountOf(object('01', '66756C616E6F')), '26-01'],
  'a message that is not ASCII': [
    accountOf(object('01', '12345678909'), object('02', 'Cobrança')),
    '26-02',
  ],
  'an amount of zero': [staticWith('5802BR', '54040.005802BR'), '54'],
  'an amount of a charge in no form': [chargeWith('1,50'), '54'],
  'a location without a dot': [accountOf(object('25', 'localhost/x')), '26-25'],
  'a location without a path': [accountOf(object('25', 'url-location-psp')), '26-25'],
  'a location without a token': [accountOf(object('25', 'pix.example.com/cobv/')), '26-25'],
  'a location with a port': [accountOf(object('25', 'localhost:8080/x')), '26-25'],
  'a location with an empty label': [accountOf(object('25', 'pix..example.com/x')), '26-25'],
  'a name with a control character': [staticWith('Fulano de', 'Fulano\nde'), '59'],
  'a checksum in lower case': [official.static.replace('1D3D', '1d3d'), '63'],
  'a recurrence without its location': [extended(official.static, pixTemplate('80')), '80-25'],
  'a recurrence alone with /subs/ where /rec/ belongs': [
    seal(
      official.recurrence
        .slice(0, -8)
        .replace('2552pix.example.com/rec/', '2552pix.exampl.com/subs/'),
    ),
    '80-25',
  ],
  'a recurrence with /subs/ beside a charge of the same host': [
    recurring(official.immediate, 'pix.example.com/qr/v2/subs/x'),
    '80-25',
  ],
  'a fault in the template of another arrangement': [
    extended(official.static, '80040000'),
    '80-00',
  ],
}

for (const [what, [code, path]] of Object.entries(tolerated)) {
  test(`accepts ${what} and lists it; strict refuses it`, () => {
    const lenient = decode(code, { profile: 'lenient' })
    expect(lenient.issues.map((issue) => issue.path)).toEqual([path])
    expect(tryDecode(code)).toMatchObject({ ok: false, error: lenient.issues[0] })
    expect(encode(lenient, { profile: 'lenient' })).toBe(code)
    expect(() => encode(lenient)).toThrow()
  })
}

test.each([
  ['no word before its token', 'pix.example.com/x', { code: 'conflict', path: '80' }],
  ['the word of a charge', 'pix.example.com/cobv/x', { code: 'conflict', path: '80' }],
  ['/subs/ elsewhere', 'pix.example.com/subs/v2/x', { code: 'conflict', path: '80' }],
  ['/subs/ in its query', 'pix.example.com/x?u=/subs/y', { code: 'conflict', path: '80' }],
  [
    '/subs/ at another host than the charge',
    'pix.example.org/subs/x',
    { code: 'conflict', path: '26' },
  ],
])('refuses a recurrence with %s', (_, location, error) => {
  const code = recurring(official.immediate, location)
  expect(tryDecode(code, { profile: 'lenient' })).toMatchObject({ ok: false, error })
})

test('a charge at /subs/ is immediate in both profiles', () => {
  const code = accountOf(object('25', 'pix.example.com/subs/x'))
  expect(decode(code)).toMatchObject({ kind: 'immediate', issues: [] })
  expect(decode(code, { profile: 'lenient' })).toEqual(decode(code))
})

test('ignores any amount of a code without a key, and still validates that of a code with a key', () => {
  const recurring = official.recurrence.slice(0, -8).replace('5802BR', '54041,505802BR')
  for (const code of [
    chargeWith('1,50'),
    chargeWith('x'),
    chargeWith('9'.repeat(14)),
    seal(recurring),
  ])
    expect(decode(code, { profile: 'lenient' })).toMatchObject({
      amount: undefined,
      ignored: ['54'],
    })
  const composite = official.staticAndRecurrence.slice(0, -8).replace('100.50', '100,50')
  expect(tryDecode(seal(composite), { profile: 'lenient' })).toMatchObject({
    error: { path: '54' },
  })
})

test('ignores a template of Pix in 80 to 99 without a location, as in codes from before recurrences', () => {
  const old = pixTemplate('81', object('01', 'padrao'))
  const both = extended(official.staticAndRecurrence, old)
  expect(decode(both, { profile: 'lenient' })).toMatchObject({
    recurrence: 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002',
    issues: [],
  })
  const alone = extended(official.static, old)
  expect(decode(alone, { profile: 'lenient' })).toMatchObject({ recurrence: undefined, issues: [] })
})

test('a code that strict accepts has no issues in either profile', () => {
  for (const code of Object.values(official)) {
    expect(decode(code, { profile: 'lenient' })).toEqual(decode(code))
  }
})

test('lists every issue of a code that has several', () => {
  const code = accountOf(object('01', 'x')).slice(0, -8).replace('BRASILIA', 'BRASÍLIA')
  expect(decode(seal(code), { profile: 'lenient' }).issues.map(({ path }) => path)).toEqual([
    '26-01',
    '60',
  ])
})

const never: Record<string, string> = {
  'a wrong checksum': official.static.replace('1D3D', '1D3E'),
  // The ligature U+FB00 is FF in upper case, and FFFF is the checksum of the preceding bytes.
  'a checksum that is one in upper case alone':
    '00020126330014br.gov.bcb.pix0111123456789095204000053039865802BR5904Fzk86008BRASILIA62070503***6302\ufb00\ufb00',
  'a fault inside the template of Pix': staticWith('0136123e', '0137123e'),
  'an empty object inside the template of Pix': accountOf(object('01', '12345678909'), '0200'),
  'an empty txid': staticWith('62070503***', '62040500'),
  'an amount in no form': staticWith('5802BR', `${object('54', '1,50')}5802BR`),
  'another currency': staticWith('5303986', '5303840'),
  'no name': staticWith('5913Fulano de Tal', ''),
  'key and location': accountOf(object('01', 'a@b.com'), object('25', 'pix.example.com/x')),
  'a location with a scheme': accountOf(object('25', 'https://pix.example.com/x')),
  'a location with user information': accountOf(object('25', 'pix.example.com@evil.example/x')),
  'a location with a space': accountOf(object('25', 'pix.example.com/a b')),
}

test.each(Object.entries(never))('never accepts %s', (_, code) => {
  expect(tryDecode(code, { profile: 'lenient' }).ok).toBe(false)
})

/** The manual's dynamic code with an amount. */
function chargeWith(amount: string): string {
  return seal(official.immediate.slice(0, -8).replace('5802BR', `${object('54', amount)}5802BR`))
}
