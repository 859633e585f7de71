import { expect, test } from 'vitest'
import { type BrCodeFields, decode, encode } from '../src/index.ts'
import { merchant, object, replaceInStatic, seal } from './codes.ts'
import { type Expected, expectRefused } from './expect.ts'
import { official } from './vectors.ts'

const key = '123e4567-e12b-12d1-a456-426655440000'
const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441'
const recurrence = 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002'

test('writes the codes of the manual', () => {
  expect(encode({ key, ...merchant })).toBe(official.static)
  expect(encode({ key, ...merchant, txid: '***', merchantCategory: '0000' })).toBe(official.static)
  expect(encode({ location, pointOfInitiation: '12', ...merchant })).toBe(official.immediate)
  expect(encode({ recurrence, ...merchant })).toBe(official.recurrence)
  expect(encode({ key, amount: '100.50', recurrence, ...merchant })).toBe(
    official.staticAndRecurrence,
  )
  expect(encode({ location, recurrence, pointOfInitiation: '12', ...merchant })).toBe(
    official.immediateAndRecurrence,
  )
})

test.each(Object.values(official))('encodes a decoded code byte for byte: %s', (code) => {
  expect(encode(decode(code))).toBe(code)
})

test.each([
  { changed: { amount: '1.00' }, message: 'amount: expected "100.50", as in objects, got "1.00"' },
  {
    changed: { amount: undefined },
    message: 'amount: expected "100.50", as in objects, got nothing',
  },
  { changed: { txid: 'novo' }, message: 'txid: expected nothing, as in objects, got "novo"' },
])('refuses a field that contradicts its decoded objects: $changed', ({ changed, message }) => {
  expectRefused(
    { ...decode(official.staticAndRecurrence), ...changed },
    { code: 'conflict', message },
  )
})

test.each(['kind', 'account'])('does not need %s beside objects', (name) => {
  for (const text of [...Object.values(official), replaceInStatic('26580014', '51580014')]) {
    const { [name]: _, ...others } = { ...decode(text) } as Record<string, unknown>
    expect(encode(others as unknown as BrCodeFields)).toBe(text)
    expect(encode({ ...others, [name]: undefined } as unknown as BrCodeFields)).toBe(text)
  }
})

test('accepts blank values beside objects, of their own field only', () => {
  const read = decode(official.static)
  expect(encode({ ...read, txid: '***', merchantCategory: '0000' } as BrCodeFields)).toBe(
    official.static,
  )
  const filled = { ...decode(replaceInStatic('***', 'a1B')), txid: '***' }
  expectRefused(filled, {
    code: 'conflict',
    path: 'txid',
    expected: '"a1B", as in objects',
    found: '***',
  })
  expectRefused({ ...read, txid: '0000' }, 'conflict txid')
  expectRefused({ ...read, merchantCategory: '***' }, 'conflict merchantCategory')
  expectRefused({ ...read, message: '***' }, 'conflict message')
  expectRefused({ ...read, postalCode: '0000' }, 'conflict postalCode')
})

test('refuses `fit` beside objects', () => {
  const read = decode(official.static)
  expect(() => encode(read, { fit: true })).toThrow('fit: expected no objects beside it')
  expect(encode(read, { fit: false })).toBe(official.static)
  expect(encode({ ...read, objects: undefined }, { fit: true })).toBe(official.static)
})

test('writes the template of Pix at the id in `account`', () => {
  const elsewhere = replaceInStatic('26580014br.gov.bcb.pix', '51580014br.gov.bcb.pix')
  expect(encode({ key, ...merchant, account: '51' })).toBe(elsewhere)
  expect(encode({ ...decode(elsewhere), objects: undefined })).toBe(elsewhere)
  expectRefused({ ...decode(elsewhere), account: '26' }, 'conflict account')
})

test('encodes all fields without objects', () => {
  const pix = object('00', 'BR.GOV.BCB.PIX')
  const odd = seal(
    [
      '000201',
      object('97', pix + object('25', recurrence) + object('02', 'x')),
      '5802BR',
      '5303986',
      object('27', object('00', 'BR.COM.OUTRO')),
      object('28', pix + object('25', location) + object('04', 'x')),
      '52048299',
      '6008BRASILIA',
      '5913Fulano de Tal',
      '54041.00',
      object('62', object('05', 'abc') + object('07', 'x')),
    ].join(''),
  )
  const anew = encode({ ...decode(odd), objects: undefined })
  expect(anew).toBe(
    encode({ account: '28', location, recurrence, merchantCategory: '8299', ...merchant }),
  )
  expect(anew).toContain(`28700014br.gov.bcb.pix2548${location}52048299`)
  expect(anew).toContain(`62070503***80740014br.gov.bcb.pix25`)
})

test.each([
  { amount: '198', written: '198.00' },
  { amount: '10.', written: '10.00' },
  { amount: '1.2', written: '1.20' },
  { amount: '098.70', written: '98.70' },
  { amount: '000.5', written: '0.50' },
  { amount: '9999999999.99', written: '9999999999.99' },
])('writes the amount $amount with exactly two decimals', ({ amount, written }) => {
  const code = encode({ key, ...merchant, amount })
  expect(code).toContain(`5303986${object('54', written)}5802BR`)
  expect(decode(code).amount).toBe(written)
})

test('reads another spelling of an amount, keeps it beside objects and normalizes it without them', () => {
  const odd = replaceInStatic('5802BR', '54031985802BR')
  expect(decode(odd).amount).toBe('198')
  expect(encode(decode(odd))).toBe(odd)
  expect(decode(encode({ ...decode(odd), objects: undefined })).amount).toBe('198.00')
})

test.each(['10000000000', '1,50', '1.234', '.5', '1e3', ''])(
  'refuses the amount %j, which is invalid or too long with two decimals',
  (amount) => expectRefused({ key, ...merchant, amount }, 'value 54'),
)

test.each(['25', '52', '00', '2', '026', '26\n', '80', ''])('refuses the account %j', (account) => {
  const expected = 'an id from "26" to "51"'
  expectRefused(
    { key, ...merchant, account },
    {
      code: 'value',
      path: 'account',
      expected,
      found: account,
    },
  )
})

test('refuses modified objects', () => {
  const { objects, ...fields } = decode(official.static)
  const tampered = objects.map((part) => (part.id === '60' ? { ...part, value: 'RECIFE' } : part))
  expectRefused({ ...fields, objects: tampered }, 'crc')
})

const refused: readonly { what: string; fields: object; expected: Expected }[] = [
  { what: 'no key, no location and no recurrence', fields: {}, expected: 'missing 26-01' },
  {
    what: 'key and location',
    fields: { key: 'a@b.com', location: 'pix.example.com/x' },
    expected: 'conflict 26',
  },
  { what: 'no name', fields: { key, merchantName: undefined }, expected: 'missing 59' },
  { what: 'an empty name', fields: { key, merchantName: '' }, expected: 'value 59' },
  {
    what: 'a city with a cedilla',
    fields: { key, merchantCity: 'Conceição' },
    expected: 'value 60',
  },
  {
    what: 'an amount that is a number',
    fields: { key, amount: 10.5 },
    expected: { code: 'value', path: '54', expected: 'a string', found: '10.5' },
  },
  { what: 'an amount of zero', fields: { key, amount: '0.00' }, expected: 'value 54' },
  {
    what: 'an amount beside a location',
    fields: { location, amount: '1.00' },
    expected: 'conflict amount',
  },
  {
    what: 'a txid beside a location',
    fields: { location, txid: 'abc' },
    expected: 'conflict txid',
  },
  {
    what: 'a message beside a recurrence alone',
    fields: { recurrence, message: 'oi' },
    expected: 'conflict message',
  },
  {
    what: 'a message longer than its length can say',
    fields: { key, message: 'x'.repeat(100) },
    expected: 'size 26-02',
  },
  {
    what: 'a recurrence longer than its length can say',
    fields: { key, recurrence: `pix.example.com/rec/${'x'.repeat(80)}` },
    expected: 'size 80-25',
  },
  {
    what: 'a message that leaves no room',
    fields: { key, message: 'x'.repeat(38) },
    expected: 'size 26',
  },
  {
    what: 'a location that leaves no room',
    fields: { location: `pix.example.com/${'x'.repeat(62)}` },
    expected: 'size 26',
  },
  { what: 'a location of a recurrence', fields: { location: recurrence }, expected: 'conflict 26' },
  {
    what: 'a recurrence of a charge',
    fields: { key, recurrence: location },
    expected: 'conflict 80',
  },
  {
    what: 'a kind that the fields do not have',
    fields: { key, kind: 'immediate' },
    expected: 'conflict kind',
  },
  {
    what: 'a kind that the location does not have',
    fields: { location, kind: 'due-date' },
    expected: 'conflict kind',
  },
  {
    what: 'a kind that is no kind',
    fields: { key, kind: 'statisch' },
    expected: {
      code: 'conflict',
      path: 'kind',
      expected: '"static", as the fields say',
      found: 'statisch',
    },
  },
]

for (const { what, fields, expected } of refused) {
  test(`refuses ${what}`, () => {
    expectRefused({ ...merchant, ...fields }, expected)
  })
}

test('the types refuse key beside location, and an amount beside a location', () => {
  // @ts-expect-error one or the other
  const both: BrCodeFields = { key, location, ...merchant }
  // @ts-expect-error the charge has the amount
  const amount: BrCodeFields = { location, amount: '1.00', ...merchant }
  expect([both, amount]).toHaveLength(2)
})

test('encodes in the lenient profile what it decodes in it', () => {
  const fields = { key, ...merchant, merchantCity: 'BRASÍLIA' }
  expect(encode(fields, { profile: 'lenient' })).toBe(
    replaceInStatic('6008BRASILIA', '6008BRASÍLIA'),
  )
  const wide = { key, merchantName: '👀'.repeat(99), merchantCity: '👀'.repeat(99) }
  expect(() => encode(wide, { profile: 'lenient' })).toThrow('512 bytes')
})

test('writes up to 512 bytes, checksum included', () => {
  const cities = { merchantCity: 'é'.repeat(99), postalCode: '70074900' }
  const write = (merchantName: string) =>
    encode({ key, merchantName, ...cities }, { profile: 'lenient' })
  const sizeOf = (text: string) => new TextEncoder().encode(text).length
  const most = 512 - sizeOf(write('x')) + 1
  const fitting = 'é'.repeat(most - 99) + 'x'.repeat(198 - most)
  expect(sizeOf(write(fitting))).toBe(512)
  expect(() => write(fitting.replace('x', 'é'))).toThrow('at most 512 bytes, got "513"')
  expect(() => write(fitting.replace('xxxxx', 'ééééé'))).toThrow('at most 512 bytes, got "517"')
})
