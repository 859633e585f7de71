import { expect, test } from 'vitest'
import { type BrCodeFields, decode, encode, tryDecode } from '../src/index.ts'
import { merchant } from './codes.ts'
import { expectRefused } from './expect.ts'
import { official } from './vectors.ts'

// Values that an untyped program may pass.
const key = '12345678909'
const strange = [5, 0, true, false, 10n, Symbol('x'), {}, [], ['x'], Object.create(null), () => 'x']

test.each([null, undefined, 5, 'x', true, Symbol('x'), () => {}])(
  'refuses fields that are none: %s',
  (fields) => expectRefused(fields, { code: 'value', path: 'fields', expected: 'an object' }),
)

const part = { id: '00', value: '01', offset: 0 }
const badObjects: [what: string, objects: unknown, path: string][] = [
  ['a number', 5, 'objects'],
  ['an object', { length: 1, 0: part }, 'objects'],
  ['null in it', [part, null], 'objects[1]'],
  ['a hole in it', Object.assign([part], { 2: part }), 'objects[1]'],
  ['a text in it', ['0001'], 'objects[0]'],
  ['an id of one digit', [{ id: '5', value: '01' }], 'objects[0]'],
  ['an id that is a number in other words', [part, { id: '5.4e1', value: '1.00' }], 'objects[1]'],
  ['an id with a line break', [{ id: '54\n', value: '01' }], 'objects[0]'],
  ['an id that is a number', [{ id: 54, value: '01' }], 'objects[0]'],
  ['a value that is a number', [part, { id: '01', value: 11 }], 'objects[1]'],
]

test.each(badObjects)('refuses invalid objects: %s', (_, objects, path) =>
  expectRefused({ key, ...merchant, objects }, `value ${path}`),
)

test('accepts up to 100 objects, and refuses them as decode does', () => {
  const objects = Array(100).fill({ id: '00', value: '1' })
  expectRefused({ key, ...merchant, objects }, 'duplicate 00')
  expectRefused({ key, ...merchant, objects: [] }, 'missing 00')
  const more = { key, ...merchant, objects: [...objects, part] }
  expectRefused(more, { code: 'size', path: 'objects', found: '101' })
})

const names = [
  ...[
    'account',
    'key',
    'location',
    'recurrence',
    'amount',
    'txid',
    'message',
    'withdrawalFacilitator',
  ],
  ...[
    'merchantName',
    'merchantCity',
    'merchantCategory',
    'postalCode',
    'pointOfInitiation',
    'kind',
  ],
]

test.each(names)('refuses a field that is not a string, also beside objects: %s', (name) => {
  for (const value of strange) {
    expectRefused({ key, ...merchant, [name]: value }, {})
    expectRefused({ ...decode(official.static), [name]: value }, `conflict ${name}`)
  }
})

test('treats null as absent', () => {
  const { merchantName, merchantCity, ...others } = Object.fromEntries(
    names.map((name) => [name, null]),
  )
  // The cast simulates an untyped program.
  expect(encode({ ...others, key, ...merchant, objects: null } as unknown as BrCodeFields)).toBe(
    encode({ key, ...merchant }),
  )
  const read = { ...decode(official.static), amount: null } as unknown as BrCodeFields
  expect(encode(read)).toBe(official.static)
  const options = null as unknown as undefined
  expect(encode({ key, ...merchant }, options)).toBe(encode({ key, ...merchant }))
  expect(tryDecode(official.static, options).ok).toBe(true)
})
