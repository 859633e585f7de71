import { expect, test } from 'vitest'
import { type BrCodeFields, decode, encode } from '../src/index.ts'
import { merchant, object, seal, staticWith } from './codes.ts'
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
  [{ amount: '1.00' }, 'amount: expected "100.50", as in objects, got "1.00"'],
  [{ amount: undefined }, 'amount: expected "100.50", as in objects, got nothing'],
  [{ txid: 'novo' }, 'txid: expected nothing, as in objects, got "novo"'],
])('refuses a field that contradicts its decoded objects: %j', (changed, message) => {
  expectRefused(
    { ...decode(official.staticAndRecurrence), ...changed },
    { code: 'conflict', message },
  )
})

test.each(['kind', 'account'])('does not need %s beside objects', (name) => {
  for (const text of [...Object.values(official), staticWith('26580014', '51580014')]) {
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
  const filled = { ...decode(staticWith('***', 'a1B')), txid: '***' }
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
  const elsewhere = staticWith('26580014br.gov.bcb.pix', '51580014br.gov.bcb.pix')
  expect(encode({ key, ...merchant, account: '51' })).toBe(elsewhere)
  expect(encode({ ...decode(elsewhere), objects: undefined })).toBe(elsewhere)
  expectRefused({ ...decode(elsewhere), account: '26' }, 'conflict account')
})

test('encodes all fields without objects', () => {
  const own = object('00', 'BR.GOV.BCB.PIX')
  const consent = object('25', recurrence)
  const odd = seal(
    `000201${object('97', own + consent + object('02', 'x'))}5802BR5303986${object('27', object('00', 'BR.COM.OUTRO'))}` +
      `${object('28', `${own}${object('25', location)}${object('04', 'x')}`)}520482996008BRASILIA5913Fulano de Tal` +
      `54041.00${object('62', `${object('05', 'abc')}${object('07', 'x')}`)}`,
  )
  const anew = encode({ ...decode(odd), objects: undefined })
  expect(anew).toBe(
    encode({ account: '28', location, recurrence, merchantCategory: '8299', ...merchant }),
  )
  expect(anew).toContain(`28700014br.gov.bcb.pix2548${location}52048299`)
  expect(anew).toContain(`62070503***80740014br.gov.bcb.pix25`)
})

test.each(['25', '52', '00', '2', '026', '26\n', '80', ''])('refuses the account %j', (account) => {
  const expected = 'an id from "26" to "51"'
  expectRefused(
    { key, ...merchant, account },
    { code: 'value', path: 'account', expected, found: account },
  )
})

test('refuses modified objects', () => {
  const { objects, ...fields } = decode(official.static)
  const tampered = objects.map((part) => (part.id === '60' ? { ...part, value: 'RECIFE' } : part))
  expectRefused({ ...fields, objects: tampered }, 'crc')
})

const refused: Record<string, [fields: object, expected: Expected]> = {
  'no key, no location and no recurrence': [{}, 'missing 26-01'],
  'key and location': [{ key: 'a@b.com', location: 'pix.example.com/x' }, 'conflict 26'],
  'no name': [{ key, merchantName: undefined }, 'missing 59'],
  'an empty name': [{ key, merchantName: '' }, 'value 59'],
  'a city with a cedilla': [{ key, merchantCity: 'Conceição' }, 'value 60'],
  'an amount that is a number': [
    { key, amount: 10.5 },
    { code: 'value', path: '54', expected: 'a string', found: '10.5' },
  ],
  'an amount of zero': [{ key, amount: '0.00' }, 'value 54'],
  'an amount beside a location': [{ location, amount: '1.00' }, 'conflict amount'],
  'a txid beside a location': [{ location, txid: 'abc' }, 'conflict txid'],
  'a message beside a recurrence alone': [{ recurrence, message: 'oi' }, 'conflict message'],
  'a message longer than its length can say': [{ key, message: 'x'.repeat(100) }, 'size 26-02'],
  'a recurrence longer than its length can say': [
    { key, recurrence: `pix.example.com/rec/${'x'.repeat(80)}` },
    'size 80-25',
  ],
  'a message that leaves no room': [{ key, message: 'x'.repeat(38) }, 'size 26'],
  'a location that leaves no room': [{ location: `pix.example.com/${'x'.repeat(62)}` }, 'size 26'],
  'a location of a recurrence': [{ location: recurrence }, 'conflict 26'],
  'a recurrence of a charge': [{ key, recurrence: location }, 'conflict 80'],
  'a kind that the fields do not have': [{ key, kind: 'immediate' }, 'conflict kind'],
  'a kind that the location does not have': [{ location, kind: 'due-date' }, 'conflict kind'],
  'a kind that is no kind': [
    { key, kind: 'statisch' },
    { code: 'conflict', path: 'kind', expected: '"static", as the fields say', found: 'statisch' },
  ],
}

test.each(Object.entries(refused))('refuses %s', (_, [fields, expected]) => {
  expectRefused({ ...merchant, ...fields }, expected)
})

test('the types refuse key beside location, and an amount beside a location', () => {
  // @ts-expect-error one or the other
  const both: BrCodeFields = { key, location, ...merchant }
  // @ts-expect-error the charge has the amount
  const amount: BrCodeFields = { location, amount: '1.00', ...merchant }
  expect([both, amount]).toHaveLength(2)
})

test('encodes in the lenient profile what it decodes in it', () => {
  const fields = { key, ...merchant, merchantCity: 'BRASÍLIA' }
  expect(encode(fields, { profile: 'lenient' })).toBe(staticWith('6008BRASILIA', '6008BRASÍLIA'))
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
