import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '@partner-payments/sandbox'

/** Changes a response of the sandbox; undefined leaves it as it is. */
export type Edit = (
  response: Response,
  request: Request,
) => Promise<Response | undefined> | Response | undefined

/** A sandbox over HTTP whose responses can be changed. */
export interface Service {
  readonly url: string
  /** `POST /mobile-bff/v1/pix/out/ 200` */
  readonly passed: string[]
  edit: Edit
  close(): Promise<void>
}

export async function startService(): Promise<Service> {
  const app = await createApp({ allowLoopback: true, limitsRates: false })
  const passed: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const request = await requestOf(incoming)
    const right = await app.fetch(request.clone())
    const response = (await service.edit(right.clone(), request)) ?? right
    passed.push(`${request.method} ${incoming.url} ${response.status}`)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    edit: () => undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await app.close()
    },
  }
  return service
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const { method = 'GET', url = '/', headers } = incoming
  const body = parts.length > 0 ? Buffer.concat(parts) : null
  return new Request(`http://127.0.0.1${url}`, { method, headers: headers as Record<string, string>, body })
}

/** Changes fields of the JSON of a response. */
export async function changed(response: Response, fields: object): Promise<Response> {
  const { headers, status } = response
  headers.delete('content-length')
  return Response.json({ ...((await response.json()) as object), ...fields }, { headers, status })
}

export const KEYS = '/mobile-bff/v1/pix/dict/check/'
export const WEBHOOKS = '/mobile-bff/v1/partner/webhook'

/** Signs in with a fetch, and returns a function that sends JSON as the partner. */
export async function signedIn(send: typeof fetch, url: string) {
  const basic = { authorization: `Basic ${btoa('partner:secret')}` }
  const response = await send(`${url}/mobile-bff/v1/auth/partner/token/`, { method: 'POST', headers: basic })
  const { access_token } = (await response.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  return async (method: string, path: string, body?: object) => {
    const sent = await send(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await sent.text()
    return { status: sent.status, json: text ? JSON.parse(text) : undefined }
  }
}
