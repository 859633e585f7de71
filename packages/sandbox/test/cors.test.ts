import { afterAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { PREFIX } from './callers.ts'

const app = await createApp({
  allowedOrigins: ['https://shop.example', 'http://Shop.Example:8080'],
})
afterAll(() => app.close())

const USERS = `${PREFIX}/partner/user`

const request = (method: string, path: string, headers: Record<string, string>, to: App = app) =>
  to.fetch(new Request(`http://localhost:4020${path}`, { method, headers }))

const preflight = (origin: string, path = USERS) =>
  request('OPTIONS', path, {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,x-trace',
  })

const ALLOWED = [
  'http://localhost:5173',
  'https://localhost',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'https://shop.example',
  'http://shop.example:8080',
]

const OTHERS = [
  'https://evil.example',
  'http://shop.example',
  'https://shop.example:8443',
  'https://shop.example.evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://user@localhost',
  'http://localhost/path',
  'ftp://localhost',
  'null',
  '*',
  'localhost',
]

/** The names of the CORS headers of a response. */
const corsOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

describe('a page of another origin', () => {
  it.each(ALLOWED)('of %s reads responses', async (origin) => {
    const response = await request('GET', USERS, { origin })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id')
    expect(response.headers.get('vary')).toBe('origin')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it.each(ALLOWED)('of %s may send what it asks for', async (origin) => {
    const { status, headers } = await preflight(origin)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-methods')).toBe('GET')
    expect(headers.get('access-control-allow-headers')).toBe('authorization,x-trace')
    expect(headers.get('vary')).toBe('origin')
  })

  it.each(OTHERS)('of %s gets neither', async (origin) => {
    expect(corsOf(await request('GET', USERS, { origin }))).toEqual([])
    const refused = await preflight(origin)
    expect(refused.status).toBe(405)
    expect(corsOf(refused)).toEqual([])
  })

  it('gets 405 for an OPTIONS that is not a preflight', async () => {
    const response = await request('OPTIONS', USERS, { origin: 'http://localhost' })
    expect(response.status).toBe(405)
  })

  it.each(['/_sandbox/clock', '/_sandbox/health', '/_sandbox/reset', '/', '/assets/main.js'])(
    'never reads %s',
    async (path) => {
      for (const origin of ALLOWED) {
        expect(corsOf(await request('GET', path, { origin }))).toEqual([])
        expect(corsOf(await preflight(origin, path))).toEqual([])
      }
    },
  )
})

it('needs no headers without an origin', async () => {
  const response = await request('GET', USERS, {})
  expect([corsOf(response), response.headers.get('vary')]).toEqual([[], null])
})

it.each(['shop.example', 'https://shop.example/', 'https://shop.example/shop', '*', 'null', ''])(
  'does not allow the origin %j',
  async (origin) => {
    await expect(createApp({ allowedOrigins: [origin] })).rejects.toThrow(
      `an allowed origin must be like https://shop.example:8443, got "${origin}"`,
    )
  },
)
