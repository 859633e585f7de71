import { expect, test } from 'vitest'
import { createRoot } from '../src/cursor.ts'
import { createValidator } from '../src/index.ts'
import { createChecks } from '../src/schema.ts'
import { contract, createDocument, example, JSON_HEADERS, listFindings } from './contract.ts'
import { PROPERTIES } from './hostile.ts'

const validator = createValidator()

test.each(PROPERTIES)('$title', ({ expectHolds }) => expectHolds(20))

test('a circular value is too deep', () => {
  const body: Record<string, unknown> = example('payKey')
  body.beneficiary = body
  const request = { method: 'POST', path: '/mobile-bff/v1/pix/out/', headers: JSON_HEADERS, body }
  expect(validator.validateRequest(request)).toMatchObject([{ keyword: 'depth', pointer: '' }])
})

test('a query of 200,000 undeclared parameters has the most findings that are listed', () => {
  const query = Array.from({ length: 200_000 }, (_, i) => i.toString(36)).join('&')
  const list = { method: 'GET', path: '/mobile-bff/v1/pix/qrcode/dynamic/immediate', headers: {} }
  expect(validator.validateRequest({ ...list, query }, { unknown: true })).toHaveLength(100)
})

/** The number of errors before maxFindings applies. */
function countOf(schema: object, body: unknown): number {
  const root = createRoot({ schema, components: contract.components })
  const check = createChecks(root)({ node: schema, pointer: '/schema', question: undefined })
  return check(body, { place: 'body', pointer: '' }).length
}

test('the validation of an array of invalid items stops early', () => {
  const records = Array.from({ length: 50_000 }, () => ({}))
  const list = { type: 'array', items: { $ref: '#/components/schemas/Customer' } }
  expect(countOf(list, records)).toBeLessThan(2000)
  expect(countOf({ type: 'array', items: list }, [records, records, records])).toBeLessThan(5000)
})

test.each(['number', 'integer'])(
  '1e400, which JSON.parse turns into Infinity, is not a valid %s',
  (type) => {
    for (const text of ['1e400', '-1e400'])
      expect(
        listFindings(createValidator(createDocument({ type })), JSON.parse(text)),
      ).toHaveLength(1)
  },
)
