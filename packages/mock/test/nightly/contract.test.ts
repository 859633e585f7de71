import { afterAll, beforeAll, describe, it } from 'vitest'
import { type RunningMock, serve } from '../../src/index.ts'
import { expectDocumented, operations } from '../contract.ts'

let mock: RunningMock
beforeAll(async () => {
  mock = await serve({ port: 0 })
})
afterAll(() => mock.close())

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  it.each(operation.responses)('returns %i with the example %s by Prefer', (...documented) =>
    expectDocumented(mock.url, operation, documented),
  )
})
