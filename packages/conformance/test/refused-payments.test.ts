import { expect, test } from 'vitest'
import { fieldsOf, stringAt } from '../src/contract/json.ts'
import { deliveries } from '../src/plans/deliveries.ts'
import type { Plan, PlanContext } from '../src/plans/plan.ts'
import { createReceivingWebhook, type ReceivingWebhook } from '../src/plans/receiving-webhooks.ts'
import { receiveRefusedPayments } from '../src/plans/refused-payments.ts'
import { requestsOf } from './plan-context.ts'
import { type Call, callOf, withBody } from './services/call.ts'
import { checkService } from './services/check.ts'
import { ownTransferIds } from './services/own-transfer-ids.ts'
import { bodyOf, codeOf } from './services/responses.ts'
import { type Next, type Service, together } from './services/wrap.ts'

/** Refuses transfers for one reason, and makes them all the same: only events say so. */
function paysAllTheSame(refusal: string): Service {
  return {
    operations: 'createTransfer',
    async wrap(call, next) {
      const response = await next(call)
      if ((await codeOf(response)) === refusal) await payAnew(call, next)
      return response
    },
  }
}

/** A key of the partner, whose codes the run pays. */
const KEY_OF_PARTNER = '+5561912345678'

/** Pays the key of a transfer, or of its code, by a new look-up. */
async function payAnew(call: Call, next: Next): Promise<void> {
  const { dict_key = KEY_OF_PARTNER, amount } = fieldsOf(call.json)
  const url = new URL('/mobile-bff/v1/pix/dict/check/', call.url)
  const headers = {
    authorization: call.headers.get('authorization') ?? '',
    'content-type': 'application/json',
  }
  const lookUp = new Request(url, { method: 'POST', headers, body: JSON.stringify({ dict_key }) })
  const { initiation_id } = (await bodyOf(await next(await callOf(lookUp)))) ?? {}
  await next(withBody(call, { type: 'dict', amount, dict_key, initiation_id }))
}

/** Receives the events of refused payments alone. */
const refusals: Plan = {
  id: 'refusals',
  wants: [],
  async run(context) {
    const webhook = await createReceivingWebhook(context)
    if (webhook) await receiveRefusedPayments(context, webhook)
  },
}

const SETTLED = 'An event says that a transfer has settled which createTransfer refused.'

/** The severities of the findings which say that a refused transfer has settled. */
async function checkRefusals(service: Service, plan = refusals): Promise<readonly string[]> {
  const { findings } = await checkService(together(service, ownTransferIds), { plans: [plan] })
  return findings.filter(({ message }) => message === SETTLED).map(({ severity }) => severity)
}

test.each([
  'initiation_used',
  'initiation_invalid',
  'code_paid',
  'code_cancelled',
  'amount_not_allowed',
])('it finds the event of a payment that was refused as %s, and made', async (refusal) => {
  expect(await checkRefusals(paysAllTheSame(refusal))).toEqual(['critical'])
})

test('it finds such an event in the plan of deliveries too', async () => {
  const found = await checkRefusals(paysAllTheSame('initiation_used'), deliveries)
  expect(found).toEqual(['critical'])
})

test('it finds nothing in a service that moves no money after a refusal', async () => {
  expect(await checkRefusals({})).toEqual([])
})

/** A webhook that gets no deliveries. */
const WEBHOOK: ReceivingWebhook = {
  type: 'all',
  by: 'partner',
  url: 'http://127.0.0.1:4099/',
  path: { webhook_id: 'webhook' },
  inbox: { url: 'http://127.0.0.1:4099/', deliveries: [], waitFor: async () => undefined },
}

/** The amounts that the plan pays. */
async function listAmounts(options: Partial<PlanContext>): Promise<readonly string[]> {
  const run = (context: PlanContext) => receiveRefusedPayments(context, WEBHOOK)
  const sent = await requestsOf({ id: 'refusals', wants: [], run }, options)
  const transfers = sent.filter(({ id }) => id === 'createTransfer')
  return transfers.map(({ input }) => stringAt(input.body, '/amount') ?? '')
}

test('it pays one amount for each reason, with four different digits of which none is zero', async () => {
  const random = ['31', '7F', '00', 'C2', '59', '08', 'E6', '11', '93']
  const uniqueText = () => random.shift() ?? '0'
  const amounts = await listAmounts({ mayPayWrongly: true, uniqueText })
  const distinctive = amounts.filter((amount) => /^(9{7})?[1-9]{2}\.[1-9]{2}$/.test(amount))
  expect(distinctive).toHaveLength(13)
  expect(new Set(distinctive).size).toBe(8)
  for (const amount of distinctive) expect(new Set(amount.slice(-5)).size).toBe(5)
})

test('it pays in no wrong way on a live service', async () => {
  expect(await listAmounts({ mayPayWrongly: false })).toEqual([])
})
