import type { HttpHandler } from 'msw2'
import { setupServer } from 'msw2/node'
import { describe, expect, test, vi } from 'vitest'
import { describeMocking } from './msw-suite.ts'

vi.mock('msw', () => import('msw2'))

test('is another major', async () => {
  const [{ http }, two, three] = await Promise.all([
    import('msw'),
    import('msw2'),
    vi.importActual<typeof import('msw')>('msw'),
  ])
  expect(http).toBe(two.http)
  expect(http).not.toBe(three.http)
})

describe('with msw 2', () =>
  describeMocking((handlers, refuse) => {
    const server = setupServer(...(handlers as readonly unknown[] as readonly HttpHandler[]))
    server.listen({ onUnhandledRequest: refuse })
    return { ...server, use: (...more) => server.use(...(more as unknown[] as HttpHandler[])) }
  }))
