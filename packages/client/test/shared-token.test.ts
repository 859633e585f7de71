import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openTokens, sharedToken } from './recipes/shared-token.ts'
import { json, problem, service, USERS } from './service.ts'

/** The clients of several processes, which share the tokens of a service that can refuse them. */
function processes(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const accepted = new Set<string>()
  let issued = 0
  const signIn = async () => {
    issued += 1
    const access_token = `token-${issued}`
    accepted.add(`Bearer ${access_token}`)
    return { access_token, expiration: 3600 }
  }
  const clients = Array.from({ length: count }, () => {
    const token = sharedToken(openTokens(join(folder, 'tokens.db')), signIn)
    const respond = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
      accepted.has(headers.authorization ?? '') ? json(USERS) : problem(401, 'invalid_token')
    return service(respond, { auth: { token } }).payments
  })
  return { clients, revokeAll: () => accepted.clear(), issued: () => issued }
}

it('signs in once for all processes', async () => {
  const { clients, issued } = processes(8)
  await Promise.all(clients.map((payments) => payments.users.list()))
  expect(issued()).toBe(1)
})

it('renews a token once that the service has revoked, whoever is refused', async () => {
  const { clients, revokeAll, issued } = processes(8)
  await Promise.all(clients.map((payments) => payments.users.list()))
  revokeAll()
  await Promise.all(clients.map((payments) => payments.users.list()))
  expect(issued()).toBe(2)
})

it('takes the token that another process has renewed, without a sign-in of its own', async () => {
  const { clients, revokeAll, issued } = processes(2)
  const [one, other] = clients
  await one?.users.list()
  await other?.users.list()
  revokeAll()
  await one?.users.list()
  await other?.users.list()
  expect(issued()).toBe(2)
})

it('does not wait for a process that died before the clock was set back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tokens = openTokens(join(folder, 'tokens.db'))
  const tomorrow = Date.now() / 1000 + 86_400
  tokens.lock.run({ now: tomorrow })

  const signIn = async () => ({ access_token: 'token', expiration: 3600 })
  expect(await sharedToken(tokens, signIn)({ refused: undefined })).toBe('token')
}, 5_000)
