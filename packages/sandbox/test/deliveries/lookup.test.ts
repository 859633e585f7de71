import { createSocket } from 'node:dgram'
import { expect, test } from 'vitest'
import { createLookup } from '../../src/deliveries/dial.ts'

const name = 'hooks.loja.teste'

test('returns the addresses of both families, IPv4 first', async () => {
  await using server = await nameServer({
    1: ['08080808', '08080404'],
    28: ['26064700470000000000000000001111'],
  })
  const addresses = [
    { address: '8.8.8.8' },
    { address: '8.8.4.4' },
    { address: '2606:4700:4700::1111' },
  ]
  expect(await createLookup(server)(name)).toEqual(addresses)
})

test.each([
  { reason: 'there is no address', records: {}, code: 'ENODATA' },
  { reason: 'the server never responds', records: undefined, code: 'ETIMEOUT' },
])('rejects when $reason', async ({ records, code }) => {
  await using server = await nameServer(records)
  await expect(createLookup({ ...server, timeoutMs: 50 })(name)).rejects.toMatchObject({ code })
})

/** Addresses as hexadecimal numbers, by the type of their records. */
type Records = Record<number, string[]>

/**
 * A name server on loopback that has a response for each question, by its type (RFC 1035, section
 * 4).
 */
async function nameServer(
  records: Records | undefined,
): Promise<AsyncDisposable & { servers: string[] }> {
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
  const hex = (value: number) => value.toString(16).padStart(4, '0')
  const question = message.subarray(12, message.indexOf(0, 12) + 5)
  const type = question.readUInt16BE(question.length - 4)
  const addresses = records[type] ?? []

  // A response without an error, to one question, without other records.
  const head = `${hex(message.readUInt16BE(0))}81800001${hex(addresses.length)}00000000`
  // Each has the name of the question.
  const answers = addresses.map((address) => {
    const length = hex(address.length / 2)
    return `c00c${hex(type)}000100000000${length}${address}`
  })
  return Buffer.from(head + question.toString('hex') + answers.join(''), 'hex')
}
