import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BrCodeError, type BrCodeFields, decode, encode, tryDecode } from '../src/index.ts'
import { object, seal } from './codes.ts'
import { official } from './vectors.ts'

const codes = Object.values(official)
const texts = (alphabet: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength })
const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyz'
/**
 * Any code point, also half a surrogate pair. fast-check's `binary` takes half a second to start.
 */
const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))
const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 15 })

const key = fc.oneof(
  fc.uuid(),
  fc.string({ unit: fc.constantFrom(...digits), minLength: 11, maxLength: 11 }),
  texts(letters, 20).map((name) => `${name}@example.com`),
)
const merchant = { merchantName: ascii, merchantCity: ascii }
const recurrence = texts(letters, 32).map((token) => `pix.example.com/rec/${token}`)
const amount = fc.integer({ min: 1, max: 9_999_999_999 }).map((cents) => (cents / 100).toFixed(2))
const advisory = {
  merchantCategory: fc
    .integer({ min: 1, max: 9999 })
    .map((number) => String(number).padStart(4, '0')),
  postalCode: texts(digits, 10),
  pointOfInitiation: fc.constantFrom('11' as const, '12' as const),
}
/** Fields of which some are absent. */
const withSome = <T, U>(present: fc.Arbitrary<T>, rest: { [K in keyof U]: fc.Arbitrary<U[K]> }) =>
  fc
    .tuple(present, fc.record(rest, { requiredKeys: [] }))
    .map(([mandatory, optional]) => ({ ...mandatory, ...optional }))

const location = texts(letters, 32).map((token) => `pix.example.com/v2/cobv/${token}`)
const withdrawalFacilitator = fc.string({
  unit: fc.constantFrom(...digits),
  minLength: 8,
  maxLength: 8,
})
const payer = {
  amount,
  txid: texts(letters + digits, 25),
  message: texts(letters, 20),
  withdrawalFacilitator,
}
const fields: fc.Arbitrary<BrCodeFields> = fc.oneof(
  withSome(fc.record({ ...merchant, key }), { ...payer, ...advisory }),
  withSome(fc.record({ ...merchant, key }), { recurrence, amount }),
  withSome(fc.record({ ...merchant, location }), { recurrence, ...advisory }),
  withSome(fc.record({ ...merchant, recurrence }), advisory),
)

/** Every `step`th character at every position, and each two adjacent characters swapped. */
function* changedOnce(code: string, step: number): Generator<string> {
  for (let at = 0; at < code.length; at++) {
    const [first, second] = code.slice(at, at + 2)
    if (second && second !== first) yield code.slice(0, at) + second + first + code.slice(at + 2)

    for (let point = at % step; point < 128; point += step) {
      const character = String.fromCharCode(point)
      if (character !== code[at]) yield code.slice(0, at) + character + code.slice(at + 1)
    }
  }
}

const hostile = fc.oneof(
  fc.string({ unit, maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...'0123456789-+ .*abc'), maxLength: 200 }),
  fc
    .tuple(fc.constantFrom(...codes), fc.nat(400), fc.nat(8), fc.string({ maxLength: 4 }))
    .map(([code, at, drop, insert]) => code.slice(0, at) + insert + code.slice(at + drop)),
  // With a new checksum, so that later checks are reached.
  fc
    .tuple(fc.constantFrom(...codes), fc.nat(400), fc.nat(8), fc.string({ unit, maxLength: 4 }))
    .map(([code, at, drop, insert]) => {
      const body = code.slice(0, -8)
      return seal(body.slice(0, at) + insert + body.slice(at + drop))
    }),
)

const anything = fc.anything({
  withNullPrototype: true,
  withSparseArray: true,
  withBigInt: true,
  maxDepth: 2,
})
const names = [
  'key',
  'location',
  'recurrence',
  'account',
  'kind',
  'amount',
  'txid',
  'message',
  'objects',
]
const wrong = fc.dictionary(fc.constantFrom(...names, 'merchantName'), anything)
const anyFields = fc.oneof(
  anything,
  fc.tuple(fields, wrong).map(([good, bad]) => ({ ...good, ...bad })),
  fc.tuple(fc.constantFrom(...codes), wrong).map(([code, bad]) => ({ ...decode(code), ...bad })),
  fc.record({
    objects: fc.array(fc.oneof(anything, fc.record({ id: anything, value: anything }))),
  }),
)

/** An object with a value of any characters. */
function unknownObject(id: number): fc.Arbitrary<string> {
  const values = texts(`${letters}çã👀-`, 20)
  return values.map((value) => object(String(id).padStart(2, '0'), value))
}

/** The code that a task writes, or its typed error. */
function outcomeOf(work: () => string): string | BrCodeError {
  try {
    return work()
  } catch (error) {
    if (error instanceof BrCodeError) return error
    throw error
  }
}

/**
 * Random cases, `times` as many as for a commit; of the characters at each position of a code,
 * every `step`th.
 */
export function testProperties(times: number, step: number): void {
  test('an encoded code decodes to the same fields and encodes to the same code', () => {
    fc.assert(
      fc.property(fields, (original) => {
        const code = encode(original)
        const decoded = decode(code)
        expect(decoded).toMatchObject(original)
        expect(encode(decoded)).toBe(code)
        expect(encode({ ...decoded, objects: undefined })).toBe(code)
      }),
      { numRuns: 200 * times },
    )
  })

  test('a code with unknown objects in any order is reencoded byte for byte', () => {
    const middle = decode(official.static).objects.slice(1, -1)
    const known = middle.map(({ id, value }) => object(id, value))
    const unknownIds = fc.uniqueArray(fc.integer({ min: 2, max: 25 }), { maxLength: 6 })
    const unknown = unknownIds.chain((ids) => fc.tuple(...ids.map(unknownObject)))
    const shuffled = unknown.chain((others) => {
      const all = [...known, ...others]
      return fc.shuffledSubarray(all, { minLength: all.length })
    })
    fc.assert(
      fc.property(shuffled, (objects) => {
        const code = seal(`000201${objects.join('')}`)
        expect(encode(decode(code))).toBe(code)
      }),
      { numRuns: 100 * times },
    )
  })

  // Both are a burst of at most 16 bits, and CRC-16 detects each.
  test('one changed ASCII character or two swapped ones are never accepted; lenient accepts the case of a checksum and lists it', () => {
    const changes = codes.flatMap((code) =>
      Array.from(changedOnce(code, step), (changed) => ({ code, changed })),
    )
    expect(changes.filter(({ changed }) => tryDecode(changed).ok)).toEqual([])

    const isTolerated = (text: string) => tryDecode(text, { profile: 'lenient' }).ok
    const tolerated = changes.filter(({ changed }) => isTolerated(changed))
    expect(tolerated.length).toBeGreaterThan(0)
    for (const { code, changed } of tolerated) {
      expect(changed.toUpperCase()).toBe(code.toUpperCase())
      const { issues } = decode(changed, { profile: 'lenient' })
      expect(issues).toMatchObject([{ code: 'crc', path: '63' }])
    }
  })

  test('random and mutated strings: no crash, no untyped error', () => {
    let accepted = 0
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom('strict' as const, 'lenient' as const),
        (text, profile) => {
          const result = tryDecode(text, { profile })
          if (!result.ok) return result.error instanceof BrCodeError && result.error.message !== ''

          accepted += 1
          return encode(result.code, { profile }) === text
        },
      ),
      { numRuns: 4_000 * times },
    )
    expect(accepted).toBeGreaterThan(100)
  })

  test('encode writes a decodable code or throws a BrCodeError, for any input', () => {
    let written = 0
    fc.assert(
      fc.property(anyFields, fc.boolean(), (input, fit) => {
        const result = outcomeOf(() => encode(input as BrCodeFields, { fit }))
        if (result instanceof BrCodeError) return result.message !== ''

        written += 1
        return decode(result).kind !== undefined
      }),
      { numRuns: 1_500 * times },
    )
    expect(written).toBeGreaterThan(5)
  })
}
