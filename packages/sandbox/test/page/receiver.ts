import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where webhooks arrive. */
export interface Receiver {
  readonly url: string
  /** The status that it answers with; 503 at first. */
  answer: number
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.writeHead(receiver.answer).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pix`,
    answer: 503,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return receiver
}
