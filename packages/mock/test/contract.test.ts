import { readContract } from '@partner-payments/contract'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import document from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { createMock } from '../src/index.ts'
import {
  call,
  copyOfContract,
  deviations,
  expectDocumented,
  type Json,
  operation,
  operations,
} from './contract.ts'

const mock = await createMock()

it('serves the operations of the contract and the short paths of the guide', () => {
  const declared = readContract({ document, guide, behaviour: {} }).operations
  expect(declared.length).toBeGreaterThan(0)
  expect(operations.map(({ id }) => id)).toEqual(declared.map(({ id }) => id))
})

it.each(operations)('returns the documented success of $id with its example', async (operation) => {
  const [success] = operation.responses
  const response = await call(mock, operation)
  expect(response.status).toBe(success?.status)
  expect(await deviations(operation, response)).toEqual([])
  const text = await response.text()
  expect(text && JSON.parse(text)).toEqual(success?.value ?? '')
})

it.each(operation('createTransfer').responses)(
  'returns $status with the example $name by Prefer',
  (documented) => expectDocumented(mock, operation('createTransfer'), documented),
)

it('says in each response that an operation is deprecated, and how long it works', async () => {
  const contract = copyOfContract()
  const days = { since: '2026-12-01', sunset: '2027-06-01' }
  const { paths } = contract as unknown as { paths: Record<string, Record<string, object>> }
  const { path } = operation('checkKey')
  Object.assign(paths[path]?.post ?? {}, { deprecated: true, 'x-deprecation': days })
  const deprecating = await createMock({ contract })

  const success = await call(deprecating, operation('checkKey'))
  const refusal = await call(deprecating, operation('checkKey'), { headers: { authorization: '' } })
  expect([success.status, refusal.status]).toEqual([200, 401])
  for (const { headers } of [success, refusal]) {
    expect(headers.get('deprecation')).toBe('@1796083200')
    expect(headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT')
  }

  const other = await call(deprecating, operation('listUsers'))
  expect(other.headers.has('deprecation')).toBe(false)
})

describe('a contract with an invalid example', () => {
  it('causes a 500 and a log line', async () => {
    const contract = copyOfContract()
    delete contract.components.examples.emailKey?.value.initiation_id

    const lines: string[] = []
    const broken = await createMock({ contract, log: (line) => lines.push(line) })
    const response = await call(broken, operation('checkKey'))
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ status: 500, code: 'internal_error' })
    expect(lines).toEqual([expect.stringMatching(/checkKey 200 \/initiation_id expected a value/)])
  })

  it('causes a 500 for an invalid header value', async () => {
    const contract = copyOfContract()
    Object.assign((contract.components.headers as Json).RetryAfter as Json, {
      example: '☃',
      schema: {},
    })

    const lines: string[] = []
    const broken = await createMock({ contract, log: (line) => lines.push(line) })
    const response = await call(broken, operation('listUsers'), { headers: { prefer: 'code=503' } })
    expect(response.status).toBe(500)
    expect(lines).toHaveLength(1)
  })
})
