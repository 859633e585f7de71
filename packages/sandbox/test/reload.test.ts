import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/index.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

const users = 'http://127.0.0.1/mobile-bff/v1/partner/user'

test('validates requests against another version of the contract, and keeps state and tokens', async () => {
  const authorization = await signIn()
  const moved = structuredClone(contract) as { paths: Record<string, unknown> }
  moved.paths['/v2/partner/user'] = moved.paths['/mobile-bff/v1/partner/user']
  delete moved.paths['/mobile-bff/v1/partner/user']
  sandbox.reload(moved)
  const ask = (url: string) => sandbox.service(new Request(url, { headers: { authorization } }))
  expect((await ask(users)).status).toBe(404)
  expect((await ask('http://127.0.0.1/v2/partner/user')).status).toBe(200)

  expect(() => sandbox.reload({ openapi: '2.0' })).toThrow('3.1')
  expect((await ask('http://127.0.0.1/v2/partner/user')).status).toBe(200)
})

async function signIn(): Promise<string> {
  const url = 'http://127.0.0.1/mobile-bff/v1/auth/partner/token/'
  const headers = { authorization: `Basic ${btoa('partner:secret')}` }
  const response = await sandbox.service(new Request(url, { method: 'POST', headers }))
  return `Bearer ${((await response.json()) as { access_token: string }).access_token}`
}
