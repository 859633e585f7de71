import { SCALE } from '@partner-payments/campaign'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { names } from '../src/generated/members.ts'
import { type LogRecord, logging } from '../src/index.ts'
import { masked } from '../src/masked.ts'
import { SHOWN } from '../src/shown.ts'
import { attemptOf, replyOf, run } from './attempts.ts'
import { contract, examples, type Json, resolved } from './contract.ts'

/** Neither is found in the contract. */
const MARKERS = ['MARKERq7', 9824516530001] as const

/** A value with the marker somewhere in it, under names that are not allowed. */
const hidden = (marker: unknown) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant(marker),
      fc.tuple(tie('value')),
      fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 2 }),
    ),
  })).value

/** A name of the contract that is not allowed, the marker, one that nobody knows. */
const name = fc.oneof(
  fc.constantFrom(...[...names].filter((it) => !SHOWN.has(it))),
  fc.constantFrom(...MARKERS.map(String)),
  fc.string().filter((it) => !SHOWN.has(it)),
)

/** An example of the contract with a hidden marker at any place that is not under an allowed name. */
const body = fc
  .tuple(fc.constantFrom(...examples), fc.constantFrom(...MARKERS), fc.nat(), name, fc.boolean())
  .chain(([{ value }, marker, at, name, inserts]) =>
    hidden(marker).map((planted) => {
      const copy: unknown = structuredClone(value)
      const places = [...placesIn(copy)].filter((it) => inserts || !SHOWN.has(it.name))
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
  /** Of the member, or of the list that it is in. */
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

test('a marker planted under any name that is not allowed never comes out', async () => {
  const messages = fc.record({ sent: body, answered: body, headers, query, id: marked })
  await fc.assert(
    fc.asyncProperty(messages, async ({ sent, answered, headers, query, id }) => {
      const records: LogRecord[] = []
      const sink = (record: LogRecord) => records.push(record)
      const attempt = attemptOf({
        url: `https://${MARKERS[0]}.example.com/mobile-bff/v1/partner/user/${id}${query}`,
        path: '/mobile-bff/v1/partner/user/{user_id}',
        headers,
        input: sent,
        body: JSON.stringify(sent),
      })
      await run(logging(sink, { bodies: true }), attempt, replyOf(200, answered, headers))
      expect(records).toHaveLength(1)
      for (const marker of MARKERS) expect(JSON.stringify(records)).not.toContain(String(marker))
    }),
    { numRuns: 100 * SCALE },
  )
})

test('an allowed name shows a word, not a sentence, an address or what lies in it', () => {
  const free = { status: 'paid by Fulano', type: 'fulano@example.com', code: ['x'], kind: { name: 'x' } }
  expect(masked(free)).toEqual({ status: '***', type: '***', code: '***', kind: '***' })
})

test('a free-form object is masked as a whole', () => {
  expect(masked({ metadata: { status: 'vip', name: 'Fulano' } })).toEqual({ metadata: '***' })
})

test('depth has a limit', () => {
  const deep = JSON.parse(`${'{"data":'.repeat(10_000)}0${'}'.repeat(10_000)}`)
  expect(JSON.stringify(masked(deep)).length).toBeLessThan(200)
})

/** Members of an allowed name whose form alone does not say that they are harmless, and why they are. */
const KNOWN = {
  'Problem.type': 'names the kind of problem',
  'Problem.request_id': 'names the answer',
  'ProblemError.code': 'names the rule',
  'Adjustment.modality': 'one of the modalities that the request may have',
  'Discount.modality': 'one of the modalities that the request may have',
  'Customer.deleted_at': 'a time or empty',
  'TransferData.settled_at': 'a time or empty',
  limit: 'a count, as a query writes it',
}

const occurrences = [...membersOf('', contract.components.schemas), ...queryParameters()]

test.each([...SHOWN])('%s is a member of the contract, and cannot be personal by its form', (name) => {
  const found = occurrences.filter((it) => it.name === name)
  expect(found).not.toEqual([])
  expect(found.filter(({ place, schema }) => !(place in KNOWN) && !isHarmless(schema))).toEqual([])
})

test('every exception is one', () => {
  const exceptions = occurrences.filter(({ name, schema }) => SHOWN.has(name) && !isHarmless(schema))
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
    const members = key === 'properties' ? Object.entries(value as Json) : []
    for (const [name, schema] of members) yield { name, place: `${place}.${name}`, schema: schema as Json }
    yield* membersOf(place || key, value)
  }
}

function queryParameters(): Occurrence[] {
  return Object.values(contract.components.parameters ?? {})
    .filter((it) => it.in === 'query')
    .map(({ name, schema }) => ({ name: `${name}`, place: `${name}`, schema: schema as Json }))
}
