import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { freePort } from '@partner-payments/programs'
import { type RunningSandbox, serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveDocs } from '../build/dev.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))
let sandbox: RunningSandbox
let site: Awaited<ReturnType<typeof serveDocs>>
beforeAll(async () => {
  sandbox = await serve({ port: 0 })
  site = await serveDocs({ docs, sandbox: sandbox.url, port: await freePort() })
})
afterAll(() => Promise.all([site?.close(), sandbox?.close()]))

it.each([
  { path: '/guides/errors.html', status: 200 },
  { path: '/reference.html', status: 200 },
  { path: '/nowhere', status: 404 },
  { path: '/nowhere.html', status: 404 },
  { path: '/robots.txt', status: 404 },
  { path: '/mobile-bff/v1/partner/user', status: 401 },
  { path: '/mobile-bff/v1/qrcodes/100%25', status: 404 },
])('it serves pages, and the sandbox below /mobile-bff/: $path', async ({ path, status }) => {
  expect((await get(path)).statusCode).toBe(status)
})

it.each([
  { path: '/rules/money-paid.html', text: 'url=../rules/money.html#money-paid' },
  { path: '/receivers/hono.ts', text: "from '@partner-payments/webhooks'" },
])('it serves $path as the built site does', async ({ path, text }) => {
  const response = await fetch(site.url + path)
  expect(await response.text()).toContain(text)
})

it.each([
  '/mobile-bff/../_sandbox/state',
  '/mobile-bff/..\\_sandbox\\state',
  '/mobile-bff/%2e%2e/_sandbox/state',
  '/mobile-bff/.%2E/_sandbox/state?a=/mobile-bff/',
  '/mobile-bff/%252e%252e/_sandbox/state',
  '/mobile-bff/..%2f_sandbox%2fstate',
  '/mobile-bff/.%09./_sandbox/state',
  '/mobile-bff//..//_sandbox/state',
  '//mobile-bff/../_sandbox/state',
  '/mobile-bff/%zz/../../_sandbox/state',
])(
  'it does not pass %s on to the sandbox, whose state only this machine may read',
  async (path) => {
    const { statusCode, headers } = await get(path)
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(String(headers['content-type'])).not.toMatch(/json/)
  },
)

it.each(['/guides/errors.html', '/operations/createTransfer.html', '/nowhere', '/sandbox.json'])(
  'it lets no other site show %s in a frame',
  async (path) => {
    const { headers } = await get(path)
    expect(headers['content-security-policy']).toBe("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  },
)

it.each(['/__open-in-editor?file=config.ts', '/__OPEN-in-editor/?file=/etc/hosts'])(
  'it opens no file in an editor: %s',
  async (path) => {
    expect((await get(path)).statusCode).toBe(404)
  },
)

it.each(['.git/HEAD', '.git/HEAD?raw', '.git/config?import&raw'])(
  'it does not serve the file %s of the clone, which may have a secret',
  async (file) => {
    const clone = fileURLToPath(new URL('../..', import.meta.url))
    expect((await get(`/@fs${clone}${file}`)).statusCode).toBeGreaterThanOrEqual(400)
  },
)

it('leads from every header to the page of the sandbox, and names its address to “Try it”', async () => {
  const { statusCode, headers } = await get('/sandbox.html')
  expect([statusCode, headers.location]).toEqual([302, sandbox.url])
  expect(await (await fetch(`${site.url}/sandbox.json`)).json()).toEqual({ url: sandbox.url })
})

/** Unlike fetch, sends the path as it is written. */
async function get(path: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(site.url)
  const sent = request({ hostname, port, path, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response
}
