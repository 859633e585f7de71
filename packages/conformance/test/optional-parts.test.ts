import { expect, test } from 'vitest'
import { stringAt, valueAt } from '../src/contract/json.ts'
import type { Plan } from '../src/plans/plan.ts'
import { createRefusedParts, withRefusedParts } from '../src/run/refused-parts.ts'
import type { RunOptions } from '../src/run/settings.ts'
import type { Input } from '../src/send/requests.ts'
import { requestsOf } from './plan-context.ts'
import type { Call } from './services/call.ts'
import { checkService } from './services/check.ts'
import type { Service } from './services/wrap.ts'

/** Which field of a request the service refuses; undefined if it refuses none. */
type FindRefused = (call: Call) => string | undefined

/** Checks a service that refuses fields of requests. It names them unless `namesFields` is false. */
async function checkRefusing(
  findRefused: FindRefused,
  options: Partial<RunOptions>,
  { namesFields = true } = {},
) {
  const accepted: Call[] = []
  const service: Service = {
    async wrap(call, next) {
      const at = findRefused(call)
      if (at !== undefined) {
        const refusal = namesFields ? { errors: [{ at, code: 'PX-1422' }] } : { code: 'no' }
        return Response.json(refusal, { status: 422 })
      }
      const response = await next(call)
      if (response.ok) accepted.push(call)
      return response
    },
  }
  return { result: await checkService(service, options), accepted }
}

const isPayment = ({ operation }: Call) => operation === 'createTransfer'
const refuseInPayments =
  (field: string): FindRefused =>
  (call) =>
    isPayment(call) && valueAt(call.json, field) !== undefined ? field : undefined
const ofPayments = { only: ['boundaries'], operations: ['createTransfer'] }

test('it names the part of a payment that was refused, and sends the others', async () => {
  const { result, accepted } = await checkRefusing(refuseInPayments('/payment_date'), ofPayments)
  expect(result.notSent).toEqual([
    'not tried: createTransfer with /payment_date, which was never accepted (422): the refusal names /payment_date; set a value that the service accepts with --set createTransfer/payment_date=VALUE',
  ])
  const payments = accepted.filter(isPayment)
  expect(payments.length).toBeGreaterThan(20)
  expect(payments.filter(({ json }) => valueAt(json, '/beneficiary') !== undefined)).not.toEqual([])
})

test('it finds the refused one of several parts where the refusal names none', async () => {
  const { result } = await checkRefusing(refuseInPayments('/beneficiary'), ofPayments, {
    namesFields: false,
  })
  expect(result.notSent).toEqual([
    'not tried: createTransfer with /beneficiary, which was never accepted (422)',
  ])
  expect(result.rules.find(({ rule }) => rule === 'requests-accepted')?.status).toBe('inconclusive')
})

test('it sends the description that the user sets', async () => {
  const values = { createTransfer: { '/description': 'Pedido 7' } }
  const { accepted } = await checkRefusing(() => undefined, { ...ofPayments, values })
  const [first] = accepted.filter(({ json }) => valueAt(json, '/payment_date') !== undefined)
  expect(stringAt(first?.json, '/description')).toBe('Pedido 7')
})

const refuseType =
  (...types: readonly string[]): FindRefused =>
  ({ operation, json }) => {
    const isRefused = types.includes(stringAt(json, '/type') ?? '')
    return operation === 'createWebhook' && isRefused ? '/type' : undefined
  }
const ofWebhooks = { only: ['lifecycles'], operations: ['createWebhook'] }

test('it names the words for types of webhooks that were never accepted', async () => {
  const { result } = await checkRefusing(refuseType('transfer', 'qrcode'), ofWebhooks)
  expect(result.notSent).toEqual([
    `not tried: createWebhook with /type "transfer", which was never accepted (422): the refusal names /type; name the service's word for transfer with --set webhook/type/transfer=WORD`,
    `not tried: createWebhook with /type "qrcode", which was never accepted (422): the refusal names /type; name the service's word for qrcode with --set webhook/type/qrcode=WORD`,
  ])
})

test('it advises a word where the refusal names nothing, and none that is set', async () => {
  const values = { webhook: { '/type/qrcode': 'charge' } }
  const { result } = await checkRefusing(
    refuseType('transfer', 'charge'),
    { ...ofWebhooks, values },
    { namesFields: false },
  )
  expect(result.notSent).toEqual([
    `not tried: createWebhook with /type "transfer", which was never accepted (422): if /type is the reason, name the service's word for transfer with --set webhook/type/transfer=WORD`,
    'not tried: createWebhook with /type "qrcode", which was never accepted (422)',
  ])
})

test('it says nothing of a right service', async () => {
  const { result } = await checkRefusing(() => undefined, {
    only: ['breaks', 'boundaries', 'causes', 'lifecycles', 'money-due'],
  })
  expect(result.notSent).toEqual([])
})

test.each([
  { title: 'a plain request', intent: undefined, expected: ['/type'] },
  { title: 'a variant, which may be wrong on purpose', intent: { edit: '/url' }, expected: [] },
])('it collects of $title: $expected', async ({ intent, expected }) => {
  const refusedParts = createRefusedParts()
  async function send(_: string, { body }: Input = {}) {
    const isAccepted = stringAt(body, '/type') === 'all'
    return { sentAt: 1, status: isAccepted ? 201 : 422, isAccepted, json: {} }
  }
  const plan: Plan = {
    id: 'two webhooks',
    wants: [],
    async run(context) {
      const noting = withRefusedParts(context, refusedParts)
      await noting.send('createWebhook', { body: { type: 'all' } })
      await noting.send('createWebhook', { body: { type: 'transfer' }, ...(intent && { intent }) })
    },
  }
  await requestsOf(plan, { send: Object.assign(send, { cleanUp: async () => [] }) })
  expect(refusedParts.list().map(({ pointer }) => pointer)).toEqual(expected)
})
