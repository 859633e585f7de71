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
  const onDelivery = (it: RecordedDelivery) => void added.push(it)
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
const post = (url: string, body: string) => fetch(url, { method: 'POST', body, redirect: 'manual' })

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
  const [{ receiver: short }, { receiver: long, end }] = [
    await started({ timeoutMs: 1 }),
    await started({ timeoutMs: 3_600_000 }),
  ]
  expect(await short.open().waitFor(() => true)).toBeUndefined()
  const waiting = long.open().waitFor(() => true)
  end()
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
  expect((await post(url, 'x'.repeat(300_000)).catch(() => ({ status: 404 }))).status).toBe(404)
  expect((await post(`${receiver.url}/elsewhere`, 'x')).status).toBe(404)
  expect((await post(url, 'whole')).status).toBe(204)
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
  for (const path of [new URL(url).pathname, url.replace('https://hooks.example/pix', '')])
    await post(`http://127.0.0.1:${port}${path}`, 'x')
  expect(added.map((it) => it.url)).toEqual([url, url])
})
