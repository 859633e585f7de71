import { describe, it } from 'vitest'
import { createMock } from '../../src/index.ts'
import { expectDocumented, operations } from '../contract.ts'

const mock = await createMock()

describe.each(operations)('$id', (operation) => {
  it.each(operation.responses)('returns $status with the example $name by Prefer', (documented) =>
    expectDocumented(mock, operation, documented),
  )
})
