import fc from 'fast-check'
import { createValidator, type Finding } from '../src/index.ts'
import { example } from './contract.ts'
import { mutationsOf } from './mutate.ts'

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
/**
 * Any code point, also half a surrogate pair. fast-check's `binary` takes half a second to start.
 */
const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))
const text = fc.oneof(
  fc.string({ unit, size: 'medium' }),
  fc.constantFrom('', '%', '%zz', '\0', '\ud800', '__proto__', 'constructor'),
)
const path = fc.oneof(fc.constantFrom(...paths), text)
const method = fc.oneof(fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'), text)
const type = fc.oneof(
  fc.constantFrom('application/json', 'application/problem+json', ';', '/', '*/*'),
  text,
)
const names = fc.oneof(
  fc.constantFrom('webhook-id', 'webhook-signature', 'retry-after', 'cookie', 'allow'),
  text,
)
const headers = fc.oneof(
  fc.tuple(type, fc.dictionary(names, text)).map(([contentType, others]) => {
    return { ...others, 'content-type': contentType }
  }),
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
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&')),
)

/** Findings are serializable for any message. */
function areData(findings: readonly Finding[]): boolean {
  const plain = JSON.parse(JSON.stringify(findings)) as Finding[]
  const areComplete = plain.every(({ message, contract }) => {
    return message !== '' && contract.startsWith('/')
  })
  return plain.length <= 100 && areComplete
}

const operation = fc.constantFrom(...validator.operations, ...validator.deliveries)
const status = fc.oneof(
  fc.constantFrom(200, 201, 204, 400, 404, 429, 500),
  fc.integer(),
  fc.double(),
)

/** What holds for any message. */
interface Property {
  readonly title: string
  /** Runs so many random cases. */
  readonly expectHolds: (numRuns: number) => void
}

export const PROPERTIES: readonly Property[] = [
  {
    title: 'no request throws',
    expectHolds: (numRuns) => {
      const request = fc.record({ method, path, query, headers, body: bodies })
      const holds = fc.property(request, fc.boolean(), (message, unknown) =>
        areData(validator.validateRequest(message, { unknown })),
      )
      fc.assert(holds, { numRuns })
    },
  },
  {
    title: 'no response throws',
    expectHolds: (numRuns) => {
      const response = fc.record({ status, headers, body: bodies })
      const holds = fc.property(operation, response, fc.boolean(), (asked, message, unknown) =>
        areData(validator.validateResponse(asked, message, { unknown })),
      )
      fc.assert(holds, { numRuns })
    },
  },
  {
    title: 'no delivery throws',
    expectHolds: (numRuns) => {
      const name = fc.oneof(fc.constantFrom(...validator.deliveries.map(({ path }) => path)), text)
      const delivery = fc.record({ name, headers, body: bodies })
      fc.assert(
        fc.property(delivery, (message) => areData(validator.validateDelivery(message))),
        { numRuns },
      )
    },
  },
  {
    title: 'no method or path throws',
    expectHolds: (numRuns) => {
      const encoded = fc.string({ unit: 'grapheme' }).map(encodeURIComponent)
      const part = fc.oneof(fc.string({ unit }), encoded, fc.constantFrom('%', '%zz', '\ud800'))
      const holds = fc.property(part, fc.array(part), (method, parts) => {
        const path = parts.join('/')
        const below = `/mobile-bff/v1/partner/${path}`
        return (
          'found' in validator.findOperation(method, path) &&
          'found' in validator.findOperation(method, below)
        )
      })
      fc.assert(holds, { numRuns })
    },
  },
]
