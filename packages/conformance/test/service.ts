import { createApp } from '@partner-payments/sandbox'
import { listen } from './services/listen.ts'

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
  const { url, close } = await listen(async (request) => {
    const right = await app.fetch(request.clone())
    const response = (await service.edit(right.clone(), request)) ?? right
    passed.push(`${request.method} ${request.url.slice(url.length)} ${response.status}`)
    return response
  })
  const service: Service = {
    ...{ url, passed, edit: () => undefined },
    async close() {
      await close()
      await app.close()
    },
  }
  return service
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
