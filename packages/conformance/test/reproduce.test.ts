import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../src/check.ts'
import { PASSED, runOf } from './rules/in-process.ts'
import { type Service, startService } from './sandbox-proxy.ts'

const USERS = '/mobile-bff/v1/partner/user'
let service: Service

beforeAll(async () => {
  service = await startService()
  service.change = (response, { path }) =>
    path.startsWith(USERS) ? { ...response, body: '{"users":1}' } : undefined
})
afterAll(() => service.close())

test('reproduces a finding by its curl command, after the sign-in of the result', async () => {
  const { findings, signIn } = await check({
    url: service.url,
    target: 'sandbox',
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    only: ['response-schema', 'example-accepted'],
    operations: ['listUsers'],
  })
  const curl = findings[0]?.evidence.curl ?? ''
  expect(curl).toContain('$TOKEN')
  const { status, evidence } = await shell(`${signIn}\n${curl}`)
  expect({ status, evidence }).toEqual({ status: '200', evidence: '{"users":1}' })
})

/** The service runs in this process, so the command must not block it. */
async function shell(script: string): Promise<{ status: string | undefined; evidence: string | undefined }> {
  const env = { PATH: process.env.PATH ?? '', CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret' }
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
  return { status: /^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1], evidence: stdout.split('\r\n\r\n').at(-1) }
}

const run = runOf('example-accepted', { operations: ['createImmediateQrCode'] })

test('finds the same in a second run with the same seed', async () => {
  expect(await run()).toEqual(PASSED)
  expect(await run()).toEqual(PASSED)
})
