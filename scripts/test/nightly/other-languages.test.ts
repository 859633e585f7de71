import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const page = readFileSync(join(ROOT, 'docs/guides/other-languages.md'), 'utf8')
const [, program = ''] = /^```python\n(.*?)^```/ms.exec(page) ?? []

const folder = mkdtempSync(join(tmpdir(), 'other-languages-'))
let sandbox: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  sandbox = await serve({ port: 0 })
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', ...env } }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}

/** The command of the page, with the installed generator and the built contract. */
function generate(generator: string, output: string): Promise<string> {
  const redocly = join(ROOT, 'spec/node_modules/@redocly/cli/bin/cli.js')
  const contract = join(ROOT, 'spec/dist/openapi.yaml')
  return run(process.execPath, [
    redocly,
    'generate-client',
    contract,
    '--generator',
    generator,
    '-o',
    output,
  ])
}

describe('the client in Python', () => {
  beforeAll(async () => {
    await generate('python', 'partner_payments.ts')
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, 'httpx==0.28.1'])
    writeFileSync(join(folder, 'pay.py'), program)
  })
  const pay = async () => (await run('python3', ['pay.py'], { BASE_URL: sandbox.url })).split('\n')

  it('signs in, pays a key, reads a refusal, and lists webhooks, by the program of the page', async () => {
    const [paid, refused, webhooks] = await pay()
    expect(paid).toMatch(/^[0-9a-f-]{36} is pending$/)
    expect(refused).toMatch(/^refused: .*'code': 'amount_not_allowed'/)
    expect(webhooks).toBe('0 webhooks')
  })

  it.each([
    {
      what: 'a lost response',
      fault: { kind: 'lose_response' },
      message: /^unknown, do not pay again: RemoteProtocolError/,
    },
    {
      what: 'a 503 after the work',
      fault: { kind: 'status', status: 503, after: true },
      message: /^unknown, do not pay again: ApiError/,
    },
    {
      what: 'a 429',
      fault: { kind: 'status', status: 429 },
      message: /^unknown, do not pay again: ApiError/,
    },
    {
      what: 'a 401',
      fault: { kind: 'status', status: 401 },
      message: /^refused: /,
    },
  ])('reads $what as the page says', async ({ fault, message }) => {
    const body = JSON.stringify({ operation: 'createTransfer', ...fault })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'POST', headers, body })
    expect((await pay())[0]).toMatch(message)
  })
})

describe('a refusal in Python', () => {
  const CASES = [
    { status: 422, code: 'insufficient_funds', isUnpaid: 'True' },
    { status: 422, code: 'already_paid', isUnpaid: 'False' },
    { status: 400, code: undefined, isUnpaid: 'False' },
    { status: 409, code: 'initiation_used', isUnpaid: 'False' },
  ]

  it.each(CASES)('with $status $code proves that nothing was paid: $isUnpaid', async (refusal) => {
    const { status, code, isUnpaid } = refusal
    const script = `import json, sys, pay, partner_payments
error = partner_payments.ApiError.__new__(partner_payments.ApiError)
error.status, error.body = ${status}, json.loads(sys.argv[1])
print(pay.is_refused(error))`
    const printed = await run('python3', ['-c', script, JSON.stringify({ status, code })])
    expect(printed).toBe(`${isUnpaid}\n`)
  })
})

it.each([
  { generator: 'go', file: 'client.go', error: 'type APIError struct' },
  { generator: 'java', file: 'Client.java', error: 'class ApiException extends' },
  { generator: 'php', file: 'client.php', error: 'final class ApiError extends' },
])(
  'generates a client in $generator with the error that the page names',
  async ({ generator, file, error }) => {
    await generate(generator, 'client.ts')
    expect(readFileSync(join(folder, file), 'utf8')).toContain(error)
  },
)
