import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { keyFound } from './answers.ts'

/** A server on a thread of its own, so that its work is not counted as the client's. */
export async function startLoopback(): Promise<{ baseUrl: string; stop: () => Promise<unknown> }> {
  const worker = new Worker(new URL(import.meta.url))
  const [port] = (await once(worker, 'message')) as [number]
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => worker.terminate() }
}

if (!isMainThread) await serve()

async function serve() {
  const answer = keyFound()
  const [headers, body] = [Object.fromEntries(answer.headers), await answer.text()]
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, headers).end(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  parentPort?.postMessage((server.address() as AddressInfo).port)
}
