import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { RecordedDelivery } from '../../src/history.ts'
import { type ReceiverOptions, startReceiver } from '../../src/send/receiver.ts'
import { CannotRun } from '../../src/send/transport.ts'

async function started(options?: Partial<ReceiverOptions>) {
  const added: RecordedDelivery[] = []
  const ending = new AbortController()
  const onDelivery = (delivery: RecordedDelivery) => void added.push(delivery)
  const receiver = await startReceiver({ ...options, onDelivery, signal: ending.signal })
  onTestFinished(() => receiver.close())
  return { receiver, added, end: () => ending.abort() }
}

/** A port that is in use until the returned function is called. */
async function taken() {
  const server = createServer().listen(0)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, free: () => server.close() }
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', body, redirect: 'manual' })
}

test('it adds each delivery to the history, with the status that it returned', async () => {
  const { receiver, added } = await started()
  const inbox = receiver.open(({ text }) => ({ status: text === 'one' ? 302 : 0, location: '/x' }))
  const arrived = inbox.waitFor(({ text }) => text === 'two')
  expect((await post(inbox.url, 'one')).headers.get('location')).toBe('/x')
  await expect(post(`${inbox.url}?to=me`, 'two')).rejects.toThrow()
  expect(await arrived).toMatchObject({ text: 'two', url: `${inbox.url}?to=me` })
  expect(added.map(({ text, status }) => [text, status])).toEqual([
    ['one', 302],
    ['two', 0],
  ])
})

test('it waits no longer than the run, or than it was given', async () => {
  const short = await started({ timeoutMs: 1 })
  const inShort = short.receiver.open()
  expect(await inShort.waitFor(() => true)).toBeUndefined()

  const long = await started({ timeoutMs: 3_600_000 })
  const inLong = long.receiver.open()
  const waiting = inLong.waitFor(() => true)
  long.end()
  expect(await waiting).toBeUndefined()
})

test('it survives deliveries that are cut off, too large, or for nobody', async () => {
  const { receiver, added } = await started()
  const { url } = receiver.open()
  const { port, pathname } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc`)
  socket.resume()
  await once(socket, 'close')
  // The connection may break before the response arrives.
  const tooLarge = await post(url, 'x'.repeat(300_000)).catch(() => ({ status: 404 }))
  expect(tooLarge.status).toBe(404)
  const elsewhere = await post(`${receiver.url}/elsewhere`, 'x')
  expect(elsewhere.status).toBe(404)
  const whole = await post(url, 'whole')
  expect(whole.status).toBe(204)
  expect(added.map(({ text }) => text)).toEqual(['whole'])
})

test('it names a port that is in use, and needs one that leads to it', async () => {
  const { port, free } = await taken()
  const starting = started({ publicUrl: `http://127.0.0.1:${port}` })
  await expect(starting).rejects.toThrow(CannotRun)
  await expect(starting).rejects.toThrow(
    `deliveries cannot be received on port ${port}: EADDRINUSE`,
  )
  await expect(started({ publicUrl: 'https://hooks.example' })).rejects.toThrow(
    'give the local port',
  )
  free()
})

test('it receives behind a tunnel that keeps the path prefix or removes it', async () => {
  const { port, free } = await taken()
  free()
  const { receiver, added } = await started({ publicUrl: 'https://hooks.example/pix/', port })
  const { url } = receiver.open()
  expect(url).toMatch(/^https:\/\/hooks\.example\/pix\/[\w-]+$/)
  const withPrefix = new URL(url).pathname
  const withoutPrefix = url.replace('https://hooks.example/pix', '')
  await post(`http://127.0.0.1:${port}${withPrefix}`, 'x')
  await post(`http://127.0.0.1:${port}${withoutPrefix}`, 'x')
  expect(added.map((delivery) => delivery.url)).toEqual([url, url])
})
