import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { newTxId } from './actors.ts'
import { basic, CREDENTIALS, KEYS, PREFIX } from './fixtures.ts'
import { receiver } from './receiver.ts'
import { startFaulty, startTolerated } from './start.ts'

/** Signs in over HTTP, and returns a function that sends requests as the partner. */
async function asker(url: string) {
  const to = (path: string, init: RequestInit) => fetch(url + PREFIX + path, init)
  const authorization = basic(CREDENTIALS.partner)
  const signedIn = await to('/auth/partner/token/', { method: 'POST', headers: { authorization } })
  const { access_token } = (await signedIn.json()) as { access_token: string }
  return (method: string, path: string, body?: object) =>
    to(path, {
      method,
      headers: {
        authorization: `Bearer ${access_token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    })
}

describe('startFaulty', () => {
  test('serves a faulty service over HTTP', async () => {
    const { url, close } = await startFaulty('wrong-method-answers-404')
    const ask = await asker(url)
    expect((await ask('DELETE', '/partner/user')).status).toBe(404)
    expect((await ask('GET', '/partner/user')).status).toBe(200)
    await close()
  })

  test('serves one that announces a missing body', async () => {
    const { url, close } = await startFaulty('deletion-announces-a-body')
    const ask = await asker(url)
    const made = await ask('POST', '/partner/webhook', { type: 'all', url: 'https://loja.example/pix' })
    const { id } = (await made.json()) as { id: string }
    const { status, headers } = await ask('DELETE', `/partner/webhook/${id}`)
    expect([status, headers.get('content-length')]).toEqual([204, '2'])
    await close()
  })

  test('delivers to this machine through its relay, and has the control API', async () => {
    await using it = await receiver()
    const { url, close } = await startFaulty('delivery-called-text')
    const ask = await asker(url)
    await ask('POST', '/partner/webhook', { type: 'all', url: it.url })
    const fields = { dict_key: KEYS.partner, tx_id: newTxId(), amount: { original: '35.90' } }
    const made = await ask('POST', '/pix/qrcode/dynamic/immediate', fields)
    const { id } = (await made.json()) as { id: string }
    await ask('DELETE', `/pix/qrcode/dynamic/immediate/${id}`)
    await moveOn(url)
    expect(it.got.map(({ headers }) => headers['content-type'])).toEqual(['text/plain'])
    await close()
  })

  test('refuses an unknown fault', async () => {
    await expect(startFaulty('none')).rejects.toThrow('"none" is none of')
  })
})

/** The header names of a response, in their original case. */
async function headerNamesOf(url: string): Promise<string[]> {
  const [response]: IncomingMessage[] = await once(get(url), 'response')
  response?.resume()
  return (response?.rawHeaders ?? []).filter((_, i) => i % 2 === 0)
}

/** Advances the clock by the control API, so that due work is done. */
async function moveOn(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ advance_seconds: 1 })
  const { status } = await fetch(`${url}/_sandbox/clock`, { method: 'POST', headers, body })
  expect(status).toBe(200)
}

describe('startTolerated', () => {
  test('capitalizes header names', async () => {
    const { url, close } = await startTolerated('header-names-in-capitals')
    const names = await headerNamesOf(`${url}${PREFIX}/partner/user`)
    expect(names).toContain('X-Request-Id')
    expect(names).toContain('Www-Authenticate')
    await close()
  })

  test('closes each connection after its response', async () => {
    const { url, close } = await startTolerated('connection-closes')
    const ask = await asker(url)
    expect((await ask('GET', '/partner/user')).headers.get('connection')).toBe('close')
    await close()
  })
})
