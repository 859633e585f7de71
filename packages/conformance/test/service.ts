import { listen } from './services/listen.ts'
import { openTestSandbox } from './services/sandbox.ts'

export const partner = { clientKey: 'partner', clientSecret: 'secret' }
export const other = { clientKey: 'other', clientSecret: 'secret' }

/** Changes a response of the sandbox; undefined leaves it as it is. */
export type Edit = (
  response: Response,
  request: Request,
) => Promise<Response | undefined> | Response | undefined

/** A sandbox in this process whose responses can be changed. */
export async function openSandbox(edit?: Edit) {
  const { app, close } = await openTestSandbox()
  /** `POST /mobile-bff/v1/pix/out/ 200` */
  const passed: string[] = []
  async function fetch(request: Request): Promise<Response> {
    // A clone could not be cancelled, as the sandbox does with a large body.
    const body = edit && request.body ? await request.arrayBuffer() : undefined
    const copy = () => (body ? new Request(request, { body }) : request)
    const right = await app.fetch(copy())
    const edited = await edit?.(right.clone(), copy())
    const response = edited ?? right
    passed.push(`${request.method} ${new URL(request.url).pathname} ${response.status}`)
    return response
  }
  return { fetch, passed, close }
}

/** Such a sandbox over HTTP, whose `edit` can be set. */
export async function startService() {
  const edited: { edit: Edit } = { edit: () => undefined }
  const { fetch, passed, close } = await openSandbox((response, request) =>
    edited.edit(response, request),
  )
  const server = await listen(fetch)
  return Object.assign(edited, {
    url: server.url,
    passed,
    async close() {
      await server.close()
      await close()
    },
  })
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Changes fields of the JSON of a success. */
export async function changed(response: Response, fields: object): Promise<Response | undefined> {
  if (!response.ok) return undefined
  const { headers, status } = response
  headers.delete('content-length')
  const body = (await response.json()) as object
  return Response.json({ ...body, ...fields }, { headers, status })
}

export const KEYS = '/mobile-bff/v1/pix/dict/check/'
export const WEBHOOKS = '/mobile-bff/v1/partner/webhook'

/** Signs in with a fetch, and returns a function that sends JSON as the partner. */
export async function signedIn(send: typeof fetch, url: string) {
  const signIn = await send(`${url}/mobile-bff/v1/auth/partner/token/`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('partner:secret')}` },
  })
  const { access_token } = (await signIn.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }

  return async (method: string, path: string, body?: object) => {
    const response = await send(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text ? JSON.parse(text) : undefined }
  }
}
