import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Service, startService } from '../sandbox-proxy.ts'
import { start } from './command.ts'

let service: Service

beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

const WEBHOOKS = '/mobile-bff/v1/partner/webhook'
const args = () => ['--target', service.url, '--kind', 'sandbox', '--operation', 'createWebhook']
const created = () =>
  service.passed.filter(
    ({ method, path, status }) => method === 'POST' && path.startsWith(WEBHOOKS) && status === 201,
  )
const deleted = () => service.passed.filter(({ method, status }) => method === 'DELETE' && status === 204)

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)(
  'removes what the run made after %s, prints what it found and what ended it, and exits with 128 and its number',
  async (reason, signal, exitCode) => {
    const { child, ended } = start(args())
    await vi.waitUntil(() => created().length > 3, { timeout: 60_000 })
    child.kill(signal)
    const { code, stdout, stderr } = await ended
    expect(code).toBe(exitCode)
    expect(stderr).toContain('Interrupted: removing what the run created.')
    expect(stdout).toMatch(/^http.*: interrupted/)
    expect(stdout).toContain(`interrupted (${reason}). So far `)
    expect(created().length).toBeGreaterThan(3)
    expect(deleted()).toHaveLength(created().length)
  },
)

test('resets the clock that the run moved, after Ctrl-C', async () => {
  const clock = () => service.passed.filter(({ path }) => path === '/_sandbox/clock')
  const { child, ended } = start(['--target', service.url, '--kind', 'sandbox', '--only', 'charge-amounts'])
  await vi.waitUntil(() => clock().some(({ method }) => method === 'POST'), { timeout: 60_000 })
  child.kill('SIGINT')
  await ended
  expect(JSON.parse(clock().at(-1)?.body ?? '')).toMatchObject({ ahead_seconds: 0 })
})

test('exits at once after a second Ctrl-C', async () => {
  let isStuck = false
  // Deletions hang, so the cleanup does not end.
  service.hold = ({ method }) => isStuck && method === 'DELETE'
  const { child, ended } = start(args())
  await vi.waitUntil(() => created().length > 3, { timeout: 60_000 })
  isStuck = true
  let output = ''
  child.stderr?.on('data', (text: string) => {
    output += text
  })
  child.kill('SIGINT')
  await vi.waitUntil(() => output.includes('Interrupted'), { timeout: 60_000 })
  child.kill('SIGINT')
  const { code, stdout } = await ended
  expect({ code, stdout }).toEqual({ code: null, stdout: '' })
})
