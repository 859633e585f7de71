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
const badObjects: readonly { what: string; objects: unknown; path: string }[] = [
  { what: 'a number', objects: 5, path: 'objects' },
  { what: 'an object', objects: { length: 1, 0: part }, path: 'objects' },
  { what: 'null in it', objects: [part, null], path: 'objects[1]' },
  { what: 'a hole in it', objects: Object.assign([part], { 2: part }), path: 'objects[1]' },
  { what: 'a text in it', objects: ['0001'], path: 'objects[0]' },
  { what: 'an id of one digit', objects: [{ id: '5', value: '01' }], path: 'objects[0]' },
  {
    what: 'an id that is a number in other words',
    objects: [part, { id: '5.4e1', value: '1.00' }],
    path: 'objects[1]',
  },
  { what: 'an id with a line break', objects: [{ id: '54\n', value: '01' }], path: 'objects[0]' },
  { what: 'an id that is a number', objects: [{ id: 54, value: '01' }], path: 'objects[0]' },
  {
    what: 'a value that is a number',
    objects: [part, { id: '01', value: 11 }],
    path: 'objects[1]',
  },
]

test.each(badObjects)('refuses invalid objects: $what', ({ objects, path }) =>
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
  'account',
  'key',
  'location',
  'recurrence',
  'amount',
  'txid',
  'message',
  'withdrawalFacilitator',
  'merchantName',
  'merchantCity',
  'merchantCategory',
  'postalCode',
  'pointOfInitiation',
  'kind',
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
