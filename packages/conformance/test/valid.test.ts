import { createApp } from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import type { Plan, RequestValues } from '../src/plans/plan.ts'
import { validRequest } from '../src/plans/valid.ts'
import { run } from '../src/run.ts'
import { fetchTransport } from '../src/send/transport.ts'

const partner = { clientKey: 'partner', clientSecret: 'secret' }

/** Runs a plan that sends a valid request of each operation from each example. Returns what was sent. */
async function sendValid(values: RequestValues = {}) {
  const sent: { request: string; isAccepted: boolean; body: unknown }[] = []
  const plan: Plan = {
    id: 'valid',
    says: 'Sends a valid request of each operation from each example.',
    wants: [],
    async run(context) {
      for (const { id, isAlias } of context.contract.operations)
        for (const [example] of isAlias ? [] : [undefined, ...context.contract.examples(id)].entries()) {
          const input = await validRequest(context, id, example === 0 ? {} : { example: example - 1 })
          const { isAccepted } = await context.send(id, input)
          sent.push({
            request: `${id} ${example}`,
            isAccepted: input !== undefined && isAccepted,
            body: input?.body,
          })
        }
    },
  }
  const app = await createApp({ limitsRates: false })
  const result = await run({
    target: 'sandbox',
    partner,
    transport: fetchTransport(app.fetch),
    plans: [plan],
    values,
  })
  await app.close()
  return { ...result, sent }
}

test('it makes a request that is accepted, for each operation and each example', async () => {
  const { sent, findings } = await sendValid()
  expect(sent.filter(({ isAccepted }) => !isAccepted)).toEqual([])
  expect(sent.length).toBeGreaterThan(30)
  expect(findings).toEqual([])
})

test('it takes the values that the user sets', async () => {
  const { sent } = await sendValid({
    checkKey: { '/dict_key': '11222333000181' },
    createTransfer: { '/amount': '0.02' },
  })
  const bodyOf = (request: string) => sent.find((it) => it.request === request)?.body
  expect(bodyOf('checkKey 0')).toEqual({ dict_key: '11222333000181' })
  expect(bodyOf('createTransfer 0')).toMatchObject({ amount: '0.02', dict_key: '11222333000181' })
})
