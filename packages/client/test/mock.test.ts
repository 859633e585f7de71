import { serve } from '@partner-payments/mock'
import { afterAll, describe, expect, it } from 'vitest'
import { aliases, operations } from '../src/generated/operations.ts'
import { createClient, createPayments, type Payments } from '../src/index.ts'
import type { Operation } from '../src/operation.ts'
import { validation } from '../src/validation.ts'
import { examples } from './contract.ts'
import { CUSTOMER, SECRET } from './service.ts'

const mock = await serve({ port: 0 })
afterAll(() => mock.close())

const all = Object.entries(operations).flatMap(([resource, verbs]) =>
  Object.entries<Operation>(verbs).map(([verb, operation]) => ({ resource, verb, ...operation })),
)

/**
 * The path parameter, then the first example of the body. A check takes the code or the key that is
 * in it.
 */
function argumentsOf({ operationId, path, takes }: Operation): unknown[] {
  const request = examples.find(
    (example) => example.operationId === operationId && example.of === 'request',
  )
  if (CHECKS.has(operationId)) return Object.values(request?.value as object)

  const args: unknown[] = []
  if (path.includes('{')) args.push('45cb5a75-cc4d-42a6-83c8-868e352756e5')
  if (takes === 'body') args.push(request?.value)
  return args
}

/** Operations that take a single value instead of a body. */
const CHECKS: ReadonlySet<string> = new Set(['checkCode', 'checkKey'])

describe('against the mock', () => {
  const payments = createPayments({ baseUrl: mock.url, auth: SECRET, retries: 0 })

  it.each(all)('$operationId succeeds with $status', async ({ resource, verb, ...operation }) => {
    type Call = (...args: unknown[]) => ReturnType<Payments['users']['list']>
    const methods = payments.as(CUSTOMER)[resource as 'users'] as unknown as Record<string, Call>
    const result = await methods[verb]?.(...argumentsOf(operation)).result()
    expect(result).toMatchObject({ ok: true, status: operation.status })
  })

  it.each<Operation>(aliases)('$operationId, a short path, has no issues', async (operation) => {
    const { method, path, status } = operation
    const issues: unknown[] = []
    const fetch = validation({ onIssues: (found) => issues.push(found) })
    const api = createClient({ baseUrl: mock.url, auth: SECRET, retries: 0, fetch })
    const [body] = argumentsOf(operation)
    const init = { body: body as never }
    const { error, response } = await api.request(
      method.toLowerCase() as 'post',
      path as '/pix/out',
      init,
    )
    expect([response.status, error, issues]).toEqual([status, undefined, []])
  })
})
