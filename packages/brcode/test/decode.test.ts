import { expect, test } from 'vitest'
import { decode, tryDecode } from '../src/index.ts'
import { createAccount, object, replaceInStatic, seal } from './codes.ts'
import { emvco, official } from './vectors.ts'

test('reads the static code of the manual', () => {
  expect(decode(official.static)).toEqual({
    kind: 'static',
    account: '26',
    key: '123e4567-e12b-12d1-a456-426655440000',
    merchantName: 'Fulano de Tal',
    merchantCity: 'BRASILIA',
    objects: expect.any(Array),
    ignored: [],
    issues: [],
  })
})

test('determines the kind from the code alone', () => {
  expect(decode(official.static).kind).toBe('static')
  expect(decode(official.immediate)).toMatchObject({
    kind: 'immediate',
    location: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441',
    pointOfInitiation: '12',
  })
  expect(decode(official.dueDateAndRecurrence).kind).toBe('due-date')
  expect(decode(official.recurrence).kind).toBe('recurrence')
})

test('decodes the recurrence of a composite code beside its key or location', () => {
  const recurrence = 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002'
  expect(decode(official.recurrence)).toMatchObject({ recurrence })
  expect(decode(official.staticAndRecurrence)).toMatchObject({
    kind: 'static',
    amount: '100.50',
    recurrence,
  })
  expect(decode(official.immediateAndRecurrence)).toMatchObject({ kind: 'immediate', recurrence })
})

test.each([
  { kind: 'immediate', locations: ['a.b/cob/8f3adf0c', 'a.b/8f3adf0c', 'a.b/cobv'] },
  {
    kind: 'immediate',
    locations: ['a.b/x?u=/cobv/y', 'a.b/x#/cobv/y', 'a.b/x?u=/rec/y', 'a.b/x#?/rec/y'],
  },
  {
    kind: 'due-date',
    locations: [
      'a.b/v2/cobv/8f3adf0c',
      'a.b/cobv/x?u=/cob/y',
      'a.b/cobv/x#/rec/y',
      'a.b/v2/cobv/x?y',
    ],
  },
])(
  'reads the kind $kind from the segment before the token of the path: $locations',
  ({ kind, locations }) => {
    for (const location of locations)
      expect(decode(createAccount(object('25', location))).kind).toBe(kind)
  },
)

test('keeps every object in order with its offset', () => {
  const { objects } = decode(official.immediate)
  expect(objects.map(({ id }) => id).join(' ')).toBe('00 01 26 52 53 58 59 60 62 63')
  for (const { id, value, offset } of objects)
    expect(official.immediate.startsWith(object(id, value), offset)).toBe(true)
})

test('lists amount, txid and message of a dynamic code in `ignored`', () => {
  const body = official.immediate.slice(0, -8).replace('62070503***', '54041.0062080504abcd')
  const code = decode(seal(body))
  expect(code.ignored).toEqual(['54', '62-05'])
  expect([code.amount, code.txid]).toEqual([undefined, undefined])
  const message = createAccount(object('02', 'oi'), object('25', 'pix.example.com/8f3adf0c'))
  expect(decode(message.replace(/^000201/, '000201')).ignored).toEqual(['26-02'])
})

test('reads *** as no txid and 0000 as no category', () => {
  expect(decode(official.static)).toMatchObject({ txid: undefined, merchantCategory: undefined })
  expect(decode(replaceInStatic('***', 'a1B')).txid).toBe('a1B')
  expect(decode(replaceInStatic('52040000', '52048299')).merchantCategory).toBe('8299')
})

test('finds the template of Pix in 26 to 51, in any letter case, among templates of others', () => {
  expect(decode(replaceInStatic('26580014br.gov.bcb.pix', '51580014br.gov.bcb.pix')).account).toBe(
    '51',
  )
  expect(decode(replaceInStatic('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')).account).toBe('26')
  // From a real code: another arrangement repeats an identifier with hyphens, on which a recursive
  // parser hangs.
  const other = object(
    '27',
    object('00', 'BR.COM.OUTRO') + object('01', '8D7D27E8-7167-4289-A1A7-90A18A26C126'),
  )
  expect(decode(replaceInStatic('5204', `${other}5204`)).objects.map(({ id }) => id)).toContain(
    '27',
  )
})

test('accepts every format of a decimal amount in reais', () => {
  for (const amount of ['100', '10.', '0.9', '123.45', '1234567890.09']) {
    expect(decode(replaceInStatic('5802BR', `${object('54', amount)}5802BR`)).amount).toBe(amount)
  }
})

test('accepts the amount zero for a withdrawal', () => {
  const account = createAccount(object('01', '12345678909'), object('03', '12345678'))
  const code = decode(seal(account.slice(0, -8).replace('5802BR', '54040.005802BR')))
  expect(code).toMatchObject({ amount: '0.00', withdrawalFacilitator: '12345678' })
})

test('validates the format of a key but not its check digits, which official examples fail', () => {
  const keys = [
    '11222333000150',
    '12345678900',
    '12ABC34501DE35',
    '+5561912345678',
    'fulano@example.com',
  ]
  for (const key of keys) expect(decode(createAccount(object('01', key))).key).toBe(key)
})

test('counts characters for lengths and bytes for the checksum', () => {
  expect(tryDecode(emvco)).toMatchObject({ error: { code: 'not-pix' } })
  const lenient = decode(replaceInStatic('6008BRASILIA', '6008BRASÍLIA'), { profile: 'lenient' })
  expect(lenient.merchantCity).toBe('BRASÍLIA')
  expect(replaceInStatic('6008BRASILIA', '6008BRASÍLIA')).toMatch(/B4F6$/)
  expect(
    decode(replaceInStatic('5802BR', '5802BR64060102👀👀')).objects.find(({ id }) => id === '64')
      ?.value,
  ).toBe('0102👀👀')
})

test('tryDecode returns the error instead of throwing it', () => {
  expect(tryDecode(official.static)).toMatchObject({ ok: true, code: { kind: 'static' } })
  expect(tryDecode('')).toMatchObject({ ok: false, error: { code: 'missing', path: '00' } })
})
