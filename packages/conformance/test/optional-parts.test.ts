import { expect, test } from 'vitest'
import { stringAt, valueAt } from '../src/contract/json.ts'
import { type CheckOptions, check, createFetchTransport } from '../src/index.ts'
import { partner as credentials, openSandbox, other } from './service.ts'

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Which field of a request the service refuses; undefined if it refuses none. */
type FindRefused = (sent: Sent) => string | undefined

/** Checks a sandbox that refuses fields of requests, and names them unless told otherwise. */
async function checkRefusing(
  findRefused: FindRefused,
  options: Partial<CheckOptions>,
  { namesFields = true } = {},
) {
  const { fetch, close } = await openSandbox()
  const accepted: Sent[] = []

  async function fetchUnlessRefused(request: Request): Promise<Response> {
    const text = await request.clone().text()
    const sent = { method: request.method, path: new URL(request.url).pathname, body: parse(text) }
    const at = findRefused(sent)
    if (at !== undefined) {
      const refusal = namesFields ? { errors: [{ at, code: 'PX-1422' }] } : { code: 'no' }
      return Response.json(refusal, { status: 422 })
    }
    const response = await fetch(request)
    if (response.ok) accepted.push(sent)
    return response
  }

  const result = await check({
    target: 'sandbox',
    url: 'http://127.0.0.1',
    credentials,
    other,
    transport: createFetchTransport(fetchUnlessRefused),
    ...options,
  }).finally(close)
  return { result, accepted }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isPayment = ({ path }: Sent) => path.endsWith('/pix/out/')
const refuseInPayments =
  (field: string): FindRefused =>
  (sent) =>
    isPayment(sent) && valueAt(sent.body, field) !== undefined ? field : undefined
const ofPayments = { only: ['boundaries'], operations: ['createTransfer'] }

test('it sends a payment without the part that the service refuses, and with the others', async () => {
  const { accepted } = await checkRefusing(refuseInPayments('/payment_date'), ofPayments)
  const payments = accepted.filter(isPayment)
  expect(payments.length).toBeGreaterThan(20)
  expect(payments.filter(({ body }) => valueAt(body, '/beneficiary') !== undefined)).not.toEqual([])
})

test('it sends the description that the user sets', async () => {
  const values = { createTransfer: { '/description': 'Pedido 7' } }
  const { accepted } = await checkRefusing(() => undefined, { ...ofPayments, values })
  const [first] = accepted.filter(({ body }) => valueAt(body, '/payment_date') !== undefined)
  expect(stringAt(first?.body, '/description')).toBe('Pedido 7')
})
