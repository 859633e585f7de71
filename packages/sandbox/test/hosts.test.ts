import { afterAll, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { basic, PREFIX } from './callers.ts'
import { findFaults, parseResponses, writeRaw } from './hostile/responses.ts'
import { start } from './started.ts'

const sandbox = await start({ allowedHosts: ['Shop.example', 'sandbox.'] })
afterAll(sandbox.close)

const SIGN_IN = `POST ${PREFIX}/auth/partner/token/`
const LINES = [
  SIGN_IN,
  'GET /_sandbox/clock',
  'GET /_sandbox/health',
  'GET /_sandbox/metrics',
  'GET /',
]
const CREDENTIALS = `Authorization: ${basic('partner', 'secret')}\r\n`

/** Sends a raw request line with raw Host header lines. */
async function send(line: string, hosts: string): Promise<Response> {
  const text = `${line} HTTP/1.1\r\n${hosts}\r\n${CREDENTIALS}Connection: close\r\n\r\n`
  const received = await writeRaw(Number(new URL(sandbox.url).port), text)
  const [response] = parseResponses(received)
  if (!response) throw new Error('there is no response')

  return response
}

it.each([
  '127.0.0.1',
  'LocalHost:4020',
  'localhost.:4020',
  'localhost:0',
  '[::1]:4020',
  '192.0.2.7',
  'shop.example:4020',
  'SHOP.example.',
  'sandbox:4020',
])('serves the host %s', async (host) => {
  for (const line of LINES) {
    const { status } = await send(line, `Host: ${host}`)
    expect(status, line).toBe(200)
  }
})

it.each([
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'shop.example.evil.example',
  'evil-localhost',
  'localhost..',
  'evil.example:4020',
])('refuses the host %s, and explains how to allow it', async (host) => {
  const expected = 'Expected localhost, an IP address, or a name allowed with --allow-host NAME'
  const detail = `The host "${host.replace(/:\d+$/, '')}" is not allowed. ${expected}`
  for (const line of LINES) {
    const response = await send(line, `Host: ${host}`)
    expect(response.status, line).toBe(403)

    const body = { code: 'invalid_request', detail: expect.stringContaining(detail) }
    expect(await response.clone().json()).toMatchObject(body)
    expect(await findFaults(response)).toEqual([])
  }
})

it.each([
  'Host: 256.256.256.256',
  'Host: 1.2.3.4.5',
  'Host: a b',
  'Host: [::1',
  'Host: a@localhost',
  'Host: localhost:99999',
  'Host: ',
  'X-No-Host: 1',
  'Host: localhost\r\nHost: localhost',
  'Host: localhost\r\nhost: evil.example',
])('refuses the header %j', async (header) => {
  const response = await send(SIGN_IN, header)
  expect(response.status).toBe(400)
  expect(await findFaults(response)).toEqual([])
})

it('checks the host of a target in absolute form', async () => {
  const lineWith = (host: string) => SIGN_IN.replace(' /', ` http://${host}/`)

  const evilTarget = await send(lineWith('evil.example'), 'Host: localhost')
  expect(evilTarget.status).toBe(403)

  const evilHeader = await send(lineWith('localhost'), 'Host: evil.example')
  expect(evilHeader.status).toBe(200)

  const withPassword = await send(lineWith('partner:secret@localhost'), 'Host: localhost')
  expect(withPassword.status).toBe(400)
})

it('checks the host in the URL of a Request', async () => {
  const app = await createApp({ allowedHosts: ['sandbox'] })
  const statusAt = async (origin: string) => {
    const { status } = await app.fetch(new Request(`${origin}/_sandbox/clock`))
    return status
  }
  expect(await statusAt('http://sandbox')).toBe(200)
  expect(await statusAt('https://sandbox:8443')).toBe(200)
  expect(await statusAt('http://mock')).toBe(403)

  await app.close()
})

it.each(['http://sandbox', 'sandbox:4020', 'a b', ''])(
  'does not allow the host %j',
  async (name) => {
    await expect(createApp({ allowedHosts: [name] })).rejects.toThrow(
      `an allowed host must be a name without scheme and port, got "${name}"`,
    )
  },
)
