import { expect, test } from 'vitest'
import { decode, encode, tryDecode } from '../src/index.ts'
import {
  createAccount,
  extended,
  object,
  pixTemplate,
  recurring,
  replaceInStatic,
  seal,
} from './codes.ts'
import { official } from './vectors.ts'

// Deviations in codes that banks issue.
const tolerated: readonly { what: string; code: string; path: string }[] = [
  {
    what: 'a name of 26',
    code: replaceInStatic('5913Fulano de Tal', object('59', 'x'.repeat(26))),
    path: '59',
  },
  {
    what: 'a name that is not ASCII',
    code: replaceInStatic('5913Fulano de Tal', '5911CAFÉ BRASIL'),
    path: '59',
  },
  {
    what: 'a city of 19',
    code: replaceInStatic('6008BRASILIA', '6019Presidente Prudente'),
    path: '60',
  },
  {
    what: 'a city that is not ASCII',
    code: replaceInStatic('6008BRASILIA', '6008BRASÍLIA'),
    path: '60',
  },
  {
    what: 'a txid with punctuation',
    code: replaceInStatic('62070503***', object('62', object('05', 'RP12345678-2019'))),
    path: '62-05',
  },
  {
    what: 'a txid of 32',
    code: replaceInStatic('62070503***', object('62', object('05', 'a'.repeat(32)))),
    path: '62-05',
  },
  {
    what: 'a txid beyond the basic plane',
    code: replaceInStatic('62070503***', object('62', object('05', '1234👀56'))),
    path: '62-05',
  },
  { what: 'no txid', code: replaceInStatic('62070503***', '62120108CUSTOMER'), path: '62-05' },
  { what: 'no object 62', code: replaceInStatic('62070503***', ''), path: '62' },
  {
    what: 'a key in no form of the DICT',
    code: createAccount(object('01', '66756C616E6F')),
    path: '26-01',
  },
  {
    what: 'a message that is not ASCII',
    code: createAccount(object('01', '12345678909'), object('02', 'Cobrança')),
    path: '26-02',
  },
  { what: 'an amount of zero', code: replaceInStatic('5802BR', '54040.005802BR'), path: '54' },
  { what: 'an amount of a charge in no form', code: chargeWith('1,50'), path: '54' },
  {
    what: 'a location without a dot',
    code: createAccount(object('25', 'localhost/x')),
    path: '26-25',
  },
  {
    what: 'a location without a path',
    code: createAccount(object('25', 'url-location-psp')),
    path: '26-25',
  },
  {
    what: 'a location without a token',
    code: createAccount(object('25', 'pix.example.com/cobv/')),
    path: '26-25',
  },
  {
    what: 'a location with a port',
    code: createAccount(object('25', 'localhost:8080/x')),
    path: '26-25',
  },
  {
    what: 'a location with an empty label',
    code: createAccount(object('25', 'pix..example.com/x')),
    path: '26-25',
  },
  {
    what: 'a name with a control character',
    code: replaceInStatic('Fulano de', 'Fulano\nde'),
    path: '59',
  },
  { what: 'a checksum in lower case', code: official.static.replace('1D3D', '1d3d'), path: '63' },
  {
    what: 'a recurrence without its location',
    code: extended(official.static, pixTemplate('80')),
    path: '80-25',
  },
  {
    what: 'a recurrence alone with /subs/ where /rec/ belongs',
    code: seal(
      official.recurrence
        .slice(0, -8)
        .replace('2552pix.example.com/rec/', '2552pix.exampl.com/subs/'),
    ),
    path: '80-25',
  },
  {
    what: 'a recurrence with /subs/ beside a charge of the same host',
    code: recurring(official.immediate, 'pix.example.com/qr/v2/subs/x'),
    path: '80-25',
  },
  {
    what: 'a fault in the template of another arrangement',
    code: extended(official.static, '80040000'),
    path: '80-00',
  },
]

for (const { what, code, path } of tolerated) {
  test(`accepts ${what} and lists it; strict refuses it`, () => {
    const lenient = decode(code, { profile: 'lenient' })
    expect(lenient.issues.map((issue) => issue.path)).toEqual([path])
    expect(tryDecode(code)).toMatchObject({ ok: false, error: lenient.issues[0] })
    expect(encode(lenient, { profile: 'lenient' })).toBe(code)
    expect(() => encode(lenient)).toThrow()
  })
}

test.each([
  { what: 'no segment before its token', location: 'pix.example.com/x' },
  { what: 'the segment of a charge', location: 'pix.example.com/cobv/x' },
  { what: '/subs/ elsewhere', location: 'pix.example.com/subs/v2/x' },
  { what: '/subs/ in its query', location: 'pix.example.com/x?u=/subs/y' },
  { what: '/subs/ at another host than the charge', location: 'pix.example.org/subs/x' },
])('refuses an immediate code whose recurrence has $what', ({ location }) => {
  const code = recurring(official.immediate, location)
  expect(tryDecode(code, { profile: 'lenient' })).toMatchObject({
    ok: false,
    error: { code: 'conflict', path: '80' },
  })
})

const dueDate = official.dueDateAndRecurrence.slice(
  0,
  official.dueDateAndRecurrence.indexOf('8080'),
)
const dueDateCode = seal(dueDate)

// An error in the recurrence stops no payment that is possible without it (3.3.2).
const faultyRecurrences: readonly { what: string; objects: string[]; issue: object }[] = [
  {
    what: 'at another host than the charge',
    objects: [pixTemplate('80', object('25', 'pix.example.org/rec/x'))],
    issue: { code: 'conflict', path: '80', expected: 'the host of the charge' },
  },
  {
    what: 'without /rec/',
    objects: [pixTemplate('80', object('25', 'pix.example.com/x'))],
    issue: { code: 'conflict', path: '80' },
  },
  {
    what: 'with a scheme',
    objects: [pixTemplate('80', object('25', 'https://pix.example.com/rec/x'))],
    issue: { code: 'value', path: '80-25' },
  },
  {
    what: 'without its location',
    objects: [pixTemplate('80')],
    issue: { code: 'missing', path: '80-25' },
  },
  {
    what: 'that cannot be read',
    objects: [pixTemplate('80', '2599pix.example.com/rec/x')],
    issue: { code: 'structure', path: '80-25' },
  },
  {
    what: 'that is readable up to an error behind its location',
    objects: [pixTemplate('80', object('25', 'pix.example.com/rec/x'), '0299x')],
    issue: { code: 'structure', path: '80-02' },
  },
  {
    what: 'beside a second one',
    objects: [
      pixTemplate('80', object('25', 'pix.example.com/rec/x')),
      pixTemplate('81', object('25', 'pix.example.com/rec/y')),
    ],
    issue: { code: 'duplicate', path: '81' },
  },
]

test.each(faultyRecurrences)(
  'keeps a payment with a due date beside a recurrence $what',
  ({ objects, issue }) => {
    const code = extended(dueDateCode, ...objects)
    const payment = decode(dueDateCode)
    const lenient = decode(code, { profile: 'lenient' })
    expect({ ...lenient, objects: payment.objects }).toEqual({
      ...payment,
      issues: [expect.objectContaining(issue)],
    })
    expect(encode(lenient, { profile: 'lenient' })).toBe(code)
    expect(encode({ ...lenient, objects: undefined })).toBe(
      encode({ ...payment, objects: undefined }),
    )
    expect(tryDecode(code)).toMatchObject({ ok: false, error: issue })
  },
)

test.each(faultyRecurrences.filter(({ what }) => !what.includes('host')))(
  'keeps the payment of a static code beside a recurrence $what',
  ({ objects, issue }) => {
    const code = extended(official.static, ...objects)
    expect(decode(code, { profile: 'lenient' })).toMatchObject({
      kind: 'static',
      key: '123e4567-e12b-12d1-a456-426655440000',
      recurrence: undefined,
      issues: [issue],
    })
  },
)

test.each(faultyRecurrences)(
  'stops at an immediate code with a recurrence $what',
  ({ objects, issue }) => {
    const code = extended(official.immediate, ...objects)
    expect(tryDecode(code, { profile: 'lenient' })).toMatchObject({ ok: false, error: issue })
  },
)

test('refuses a recurrence alone that is faulty, and a withdrawal beside a faulty one', () => {
  const alone = official.recurrence.slice(0, -8).replace('/rec/', '/xxx/')
  expect(tryDecode(seal(alone), { profile: 'lenient' })).toMatchObject({
    error: { code: 'conflict', path: '80' },
  })
  const withdrawal = createAccount(object('01', '12345678909'), object('03', '12345678'))
  for (const { objects } of faultyRecurrences.slice(1))
    expect(tryDecode(extended(withdrawal, ...objects), { profile: 'lenient' }).ok).toBe(false)
})

test('never writes a recurrence that it would not read, in the lenient profile either', () => {
  const fields = { location: 'pix.example.com/cobv/x', merchantName: 'N', merchantCity: 'C' }
  expect(() =>
    encode({ ...fields, recurrence: 'pix.example.org/rec/x' }, { profile: 'lenient' }),
  ).toThrow('80: expected the host of the charge')
})

test('a charge at /subs/ is immediate in both profiles', () => {
  const code = createAccount(object('25', 'pix.example.com/subs/x'))
  expect(decode(code)).toMatchObject({ kind: 'immediate', issues: [] })
  expect(decode(code, { profile: 'lenient' })).toEqual(decode(code))
})

test('ignores any amount of a code without a key, and still validates that of a code with a key', () => {
  const recurrence = official.recurrence.slice(0, -8).replace('5802BR', '54041,505802BR')
  const codes = [chargeWith('1,50'), chargeWith('x'), chargeWith('9'.repeat(14)), seal(recurrence)]
  for (const code of codes)
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
  const code = createAccount(object('01', 'x')).slice(0, -8).replace('BRASILIA', 'BRASÍLIA')
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
  'a fault inside the template of Pix': replaceInStatic('0136123e', '0137123e'),
  'an empty object inside the template of Pix': createAccount(object('01', '12345678909'), '0200'),
  'an empty txid': replaceInStatic('62070503***', '62040500'),
  'an amount in no form': replaceInStatic('5802BR', `${object('54', '1,50')}5802BR`),
  'another currency': replaceInStatic('5303986', '5303840'),
  'no name': replaceInStatic('5913Fulano de Tal', ''),
  'key and location': createAccount(object('01', 'a@b.com'), object('25', 'pix.example.com/x')),
  'a location with a scheme': createAccount(object('25', 'https://pix.example.com/x')),
  'a location with user information': createAccount(object('25', 'pix.example.com@evil.example/x')),
  'a location with a space': createAccount(object('25', 'pix.example.com/a b')),
}

test.each(Object.entries(never))('never accepts %s', (_, code) => {
  expect(tryDecode(code, { profile: 'lenient' }).ok).toBe(false)
})

/** The manual's dynamic code with an amount. */
function chargeWith(amount: string): string {
  return seal(official.immediate.slice(0, -8).replace('5802BR', `${object('54', amount)}5802BR`))
}
