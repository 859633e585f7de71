import { expect, test } from 'vitest'
import type { Exchange } from '../src/model/exchange.ts'
import { examples } from '../src/plans/examples.ts'
import type { RequestValues } from '../src/plans/plan.ts'
import { run } from '../src/run.ts'
import { fetchTransport } from '../src/send/transport.ts'
import { openSandbox, partner } from './service.ts'

/** Runs the plan that sends a valid request of each operation from each example. */
async function sendExamples(values: RequestValues = {}) {
  const sent: Exchange[] = []
  const { fetch, close } = await openSandbox()
  const { findings } = await run({
    ...{ target: 'sandbox', values, partner, plans: [examples], transport: fetchTransport(fetch) },
    onExchange: (it) => sent.push(it),
  })
  await close()
  return { findings, sent }
}

test('it makes a request that is accepted, for each operation and each example', async () => {
  const { sent, findings } = await sendExamples()
  expect(sent.filter(({ outcome }) => outcome !== 'accepted')).toEqual([])
  expect(new Set(sent.map(({ operation }) => operation?.id)).size).toBe(20)
  expect(findings).toEqual([])
})

test('it takes the values that the user sets', async () => {
  const { sent } = await sendExamples({
    checkKey: { '/dict_key': '11222333000181' },
    createTransfer: { '/amount': '0.02' },
  })
  const bodies = sent.map((it) => it.sent)
  expect(bodies).toContainEqual({ dict_key: '11222333000181' })
  expect(bodies).toContainEqual(expect.objectContaining({ amount: '0.02', dict_key: '11222333000181' }))
})
