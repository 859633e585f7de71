import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type DialOptions, dial, type Endpoint } from '../../src/deliveries/dial.ts'
import { DeliveryFailure } from '../../src/deliveries/outcome.ts'
import { readTarget, type Target } from '../../src/deliveries/url.ts'

test('sends no server name to an IP address', async () => {
  expect(await endpointsOf('https://8.8.8.8/')).toEqual([{ address: '8.8.8.8', port: 443, servername: '' }])
  expect(await endpointsOf('https://[2400::1]:8443/')).toEqual([
    { address: '2400::1', port: 8443, servername: '' },
  ])
})

test('uses no TLS for http, and its default port', async () => {
  expect(await endpointsOf('http://127.0.0.1/')).toEqual([{ address: '127.0.0.1', port: 80 }])
})

test('ends the connection when it is aborted, and tries no other address', async () => {
  const cut = new AbortController()
  const sockets: Socket[] = []
  const open = () => {
    sockets.push(new Socket())
    setImmediate(() => cut.abort(new DeliveryFailure('closed', 'cut')))
    return sockets[0] as Socket
  }
  const lookup = async () => [{ address: '8.8.8.8' }, { address: '8.8.4.4' }]
  const dialing = dial(target('https://hooks.loja.teste/'), options({ open, lookup, signal: cut.signal }))
  await expect(dialing).rejects.toMatchObject({ reason: 'closed' })
  expect(sockets.map((socket) => socket.destroyed)).toEqual([true])
})

test('ends when a socket closes without an error', async () => {
  const open = () => new Socket().destroy()
  const dialing = dial(target('https://8.8.8.8/'), options({ open }))
  await expect(dialing).rejects.toMatchObject({ reason: 'reset' })
})

/** The endpoints that are opened for a URL, by sockets that never connect. */
async function endpointsOf(url: string): Promise<Endpoint[]> {
  const opened: Endpoint[] = []
  const open = (endpoint: Endpoint) => {
    opened.push(endpoint)
    return new Socket().destroy()
  }
  await expect(dial(target(url), options({ open }))).rejects.toThrow()
  return opened
}

function target(url: string): Target {
  const read = readTarget(url, { allowLoopback: true })
  if ('detail' in read) throw new Error(read.detail)
  return read
}

function options(own: Partial<DialOptions>): DialOptions {
  const { signal } = new AbortController()
  const none = () => new Socket().destroy()
  return { lookup: async () => [], open: none, attemptMs: 60_000, signal, ...own }
}
