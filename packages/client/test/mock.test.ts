import { serve } from '@partner-payments/mock'
import { afterAll, describe, expect, it } from 'vitest'
import * as fixtures from '../src/generated/fixtures.ts'
import { createPayments, type Payments } from '../src/index.ts'
import { type Operation, operationOf, operations } from '../src/operation.ts'
import { examples } from './contract.ts'
import { CUSTOMER, SECRET } from './service.ts'

const mock = await serve({ port: 0 })
afterAll(() => mock.close())

const { emv } = fixtures.checkCode.request.static
const all = Object.entries(operations).flatMap(([resource, verbs]) =>
  Object.entries<string>(verbs).map(([verb, row]) => ({ resource, verb, ...operationOf(row) })),
)

/** The path parameter, then the first example of the body. */
function argumentsOf({ operationId, path, takes }: Operation): unknown[] {
  if (operationId === 'checkCode') return [emv]
  if (operationId === 'checkKey') return ['beltrana@example.com']
  const body = examples.find((it) => it.operationId === operationId && it.of === 'request')?.value
  const id = path.includes('{') ? ['45cb5a75-cc4d-42a6-83c8-868e352756e5'] : []
  return takes === 'body' ? [...id, body] : id
}

describe('against the mock', () => {
  const payments = createPayments({ baseUrl: mock.url, auth: SECRET, retries: 0 })

  it.each(all)('$operationId succeeds with $status', async ({ resource, verb, ...operation }) => {
    type Call = (...args: unknown[]) => ReturnType<Payments['users']['list']>
    const methods = payments.as(CUSTOMER)[resource as 'users'] as unknown as Record<string, Call>
    const result = await methods[verb]?.(...argumentsOf(operation)).result()
    expect(result).toMatchObject({ ok: true, status: operation.status })
  })

  it.each(['401', '422', '429', '500', '503'])('returns a %s of the contract', async (status) => {
    const headers = { prefer: `code=${status}` }
    const result = await payments.codes.check(emv, { headers }).result()
    const problem = { status: Number(status), code: expect.any(String) }
    const error = { problem, requestId: expect.any(String) }
    expect(result).toMatchObject({ kind: 'http', status: Number(status), error })
  })
})
