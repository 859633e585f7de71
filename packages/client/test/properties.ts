import fc from 'fast-check'
import { expect } from 'vitest'
import { fieldNames } from '../src/generated/field-names.ts'
import { type Issue, type LogRecord, logging } from '../src/index.ts'
import { UNMASKED_FIELDS } from '../src/unmasked-fields.ts'
import { type FoundIssues, validation } from '../src/validation.ts'
import { examples } from './contract.ts'
import { attempt, json, service } from './service.ts'

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

const maskedNames = [...fieldNames].filter(isMasked)

/** A masked field name of the contract, the marker, or an unknown name. */
const name = fc.oneof(
  fc.constantFrom(...maskedNames),
  fc.constantFrom(...MARKERS.map(String)),
  fc.string().filter(isMasked),
)

function isMasked(name: string): boolean {
  return !UNMASKED_FIELDS.has(name)
}

/** Where and how a value is planted into a body. */
const planting = fc.record({
  example: fc.constantFrom(...examples),
  marker: fc.constantFrom(...MARKERS),
  /** Chooses the place. */
  at: fc.nat(),
  name,
  /** Whether a value is added beside the place, or replaces that of the place. */
  inserts: fc.boolean(),
})

/** An example of the contract with a marker at a place that must be masked. */
const body = planting.chain(({ example, marker, at, name, inserts }) =>
  hidden(marker).map((planted) => {
    const copy: unknown = structuredClone(example.value)
    const places = [...placesIn(copy)].filter((place) => inserts || isMasked(place.name))
    const place = places[at % places.length]
    if (!place) return planted

    const { holder, key } = place
    if (!inserts) holder[key] = planted
    else if (Array.isArray(holder)) holder.push(planted)
    else holder[name] = planted
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
const query = fc.dictionary(name, marked).map((values) => `?${new URLSearchParams(values)}`)

/** Logs contain no value that is not known to be harmless, at any place of any message. */
export async function hideMarkedValues(numRuns: number): Promise<void> {
  const messages = fc.record({ sent: body, received: body, headers, query, id: marked })
  await fc.assert(
    fc.asyncProperty(messages, async ({ sent, received, headers, query, id }) => {
      const records: LogRecord[] = []
      const sink = (record: LogRecord) => records.push(record)
      const url = `https://${MARKERS[0]}.example.com/mobile-bff/v1/partner/user/${id}${query}`
      const path = '/mobile-bff/v1/partner/user/{user_id}'
      const { fetch: send } = service(() => json(received, 200, headers))
      const fetch = logging(sink, { bodies: true, fetch: send })
      await attempt(fetch, { headers, body: JSON.stringify(sent) }, { url, path })
      expect(records).toHaveLength(1)
      for (const marker of MARKERS) expect(JSON.stringify(records)).not.toContain(String(marker))
    }),
    { numRuns },
  )
}

export const responseExamples = examples.filter(({ of }) => of !== 'request')

export async function issuesIn(
  operationId: string,
  status: number,
  body: unknown,
): Promise<readonly Issue[]> {
  const found: Issue[] = []
  const onIssues = ({ issues }: FoundIssues) => found.push(...issues)
  const { fetch } = service(() => json(body, status))
  await attempt(validation({ onIssues, fetch }), {}, { operationId })
  return found
}

/** Messages of validation contain no value of a response. */
export async function hideResponseValues(numRuns: number): Promise<void> {
  const successes = responseExamples.filter(({ of }) => of < '300')
  const marker = fc.constantFrom('MARKERq7', 982451653, -982451653.25, ['MARKERq7'], {
    MARKERq7: 'MARKERq7',
  })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...successes),
      fc.nat(),
      marker,
      async (example, at, marker) => {
        const copy = structuredClone(example.value)
        const places = [...placesIn(copy)]
        const place = places[at % places.length]
        if (place) place.holder[place.key] = marker
        const issues = await issuesIn(example.operationId, Number(example.of), copy)
        expect(JSON.stringify(issues)).not.toMatch(/MARKERq7|982451653/)
      },
    ),
    { numRuns },
  )
}
