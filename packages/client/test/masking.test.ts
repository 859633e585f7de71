import { SCALE } from '@partner-payments/campaign'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldNames } from '../src/generated/field-names.ts'
import { type LogRecord, logging } from '../src/index.ts'
import { masked } from '../src/masking.ts'
import { UNMASKED_FIELDS } from '../src/unmasked-fields.ts'
import { attemptOf, resultOf, run } from './attempts.ts'
import { contract, examples, type Json, resolved } from './contract.ts'

/** Strings that the contract does not contain. */
const MARKERS = ['MARKERq7', 9824516530001] as const

/** A value that contains the marker below masked names. */
const hidden = (marker: unknown) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant(marker),
      fc.tuple(tie('value')),
      fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 2 }),
    ),
  })).value

/** A masked field name of the contract, the marker, or an unknown name. */
const name = fc.oneof(
  fc.constantFrom(...[...fieldNames].filter((it) => !UNMASKED_FIELDS.has(it))),
  fc.constantFrom(...MARKERS.map(String)),
  fc.string().filter((it) => !UNMASKED_FIELDS.has(it)),
)

/** An example of the contract with a marker at a place that must be masked. */
const body = fc
  .tuple(fc.constantFrom(...examples), fc.constantFrom(...MARKERS), fc.nat(), name, fc.boolean())
  .chain(([{ value }, marker, at, name, inserts]) =>
    hidden(marker).map((planted) => {
      const copy: unknown = structuredClone(value)
      const places = [...placesIn(copy)].filter((it) => inserts || !UNMASKED_FIELDS.has(it.name))
      const place = places[at % places.length]
      if (!place) return planted
      const { holder, key } = place
      holder[inserts ? (Array.isArray(holder) ? holder.length : name) : key] = planted
      return copy
    }),
  )

interface Place {
  readonly holder: Record<string | number, unknown>
  readonly key: string
  /** The name of the field, or of the array that contains the value. */
  readonly name: string
}

function* placesIn(holder: unknown, list = ''): Generator<Place> {
  if (typeof holder !== 'object' || holder === null) return
  for (const [key, value] of Object.entries(holder)) {
    const name = Array.isArray(holder) ? list : key
    yield { holder: holder as Place['holder'], key, name }
    yield* placesIn(value, name)
  }
}

const marked = fc.constantFrom(...MARKERS).map(String)
const headers = fc.dictionary(
  fc.constantFrom('authorization', 'cookie', 'x-own', 'location', MARKERS[0].toLowerCase()),
  marked,
)
const query = fc.dictionary(name, marked).map((it) => `?${new URLSearchParams(it)}`)

test('a marker below a masked name never appears in the output', async () => {
  const messages = fc.record({ sent: body, received: body, headers, query, id: marked })
  await fc.assert(
    fc.asyncProperty(messages, async ({ sent, received, headers, query, id }) => {
      const records: LogRecord[] = []
      const sink = (record: LogRecord) => records.push(record)
      const attempt = attemptOf({
        url: `https://${MARKERS[0]}.example.com/mobile-bff/v1/partner/user/${id}${query}`,
        path: '/mobile-bff/v1/partner/user/{user_id}',
        headers,
        input: sent,
        body: JSON.stringify(sent),
      })
      await run(logging(sink, { bodies: true }), attempt, resultOf(200, received, headers))
      expect(records).toHaveLength(1)
      for (const marker of MARKERS) expect(JSON.stringify(records)).not.toContain(String(marker))
    }),
    { numRuns: 100 * SCALE },
  )
})

test('an unmasked field shows a word, but no sentence, address or nested value', () => {
  const free = { status: 'paid by Fulano', type: 'fulano@example.com', code: ['x'], kind: { name: 'x' } }
  expect(masked(free)).toEqual({ status: '***', type: '***', code: '***', kind: '***' })
})

test('a free-form object is masked as a whole', () => {
  expect(masked({ metadata: { status: 'vip', name: 'Fulano' } })).toEqual({ metadata: '***' })
})

test('values below the maximum depth are masked', () => {
  const deep = JSON.parse(`${'{"data":'.repeat(10_000)}0${'}'.repeat(10_000)}`)
  expect(JSON.stringify(masked(deep)).length).toBeLessThan(200)
})

/** Unmasked fields whose schema alone does not prove that they are harmless, with the reason. */
const KNOWN = {
  'Problem.type': 'identifies the kind of problem',
  'Problem.request_id': 'identifies the request',
  'ProblemError.code': 'identifies the rule',
  'Adjustment.modality': 'one of the modalities that the request may have',
  'Discount.modality': 'one of the modalities that the request may have',
  'Customer.deleted_at': 'a time or empty',
  'TransferData.settled_at': 'a time or empty',
  limit: 'a count in a query',
}

const occurrences = [...membersOf('', contract.components.schemas), ...queryParameters()]

test.each([...UNMASKED_FIELDS])('%s is a field of the contract that its schema proves harmless', (name) => {
  const found = occurrences.filter((it) => it.name === name)
  expect(found).not.toEqual([])
  expect(found.filter(({ place, schema }) => !(place in KNOWN) && !isHarmless(schema))).toEqual([])
})

test('every exception is needed', () => {
  const exceptions = occurrences.filter(
    ({ name, schema }) => UNMASKED_FIELDS.has(name) && !isHarmless(schema),
  )
  expect(new Set(exceptions.map(({ place }) => place))).toEqual(new Set(Object.keys(KNOWN)))
})

function isHarmless(schema: Json): boolean {
  const { type, format, anyOf, ...rest } = resolved(schema)
  if (Array.isArray(anyOf)) return anyOf.some(isHarmless)
  return 'enum' in rest || 'const' in rest || /boolean|integer/.test(`${type}`) || /^date/.test(`${format}`)
}

interface Occurrence {
  readonly name: string
  readonly place: string
  readonly schema: Json
}

function* membersOf(place: string, node: unknown): Generator<Occurrence> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    const properties = key === 'properties' ? Object.entries(value as Json) : []
    for (const [name, schema] of properties) yield { name, place: `${place}.${name}`, schema: schema as Json }
    yield* membersOf(place || key, value)
  }
}

function queryParameters(): Occurrence[] {
  return Object.values(contract.components.parameters ?? {})
    .filter((it) => it.in === 'query')
    .map(({ name, schema }) => ({ name: `${name}`, place: `${name}`, schema: schema as Json }))
}
