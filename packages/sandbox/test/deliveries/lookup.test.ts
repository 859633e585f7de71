import { createSocket } from 'node:dgram'
import { expect, test } from 'vitest'
import { createLookup } from '../../src/deliveries/dial.ts'

const name = 'hooks.loja.teste'

test('returns the addresses of both families, IPv4 first', async () => {
  const ipv6 = Buffer.from('26064700470000000000000000001111', 'hex')
  await using server = await nameServer({
    1: [Buffer.from([8, 8, 8, 8]), Buffer.from([8, 8, 4, 4])],
    28: [ipv6],
  })
  const addresses = [{ address: '8.8.8.8' }, { address: '8.8.4.4' }, { address: '2606:4700:4700::1111' }]
  expect(await createLookup(server)(name)).toEqual(addresses)
})

test('rejects when there is no address', async () => {
  await using server = await nameServer({})
  await expect(createLookup(server)(name)).rejects.toMatchObject({ code: 'ENODATA' })
})

test('rejects when the server never responds', async () => {
  await using server = await nameServer(undefined)
  await expect(createLookup({ ...server, timeoutMs: 50 })(name)).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

type Records = Record<number, Buffer[]>

/** A name server on loopback that has a response for each question, by its type (RFC 1035, section 4). */
async function nameServer(records: Records | undefined): Promise<AsyncDisposable & { servers: string[] }> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    if (records) socket.send(responseTo(question, records), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(resolve)),
  }
}

function responseTo(message: Buffer, records: Records): Buffer {
  const end = message.indexOf(0, 12) + 5
  const type = message.readUInt16BE(end - 4)
  const responses = (records[type] ?? []).map((address) => recordOf(type, address))
  const head = Buffer.from(message.subarray(0, 12))
  head.writeUInt16BE(0x8180, 2) // a response without an error
  head.writeUInt16BE(responses.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, message.subarray(12, end), ...responses])
}

function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0) // the name of the question
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
