import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listen } from '../src/listen.ts'

test('a server that closes does not wait for connections that are kept alive', async () => {
  let answer = (_: Response) => {}
  const answered = new Promise<Response>((resolve) => {
    answer = resolve
  })
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const { url, close } = await listen({
    port: 0,
    host: '127.0.0.1',
    fetch() {
      arrive()
      return answered
    },
  })
  const sent = get(url, { agent: new Agent({ keepAlive: true }) })
  await arrived
  const closed = close().then(() => 'closed')
  answer(new Response('late'))
  const [got] = (await once(sent, 'response')) as [IncomingMessage]
  expect(Buffer.concat(await got.toArray()).toString()).toBe('late')
  // The connection would be kept for five seconds.
  expect(await Promise.race([closed, sleep(3_000, 'kept')])).toBe('closed')
})
