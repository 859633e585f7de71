import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../../src/check.ts'
import { CannotRun } from '../../src/model/errors.ts'
import { type ReceiverOptions, startReceiver } from '../../src/transport/receiver.ts'
import { startService } from '../sandbox-proxy.ts'

async function started(options?: ReceiverOptions) {
  const receiver = await startReceiver(options)
  onTestFinished(() => receiver.close())
  return receiver
}

/** A port that is in use during the test. */
async function taken(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
async function free(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('survives a delivery that is cut off within its body', async () => {
  const receiver = await started()
  const inbox = receiver.open()
  const { port, pathname } = new URL(inbox.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc`)
  socket.resume()
  await once(socket, 'close')
  await fetch(inbox.url, { method: 'POST', body: 'whole' })
  expect(inbox.deliveries.map(({ text }) => text)).toEqual(['whole'])
})

test('cannot start on a port that is in use', async () => {
  const port = await taken()
  const starting = startReceiver({ publicUrl: `http://127.0.0.1:${port}` })
  await expect(starting).rejects.toThrow(CannotRun)
  await expect(starting).rejects.toThrow(`deliveries cannot be received on port ${port}: EADDRINUSE`)
})

test('listens on the port of its public URL, or on a given one', async () => {
  const port = await free()
  const at = await started({ publicUrl: 'https://hooks.example/pix/', port })
  const inbox = at.open()
  expect(inbox.url).toMatch(/^https:\/\/hooks\.example\/pix\/[\w-]+$/)
  // A tunnel may keep or strip the path prefix.
  for (const path of [new URL(inbox.url).pathname, inbox.url.replace('https://hooks.example/pix', '')])
    await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: 'x' })
  expect(inbox.deliveries).toHaveLength(2)
  await expect(startReceiver({ publicUrl: 'https://hooks.example' })).rejects.toThrow('give the local port')
})

async function deliverySentAt(receiverUrl: string, receiverPort: number, deliveryWithinMs = 20_000) {
  const service = await startService()
  onTestFinished(() => service.close())
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const only = ['deliveries-sent', 'deliveries-signed']
  const { rules, findings } = await check({
    url: service.url,
    target: 'live',
    credentials,
    rate: 5_000,
    only,
    receiverUrl,
    receiverPort,
    deliveryWithinMs,
  })
  expect(findings).toEqual([])
  return rules.filter(({ rule }) => only.includes(rule)).map(({ status, reason }) => ({ status, reason }))
}

test('the deliveries of a live service are judged if they reach the receiver', async () => {
  const port = await free()
  const held = { status: 'passed', reason: undefined }
  expect(await deliverySentAt(`http://127.0.0.1:${port}`, port)).toEqual([held, held])
})

test('deliveries are not assessed if none reaches the receiver', async () => {
  const [elsewhere, port] = [await free(), await free()]
  const url = `http://127.0.0.1:${elsewhere}`
  const reason = `no delivery arrived at ${url}: the service may not reach it, or may send none`
  const unknown = { status: 'not-assessed', reason }
  expect(await deliverySentAt(url, port, 500)).toEqual([unknown, unknown])
})
