import { expect, test } from 'vitest'
import { parsed } from '../faulty/json.ts'
import type { Service } from '../in-process-transport.ts'
import { judged } from './check-service.ts'
import {
  bodyOf,
  contractOf,
  createContractService,
  json,
  object,
  response,
  taking,
} from './contract-service.ts'

const account = object({
  id: { type: 'string', readOnly: true },
  name: { type: 'string', minLength: 1, maxLength: 20 },
  password: { type: 'string', minLength: 8, writeOnly: true },
})
const shown = { id: '1', name: 'Ana', password: 'correct horse' }

/** A contract with one schema and one example for requests and responses. */
const accounts = contractOf({
  '/accounts': { post: taking(bodyOf(account, shown), 'addAccount', { 201: response(account) }, 400, 415) },
})

const accountService = createContractService(accounts, {
  addAccount: ({ body }) => json(201, { id: '1', name: body.name }),
})

const read = (text: string): Record<string, unknown> => Object(parsed(text))

/** Refuses read-only properties. */
const strict: Service = async (request) => {
  const text = await request.clone().text()
  return /"id":/.test(text) ? json(400, { error: 'the id is ours' }) : accountService(request)
}

test('sends no read-only properties, and expects no write-only ones in a response', async () => {
  const { found, unseen, sent } = await judged(accounts, strict)
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
  expect(sent.length).toBeGreaterThan(20)
})

test('finds a read-only property missing in a response', async () => {
  const service: Service = async (request) => {
    const response = await accountService(request)
    return response.status === 201 ? json(201, { name: 'Ana' }) : response
  }
  const { brokenRules } = await judged(accounts, service)
  expect(brokenRules).toEqual(['response-schema addAccount'])
})

test('finds a service that does not require a write-only property', async () => {
  const service: Service = async (request) => {
    const text = await request.clone().text()
    const { password: _, ...rest } = read(text)
    const filled = JSON.stringify({ ...rest, password: shown.password })
    const isPost = request.method === 'POST' && read(text).name !== undefined && !text.includes('password')
    return isPost ? accountService(new Request(request, { body: filled })) : accountService(request)
  }
  const { brokenRules } = await judged(accounts, service)
  expect(brokenRules).toContain('break-refused addAccount')
})
