import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../src/sandbox.ts'
import { parseResponse, requestOf } from './callers.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

const send = async (method: string, path: string) =>
  parseResponse(await sandbox.service(requestOf(method, path, {})))

it.each([
  ['POST', '/mobile-bff/v1/partner/webhook/', 405, '/mobile-bff/v1/partner/webhook'],
  ['GET', '/mobile-bff/v1/partner/webhook', 405, '/mobile-bff/v1/partner/webhook/'],
  ['POST', '/mobile-bff/v1/pix/out', 404, '/mobile-bff/v1/pix/out/'],
  ['PATCH', '/mobile-bff/v1/partner/webhook/17/', 404, '/mobile-bff/v1/partner/webhook/{webhook_id}'],
  ['POST', '/pix/key/', 404, '/pix/key'],
])('%s %s is refused with %i, and the path %s is suggested', async (method, path, status, other) => {
  const { body, ...response } = await send(method, path)
  expect(response.status).toBe(status)
  expect(body.detail).toBe(
    `No operation at ${method} ${path}. Trailing slashes matter: did you mean ${other}?`,
  )
})

it('shortens a path that is long', async () => {
  const { body } = await send('PATCH', `/mobile-bff/v1/partner/webhook/${'x'.repeat(5_000)}/`)
  expect(body.detail).toMatch(
    /^No operation at PATCH \/mobile-bff\S+x…\. Trailing slashes matter: did you mean \S+\?$/,
  )
  expect(body.detail.length).toBeLessThan(400)
})

it('reports an unknown path as such, not as a missing record', async () => {
  const { status, body } = await send('GET', '/mobile-bff/v2/users')
  expect([status, body.detail]).toEqual([404, 'No operation at this path. Check its prefix and its slashes.'])
})

it('lists the allowed methods of a path', async () => {
  const { status, headers, body } = await send('DELETE', '/mobile-bff/v1/pix/out/')
  expect([status, headers.get('allow'), body.detail]).toEqual([
    405,
    'POST',
    'The path exists, but not with this method. A path with a trailing slash is another path.',
  ])
})
