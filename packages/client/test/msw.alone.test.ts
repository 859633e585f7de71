import { setupServer } from 'msw/node'
import { describe } from 'vitest'
import { describeMocking } from './msw-suite.ts'

describe('with msw 3', () =>
  describeMocking((handlers, refuse) => {
    const server = setupServer(...handlers)
    server.listen({
      onUnhandledFrame: ({ frame }) => refuse((frame.data as { request: Request }).request),
    })
    return server
  }))
