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

const operation = fc.constantFrom(...validator.operations, ...validator.deliveries)
const status = fc.oneof(
  fc.constantFrom(200, 201, 204, 400, 404, 429, 500),
  fc.integer(),
  fc.double(),
)

/** What holds for any message. Each runs so many random cases. */
export const PROPERTIES: readonly [title: string, holds: (numRuns: number) => void][] = [
  [
    'no request throws',
    (numRuns) => {
      const request = fc.record({ method, path, query, headers, body: bodies })
      const holds = fc.property(request, fc.boolean(), (it, unknown) =>
        areData(validator.validateRequest(it, { unknown })),
      )
      fc.assert(holds, { numRuns })
    },
  ],
  [
    'no response throws',
    (numRuns) => {
      const response = fc.record({ status, headers, body: bodies })
      const holds = fc.property(operation, response, fc.boolean(), (it, message, unknown) =>
        areData(validator.validateResponse(it, message, { unknown })),
      )
      fc.assert(holds, { numRuns })
    },
  ],
  [
    'no delivery throws',
    (numRuns) => {
      const name = fc.oneof(fc.constantFrom(...validator.deliveries.map((it) => it.path)), text)
      const delivery = fc.record({ name, headers, body: bodies })
      fc.assert(
        fc.property(delivery, (it) => areData(validator.validateDelivery(it))),
        { numRuns },
      )
    },
  ],
  [
    'no method or path throws',
    (numRuns) => {
      const encoded = fc.string({ unit: 'grapheme' }).map(encodeURIComponent)
      const part = fc.oneof(fc.string({ unit }), encoded, fc.constantFrom('%', '%zz', '\ud800'))
      const holds = fc.property(part, fc.array(part), (method, parts) =>
        [`/mobile-bff/v1/partner/${parts.join('/')}`, parts.join('/')].every(
          (path) => 'found' in validator.findOperation(method, path),
        ),
      )
      fc.assert(holds, { numRuns })
    },
  ],
]
