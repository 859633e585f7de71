import { expect, test } from 'vitest'
import type { CheckOptions } from '../../src/index.ts'
import { run } from '../../src/run.ts'
import { fetchTransport, type Transport } from '../../src/send/transport.ts'
import { partner as credentials, openSandbox, other } from '../service.ts'

/** Checks a service, and lists what it got. */
async function sentTo(transport: Transport, options: Partial<CheckOptions> = {}) {
  const sent: string[] = []
  const result = await run({
    url: 'http://127.0.0.1',
    target: 'sandbox',
    credentials,
    other,
    only: ['once'],
    transport(request, signal) {
      sent.push(`${request.method} ${request.path}`)
      return transport(request, signal)
    },
    ...options,
  }).catch(String)
  return { sent, result }
}

/** Returns the same to every request, as a page behind a login or a live service may. */
const always =
  (status: number, text = '{}'): Transport =>
  async () => ({ status, headers: { 'content-type': 'application/json' }, text })

const KINDS = ['sandbox', 'mock'] as const

for (const target of KINDS) {
  test(`it sends nothing but its question to a service that is no ${target}`, async () => {
    const { sent, result } = await sentTo(always(200), { target })
    expect(result).toContain(`127.0.0.1 is not known to be a ${target}`)
    expect(result).toContain('isDisposable: true')
    expect(sent).toEqual([expect.stringContaining(`GET /_${target}/about?nonce=`)])
  })

  test(`it asks no other machine whether it is a ${target}`, async () => {
    const { sent, result } = await sentTo(always(200), { target, url: 'http://sandbox:4020' })
    expect(result).toContain('sandbox:4020 is not this machine')
    expect(sent).toEqual([])
  })
}

test('it takes a redirect for no sandbox', async () => {
  const { sent, result } = await sentTo(always(302))
  expect(result).toContain('GET /_sandbox/about returned 302, a redirect')
  expect(sent).toHaveLength(1)
})

/** A gateway that sends the control API to one sandbox, and everything else to another. */
async function openGateway() {
  const sandbox = await openSandbox()
  const live = await openSandbox()
  const changes: string[] = []
  const toSandbox = fetchTransport(sandbox.fetch)
  const toLive = fetchTransport(live.fetch)
  const transport: Transport = (request, signal) => {
    if (request.path.startsWith('/_sandbox/')) return toSandbox(request, signal)
    if (request.method !== 'GET') changes.push(request.path)
    return toLive(request, signal)
  }
  const close = () => Promise.all([sandbox.close(), live.close()])
  return { transport, toLive, changes, close }
}

const SIGN_IN = '/mobile-bff/v1/auth/partner/token/'

test('it only signs in behind a gateway that sends only the control API to a sandbox', async () => {
  const { transport, changes, close } = await openGateway()
  const { result } = await sentTo(transport).finally(close)
  expect(result).toMatch(/^CannotRun: the sandbox at 127.0.0.1 did not issue the access token/)
  expect(new Set(changes)).toEqual(new Set([SIGN_IN]))
})

test('it sends nothing with a token that the sandbox did not issue', async () => {
  const { transport, toLive, changes, close } = await openGateway()
  const authorization = `Basic ${btoa(`${credentials.clientKey}:${credentials.clientSecret}`)}`
  const signIn = { method: 'POST', path: SIGN_IN, headers: { authorization } }
  const { text } = await toLive(signIn, AbortSignal.timeout(10_000))
  const token = JSON.parse(text).access_token
  const { result } = await sentTo(transport, { credentials: { token } }).finally(close)
  expect(result).toContain('did not issue the access token')
  expect(changes).toEqual([])
})

test('it asks a service of the user nothing', async () => {
  const { sent } = await sentTo(always(503), { isDisposable: true })
  expect(sent).toContain('POST /mobile-bff/v1/auth/partner/token/')
  expect(sent.join(' ')).not.toContain('/_sandbox/about')
})

test('it stops changing anything once another service has taken over the port', async () => {
  const { fetch, close } = await openSandbox()
  const sandbox = fetchTransport(fetch)
  const changes: string[] = []
  let isTakenOver = false
  const transport: Transport = async (request, signal) => {
    if (isTakenOver) {
      if (request.method !== 'GET') changes.push(request.path)
      return always(200)(request, signal)
    }
    const response = await sandbox(request, signal)
    if (request.path.endsWith('/pix/out/')) isTakenOver = true
    return response
  }
  const { result } = await sentTo(transport).finally(close)
  expect(isTakenOver).toBe(true)
  expect(changes).toEqual([])
  expect(result).toMatchObject({ interrupted: expect.stringContaining('is not known') })
})
