import { once } from 'node:events'
import { connect } from 'node:net'
import { type RunningSandbox, serve } from '@partner-payments/sandbox'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { MechanicalFault } from '../../src/mutation/fault.ts'
import { type RunningProxy, serveProxy, serveTransport } from '../../src/mutation/fault-proxy.ts'
import { mechanicalFaults } from '../../src/mutation/faults.ts'
import { createHttpTransport, type Transport } from '../../src/transport/transport.ts'
import { read } from './in-process-sandbox.ts'

const authorization = `Basic ${btoa('partner:secret')}`
const SIGN_IN = '/mobile-bff/v1/auth/partner/token/'

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await serve({ port: 0 })
})
afterAll(() => sandbox.close())

function named(id: string): MechanicalFault {
  const fault = mechanicalFaults(read).find((it) => it.id === id)
  if (!fault) throw new Error(`no fault ${id}`)
  return fault
}

describe('a proxy with a fault', () => {
  it('changes the responses of one operation, and no others', async () => {
    const proxy = await serveProxy(sandbox.url, named('response:signIn:200:/access_token null'), { contract })
    const signedIn = await fetch(`${proxy.url}${SIGN_IN}`, { method: 'POST', headers: { authorization } })
    const refused = await fetch(`${proxy.url}${SIGN_IN}`, { method: 'POST' })
    await proxy.close()
    expect(await signedIn.json()).toMatchObject({ access_token: null, refresh_token: expect.any(String) })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic/)
  })

  it('accepts a request that violates the keyword, and no other', async () => {
    const id = 'request:checkKey:body:/dict_key /components/schemas/DictKey/maxLength'
    const proxy = await serveProxy(sandbox.url, named(id), { contract })
    const transport = createHttpTransport(new URL(proxy.url))
    const signedIn = await transport.send({
      method: 'POST',
      path: SIGN_IN,
      headers: { authorization },
      body: undefined,
    })
    const headers = {
      authorization: `Bearer ${JSON.parse(signedIn.text).access_token}`,
      'content-type': 'application/json',
    }
    const ask = (dict_key: unknown) =>
      transport.send({
        method: 'POST',
        path: '/mobile-bff/v1/pix/dict/check/',
        headers,
        body: JSON.stringify({ dict_key }),
      })
    const [long, number] = [await ask('x'.repeat(1000)), await ask(7)]
    await transport.close()
    await proxy.close()
    expect([long.status, number.status]).toEqual([200, 400])
  })
})

describe('a proxy and its clients', () => {
  const response = { status: 200, headers: {}, text: 'fine', ms: 0 }
  const sent: (string | undefined)[] = []
  const transport: Transport = {
    async send({ path, body }) {
      sent.push(body)
      if (path === '/broken') throw new Error('the wire is cut')
      return response
    },
    close: async () => {},
  }
  let proxy: RunningProxy
  beforeAll(async () => {
    proxy = await serveTransport(transport)
  })
  afterAll(() => proxy.close())

  it('survives a client that disconnects within a body', async () => {
    const faults: unknown[] = []
    const note = (error: unknown) => faults.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nab')
    // When the others have their responses, the proxy has seen this connection.
    await once(socket, 'connect')
    for (const _ of [1, 2, 3]) await fetch(proxy.url)
    socket.destroy()
    await once(socket, 'close')
    for (const _ of [1, 2, 3]) expect(await (await fetch(proxy.url)).text()).toBe('fine')
    expect(faults).toEqual([])
  })

  it('returns 413 for a body above its limit, and forwards none of it', async () => {
    sent.length = 0
    const body = 'x'.repeat(20_000_001)
    expect((await fetch(proxy.url, { method: 'POST', body })).status).toBe(413)
    expect(sent).toEqual([])
  })

  it('sends no response if its transport fails', async () => {
    await expect(fetch(`${proxy.url}/broken`)).rejects.toThrow('fetch failed')
    expect((await fetch(proxy.url)).status).toBe(200)
  })
})
