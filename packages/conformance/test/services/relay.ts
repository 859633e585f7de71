import { request as post } from 'undici'
import { listen } from './listen.ts'

/** The HTTP request of a delivery. */
export interface Posted {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a delivery to its receiver. Resolves with the status of the response. */
export type Send = (posted: Posted) => Promise<number>

const SENT = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** A server that gets the deliveries instead of their receivers. */
export async function listenAsRelay(relay: (posted: Posted, send: Send) => Promise<number>) {
  const { url, close } = await listen(async (request) => {
    const { url, headers } = request
    const sent = SENT.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []))
    const posted = { url, headers: Object.fromEntries(sent), body: await request.text() }
    return new Response(null, { status: await relay(posted, send).catch(() => 502) })
  })
  return { port: Number(new URL(url).port), close }
}

async function send({ url, headers, body }: Posted): Promise<number> {
  const response = await post(url, { method: 'POST', headers, body, reset: true })
  await response.body.dump()
  return response.statusCode
}
