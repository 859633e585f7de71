import { isSecretName } from '@partner-payments/contract'
import { expect, test } from 'vitest'
import { masked } from '../src/masking.ts'
import { UNMASKED_FIELDS } from '../src/unmasked-fields.ts'
import { contract, type Json, resolved } from './contract.ts'
import { hideMarkedValues } from './properties.ts'

test('a marker below a masked name never appears in the output', () => hideMarkedValues(50))

test('an unmasked field shows a word, but no sentence, address or nested value', () => {
  const free = {
    status: 'paid by Fulano',
    type: 'fulano@example.com',
    code: ['x'],
    kind: { name: 'x' },
  }
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

test.each([...UNMASKED_FIELDS])(
  '%s is a field of the contract that its schema proves harmless',
  (name) => {
    const ofName = occurrences.filter((occurrence) => occurrence.name === name)
    expect(ofName).not.toEqual([])
    const unproved = ofName.filter(({ schema }) => !isHarmless(schema))
    expect(unproved.filter(({ place }) => !(place in KNOWN))).toEqual([])
  },
)

test('every exception is needed', () => {
  const exceptions = occurrences.filter(
    ({ name, schema }) => UNMASKED_FIELDS.has(name) && !isHarmless(schema),
  )
  expect(new Set(exceptions.map(({ place }) => place))).toEqual(new Set(Object.keys(KNOWN)))
})

test('no unmasked field has the name of a secret, and all that have are masked', () => {
  expect([...UNMASKED_FIELDS].filter(isSecretName)).toEqual([])
  for (const name of ['token', 'accessToken', 'apiKey', 'client_secret', 'initiation_id'])
    expect(JSON.stringify(masked({ [name]: 'hunter22' }))).not.toContain('hunter22')
})

function isHarmless(schema: Json): boolean {
  const { type, format, anyOf, ...rest } = resolved(schema)
  if (Array.isArray(anyOf)) return anyOf.some(isHarmless)
  if ('enum' in rest || 'const' in rest) return true
  return HARMLESS_TYPES.has(type) || HARMLESS_FORMATS.has(format)
}

const HARMLESS_TYPES: ReadonlySet<unknown> = new Set(['boolean', 'integer'])
const HARMLESS_FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time'])

interface Occurrence {
  readonly name: string
  readonly place: string
  readonly schema: Json
}

function* membersOf(place: string, node: unknown): Generator<Occurrence> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    const properties = key === 'properties' ? Object.entries(value as Json) : []
    for (const [name, schema] of properties) {
      yield { name, place: `${place}.${name}`, schema: schema as Json }
    }
    yield* membersOf(place || key, value)
  }
}

function queryParameters(): Occurrence[] {
  const parameters = Object.values(contract.components.parameters ?? {})
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query')
  return ofQuery.map(({ name, schema }) => ({
    name: `${name}`,
    place: `${name}`,
    schema: schema as Json,
  }))
}
