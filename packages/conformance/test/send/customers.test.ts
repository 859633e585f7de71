import { expect, test } from 'vitest'
import { stringAt } from '../../src/contract/json.ts'
import { findUser } from '../../src/send/customers.ts'
import type { Input, Outcome } from '../../src/send/requests.ts'

interface User {
  readonly status: string
  /** The states of its customers. */
  readonly customers: readonly string[]
}

/** Finds a user among some, whose ids are their places; the first of its customers is named too. */
async function find(users: readonly User[]) {
  async function call(operation: string, { path }: Input) {
    const list = users.map((_, i) => ({ id: String(i) }))
    const user = users[Number(path?.user_id)]
    const customers = user?.customers.map((status, i) => ({ id: String(i), status }))
    const json = operation === 'listUsers' ? { users: list } : { user, customers }
    // The search reads nothing else of an outcome.
    return { json } as unknown as Outcome
  }
  const user = await findUser(call)
  return { user_id: user?.user_id, customer_id: stringAt(user?.shown, '/customers/0/id') }
}

test('it finds an active customer of an active user', async () => {
  const found = await find([
    { status: 'inactive', customers: ['active'] },
    { status: 'active', customers: [] },
    { status: 'active', customers: ['blocked', 'active'] },
  ])
  expect(found).toEqual({ user_id: '2', customer_id: '1' })
})

test('it finds a customer in another state where none is active', async () => {
  const found = await find([
    { status: 'active', customers: [] },
    { status: 'ATIVO', customers: ['ATIVO'] },
  ])
  expect(found).toEqual({ user_id: '1', customer_id: '0' })
})
