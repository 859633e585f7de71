import { createApp } from '@partner-payments/sandbox'
import { expect, test } from 'vitest'
import { type RunOptions, run } from '../../src/next/run.ts'
import { startReceiver } from '../../src/next/send/receiver.ts'
import { fetchTransport } from '../../src/next/send/transport.ts'

const credentials = {
  partner: { clientKey: 'partner', clientSecret: 'secret' },
  other: { clientKey: 'other', clientSecret: 'secret' },
}

/** Runs the plans on a sandbox in this process. */
async function runOn(
  target: RunOptions['target'],
  edit: (response: Response, request: Request) => Response | Promise<Response> = (it) => it,
) {
  const [app, receiver] = await Promise.all([
    createApp({ limitsRates: false, allowLoopback: true }),
    startReceiver({ timeoutMs: 60_000 }),
  ])
  const sent: string[] = []
  const transport = fetchTransport(async (request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    return edit(await app.fetch(request), request)
  })
  const result = await run({
    ...credentials,
    ...{ target, transport, rate: 5_000 },
    // Without a clock that it can move, a run waits for retries.
    ...(target === 'sandbox' && { receiver }),
  })
  await Promise.all([app.close(), receiver.close()])
  return { ...result, sent }
}

test('it finds nothing on the sandbox, and gets every case that the plans want', async () => {
  const { findings, inconclusive, leftovers, requests } = await runOn('sandbox')
  expect({ findings, inconclusive, leftovers }).toEqual({ findings: [], inconclusive: [], leftovers: [] })
  expect(requests).toBeLessThan(3_000)
})

test('it reads the responses of a service that shows another type', async () => {
  const { findings } = await runOn('sandbox', async (response, { method, url }) => {
    if (method !== 'GET' || !/webhook\/.+/.test(url) || !response.ok) return response
    return Response.json(
      { ...((await response.json()) as object), type: 'qrcode' },
      { headers: response.headers },
    )
  })
  expect(findings.map(({ rule, operation }) => `${rule}@${operation}`)).toContain('records-shown@getWebhook')
})

test('it sends a live service no payment, and removes what it has created', async () => {
  const { sent, kept, leftovers } = await runOn('live')
  expect(sent).not.toContain('POST /mobile-bff/v1/pix/out/')
  expect(kept).toContain('not sent: payments on a live service need --allow-payments')
  expect(leftovers).toEqual([])
})
