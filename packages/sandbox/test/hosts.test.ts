import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { basic, PREFIX } from './callers.ts'
import { faultsOf, responsesIn, writeRaw } from './hostile/responses.ts'
import { type Started, start } from './started.ts'

let sandbox: Started
beforeAll(async () => {
  sandbox = await start({ allowedHosts: ['Shop.example', 'sandbox.'] })
})
afterAll(() => sandbox.close())

const SIGN_IN = `POST ${PREFIX}/auth/partner/token/`
const CREDENTIALS = `Authorization: ${basic('partner', 'secret')}\r\n`

/** Sends a raw request line with raw Host header lines. */
async function send(line: string, hosts: string): Promise<Response> {
  const text = `${line} HTTP/1.1\r\n${hosts}${CREDENTIALS}Connection: close\r\n\r\n`
  const [response] = responsesIn(
    await writeRaw(Number(new URL(sandbox.url).port), Buffer.from(text, 'latin1')),
  )
  if (!response) throw new Error('there is no response')
  return response
}

describe.each([SIGN_IN, 'GET /_sandbox/clock', 'GET /_sandbox/health', 'GET /_sandbox/metrics', 'GET /'])(
  '%s',
  (line) => {
    it.each([
      ...['127.0.0.1', 'localhost', 'localhost:4020', 'LocalHost:4020', 'localhost.:4020', 'localhost:0'],
      ...['[::1]:4020', '192.0.2.7', 'shop.example:4020', 'SHOP.example.', 'sandbox:4020'],
    ])('serves the host %s', async (host) => {
      expect((await send(line, `Host: ${host}\r\n`)).status).toBe(200)
    })

    it.each([
      ...['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'shop.example.evil.example'],
      ...['evil-localhost', 'localhost..', 'evil.example:4020'],
    ])('refuses the host %s, and explains how to allow it', async (host) => {
      const response = await send(line, `Host: ${host}\r\n`)
      expect(response.status).toBe(403)
      const detail = expect.stringMatching(REFUSED)
      expect(await response.clone().json()).toMatchObject({ code: 'invalid_request', detail })
      expect(await response.clone().text()).toContain(`The host \\"${host.replace(/:\d+$/, '')}\\"`)
      expect(await faultsOf(response)).toEqual([])
    })

    it.each([
      ...['Host: 256.256.256.256', 'Host: 1.2.3.4.5', 'Host: a b', 'Host: [::1', 'Host: a@localhost'],
      ...['Host: localhost:99999', 'Host: ', 'X-No-Host: 1', 'Host: localhost\r\nHost: localhost'],
      'Host: localhost\r\nhost: evil.example',
    ])('refuses the header %j', async (header) => {
      const response = await send(line, `${header}\r\n`)
      expect(response.status).toBe(400)
      expect(await faultsOf(response)).toEqual([])
    })
  },
)

const REFUSED =
  /^The host ".+" is not allowed\. Expected localhost, an IP address, or a name allowed with --allow-host NAME/

it('checks the host of a target in absolute form', async () => {
  const at = (host: string) => SIGN_IN.replace(' /', ` http://${host}/`)
  expect((await send(at('evil.example'), 'Host: localhost\r\n')).status).toBe(403)
  expect((await send(at('localhost'), 'Host: evil.example\r\n')).status).toBe(200)
  expect((await send(at('partner:secret@localhost'), 'Host: localhost\r\n')).status).toBe(400)
})

it('checks the host in the URL of a Request', async () => {
  const app = await createApp({ allowedHosts: ['sandbox'] })
  const statusAt = async (origin: string) => (await app.fetch(new Request(`${origin}/_sandbox/clock`))).status
  expect(await statusAt('http://sandbox')).toBe(200)
  expect(await statusAt('https://sandbox:8443')).toBe(200)
  expect(await statusAt('http://mock')).toBe(403)
  await app.close()
})

it.each(['http://sandbox', 'sandbox:4020', 'a b', '', 'a/b', 'a@b'])(
  'does not start with the allowed host %j',
  async (name) => {
    await expect(createApp({ allowedHosts: [name] })).rejects.toThrow(
      `an allowed host must be a name without scheme and port, got "${name}"`,
    )
  },
)
