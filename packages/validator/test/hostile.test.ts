import { SCALE } from '@partner-payments/campaign'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rootOf } from '../src/cursor.ts'
import { createValidator, type Finding } from '../src/index.ts'
import { createChecks } from '../src/schema.ts'
import { contract, documentOf, example, findingsOf, JSON_HEADERS } from './contract.ts'
import { mutationsOf } from './mutate.ts'

const RUNS = 300 * SCALE

const validator = createValidator()
const paths = [
  ...validator.operations.map(({ path }) => path),
  '',
  '/',
  '//',
  '/%',
  '/{',
  '/mobile-bff/v1/partner/user/%E0%A4%A',
]
const text = fc.oneof(
  fc.string({ unit: 'binary', size: 'medium' }),
  fc.constantFrom('', '%', '%zz', '\0', '\ud800', '__proto__', 'constructor'),
)
const path = fc.oneof(fc.constantFrom(...paths), text)
const method = fc.oneof(fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'), text)
const type = fc.oneof(fc.constantFrom('application/json', 'application/problem+json', ';', '/', '*/*'), text)
const names = fc.oneof(
  fc.constantFrom('webhook-id', 'webhook-signature', 'retry-after', 'cookie', 'allow'),
  text,
)
const headers = fc.oneof(
  fc.tuple(type, fc.dictionary(names, text)).map(([it, more]) => ({ ...more, 'content-type': it })),
  fc.array(fc.tuple(names, text)),
)
const bodies = fc.oneof(
  fc.anything(),
  fc.jsonValue(),
  mutationsOf([example('payKey'), example('keySettled'), example('webhook')]),
)
const query = fc.oneof(
  text,
  fc
    .array(fc.tuple(fc.constantFrom('limit', 'status', 'cursor', 'a'), text))
    .map((it) => it.map((pair) => pair.join('=')).join('&')),
)

/** Findings are serializable for any message. */
function areData(findings: readonly Finding[]): boolean {
  const plain = JSON.parse(JSON.stringify(findings)) as Finding[]
  return (
    plain.length <= 100 &&
    plain.every(({ message, contract: place }) => message !== '' && place.startsWith('/'))
  )
}

test('no request throws', () => {
  const request = fc.record({ method, path, query, headers, body: bodies })
  fc.assert(
    fc.property(request, fc.boolean(), (it, unknown) => areData(validator.validateRequest(it, { unknown }))),
    { numRuns: RUNS },
  )
})

test('no response throws', () => {
  const operation = fc.constantFrom(...validator.operations, ...validator.deliveries)
  const status = fc.oneof(fc.constantFrom(200, 201, 204, 400, 404, 429, 500), fc.integer(), fc.double())
  const response = fc.record({ status, headers, body: bodies })
  fc.assert(
    fc.property(operation, response, fc.boolean(), (it, message, unknown) =>
      areData(validator.validateResponse(it, message, { unknown })),
    ),
    { numRuns: RUNS },
  )
})

test('no delivery throws', () => {
  const name = fc.oneof(fc.constantFrom(...validator.deliveries.map((it) => it.path)), text)
  fc.assert(
    fc.property(fc.record({ name, headers, query, body: bodies }), (it) =>
      areData(validator.validateDelivery(it)),
    ),
    { numRuns: RUNS },
  )
})

test('a circular value is too deep', () => {
  const body: Record<string, unknown> = example('payKey')
  body.beneficiary = body
  const request = { method: 'POST', path: '/mobile-bff/v1/pix/out/', headers: JSON_HEADERS, body }
  expect(validator.validateRequest(request)).toMatchObject([{ keyword: 'depth', pointer: '' }])
})

/** The number of errors before maxFindings applies. */
function countOf(schema: object, body: unknown): number {
  const root = rootOf({ schema, components: contract.components })
  const check = createChecks(root, undefined)({ node: schema, pointer: '/schema', question: undefined })
  return check(body, { place: 'body', pointer: '' }).length
}

test('the validation of an array of invalid items stops early', () => {
  const records = Array.from({ length: 50_000 }, () => ({}))
  const list = { type: 'array', items: { $ref: '#/components/schemas/Customer' } }
  expect(countOf(list, records)).toBeLessThan(2000)
  expect(countOf({ type: 'array', items: list }, [records, records, records])).toBeLessThan(5000)
})

test.each(['number', 'integer'])('1e400, which JSON.parse turns into Infinity, is not a valid %s', (type) => {
  for (const text of ['1e400', '-1e400'])
    expect(findingsOf(createValidator(documentOf({ type })), JSON.parse(text))).toHaveLength(1)
})

test('stopping early in one branch does not affect the next', () => {
  const numbers = Array.from({ length: 5000 }, (_, i) => i)
  const schema = { anyOf: [{ items: { type: 'string' } }, { items: { type: 'integer' } }] }
  expect(findingsOf(createValidator(documentOf(schema)), numbers)).toEqual([])
  expect(findingsOf(createValidator(documentOf(schema)), [...numbers, null])).toHaveLength(1)
})
