import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import { payDueAndImmediateCodes } from '../src/plans/causes/pay-codes.ts'
import { causes } from '../src/plans/causes.ts'
import { deliveries } from '../src/plans/deliveries.ts'
import type { Plan } from '../src/plans/plan.ts'
import { repeatWrongPayments } from '../src/plans/repeat-wrong-payments.ts'
import { type WrongPayment, WrongPayments } from '../src/plans/wrong-payments.ts'
import { requestsOf } from './plan-context.ts'
import { withBody } from './services/call.ts'
import { checkService } from './services/check.ts'
import { ownTransferIds } from './services/own-transfer-ids.ts'
import { bodyOf, withJson } from './services/responses.ts'
import { chargeOf } from './services/state.ts'
import { onResponse, onSuccess, type Service, together } from './services/wrap.ts'

/** Pays charges in ways that the service must refuse, as the plan of causes does, which sends much more. */
const payWrongly: Plan = { id: 'pay-wrongly', wants: [], run: payDueAndImmediateCodes }

/** Nothing but an event says that a transfer has settled: neither balances nor the record of a code do. */
const settlesByEventsAlone: Service = together(
  onResponse((response, { url }) =>
    url.pathname === '/_sandbox/state' ? Response.json({}) : response,
  ),
  {
    ...onSuccess(({ data, ...page }) => {
      const records = Array.isArray(data) ? data : []
      return { ...page, data: records.map((record) => ({ ...record, payment: null })) }
    }),
    operations: new Set(['listImmediateQrCodes', 'listDueDateQrCodes']),
  },
)

/** A charge can be paid with any amount, of which the sandbox sees only the right one. */
const takesAnyAmount: Service = {
  operations: 'createTransfer',
  async wrap(call, next, sandbox) {
    const { emv, amount } = fieldsOf(call.json)
    const isOtherAmount = amount === '99.99' && typeof emv === 'string'
    const charge = isOtherAmount ? await chargeOf(sandbox, emv) : undefined
    if (!charge) return next(call)

    const { original } = fieldsOf(charge.charge.amount)
    const response = await next(withBody(call, { ...call.json, amount: original }))
    const body = await bodyOf(response)
    if (!response.ok || !body) return response
    return withJson(response, { ...body, data: { ...fieldsOf(body.data), amount } })
  },
}

const PAID =
  'createTransfer paid a code with 99.99, although its check shows final_amount as 3.50 and allow_value_change as false.'

test('it repeats a wrong payment while it receives events, which say that the payment settled', async () => {
  const service = together(settlesByEventsAlone, ownTransferIds, takesAnyAmount)
  const { findings } = await checkService(service, { plans: [payWrongly, deliveries] })
  const finding = findings.find(({ message }) => message === PAID)
  expect(finding).toMatchObject({ rule: 'money-consistent', severity: 'critical' })
})

const OTHER_AMOUNT: WrongPayment = {
  about: 'amount',
  example: 1,
  accepted: { sentAt: 7 },
  amount: '99.99',
}

/** The transfers of a plan that repeats the wrong payments which a service accepted. */
async function listRepeated(accepted: readonly WrongPayment[], mayPayWrongly: boolean) {
  const wrongPayments = new WrongPayments()
  for (const payment of accepted) wrongPayments.note(payment)
  const plan: Plan = {
    id: 'repeats',
    wants: [],
    async run(context) {
      await repeatWrongPayments(context)
    },
  }
  const sent = await requestsOf(plan, { wrongPayments, mayPayWrongly })
  return sent.filter(({ id }) => id === 'createTransfer').map(({ input }) => input)
}

test('it remembers the first payment of each kind that the service must refuse, and accepted', async () => {
  const wrongPayments = new WrongPayments()
  await requestsOf(causes, { wrongPayments })
  const remembered = wrongPayments.list().map(({ about, example }) => `${about} ${example}`)
  expect(remembered.sort()).toEqual([
    'amount 0',
    'amount 1',
    'amount 2',
    'ended code 1',
    'ended code 2',
  ])
})

test('it repeats another amount once for each kind of code, as a variant of a payment', async () => {
  const repeated = await listRepeated([OTHER_AMOUNT, { ...OTHER_AMOUNT, amount: '0.01' }], true)
  expect(repeated).toMatchObject([
    { body: { amount: '99.99' }, by: 'payer', intent: { variantOf: 7, edit: '/amount' } },
  ])
})

test('it repeats the payments of a charge that is paid, and of one that is cancelled', async () => {
  const ended: WrongPayment = { about: 'ended code', example: 1, accepted: { sentAt: 7 } }
  const repeated = await listRepeated([ended], true)
  const codes = repeated.map(({ body }) => fieldsOf(body).emv)
  const [paidCode] = codes
  expect(codes).toEqual([paidCode, paidCode, expect.not.stringMatching(String(paidCode))])
})

test('it sends a service nothing that accepted no wrong payment', async () => {
  expect(await listRepeated([], true)).toEqual([])
})

test('it repeats no payment on a live service', async () => {
  expect(await listRepeated([OTHER_AMOUNT], false)).toEqual([])
})
