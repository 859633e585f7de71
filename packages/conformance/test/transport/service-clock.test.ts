import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { serve } from '@partner-payments/sandbox'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { verify } from '@partner-payments/webhooks'
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../../src/check.ts'

const DAY = 86_400

const credentials = { clientKey: 'partner', clientSecret: 'secret' }

test.each([
  ['puts the clock that it moved back to the system time', 'updated-at-moves', 0],
  ['leaves a clock that it did not move as it found it', 'body-format', 60 * DAY],
])('a run %s', async (_, rule, ahead) => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  await sandbox.worker.moveTo(sandbox.clock.now() + 60 * DAY * 1_000)
  const { rules } = await check({ url: sandbox.url, target: 'sandbox', credentials, only: [rule] })
  expect(rules.find((it) => it.rule === rule)?.status).toBe('passed')
  expect(Math.round(sandbox.clock.ahead / 60_000)).toBe(ahead / 60)
})

test('verifies a delivery by the system time after a run that moved the clock', async () => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  const only = ['updated-at-moves']
  const { rules, leftovers } = await check({ url: sandbox.url, target: 'sandbox', credentials, only })
  expect(rules.find(({ rule }) => rule === only[0])?.status).toBe('passed')
  expect(leftovers).toEqual([])
  const { body, headers, secret } = await deliveryOf(sandbox.url)
  // The tolerance is five minutes of the system clock.
  expect(await verify(body, headers, secret)).toMatchObject({ type: expect.any(String) })
})

/** The first delivery for the cancellation of a charge, at a receiver on this machine. */
async function deliveryOf(url: string) {
  const received = Promise.withResolvers<{ body: string; headers: Record<string, string> }>()
  const receiver = createServer(async (request, response) => {
    received.resolve({ body: await text(request), headers: request.headers as Record<string, string> })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const send = async (method: string, path: string, authorization: string, body?: object) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}/mobile-bff/v1${path}`, init)
    expect(response.ok, path).toBe(true)
    return (await response.json()) as Record<string, string>
  }
  const basic = Buffer.from(`${credentials.clientKey}:${credentials.clientSecret}`).toString('base64')
  const { access_token } = await send('POST', '/auth/partner/token/', `Basic ${basic}`)
  const bearer = `Bearer ${access_token}`
  const { createAll, createImmediate } = contract.components.examples
  const hook = { ...createAll.value, url: `http://127.0.0.1:${port}/` }
  const { secret } = await send('POST', '/partner/webhook', bearer, hook)
  const { id } = await send('POST', '/pix/qrcode/dynamic/immediate', bearer, createImmediate.value)
  await send('DELETE', `/pix/qrcode/dynamic/immediate/${id}`, bearer)
  return { ...(await received.promise), secret: secret ?? '' }
}
