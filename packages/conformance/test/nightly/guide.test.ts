import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program } from '@partner-payments/programs'
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Service, startService } from '../service.ts'

const ROOT = new URL('../../../../', import.meta.url)
const CLI = fileURLToPath(new URL('packages/conformance/src/cli.ts', ROOT))

const ANSWER = fileURLToPath(new URL('scripts/answer.ts', ROOT))

const guide = readFileSync(new URL('docs/guides/checking-a-service.md', ROOT), 'utf8')
const [who, ...commands] = stepsOf(guide)
let folder: string
let service: Service

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checking-'))
  service = await startService()
  writeFileSync(join(folder, 'session.har'), JSON.stringify(recorded(service.url)))
  writeFileSync(join(folder, 'openapi.yaml'), JSON.stringify(openapi))
  // The fault of the service in the guide.
  service.edit = (response) => {
    response.headers.delete('www-authenticate')
    return response
  }
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

for (const { command, printed } of commands) {
  const onOneLine = command.replaceAll(/\s*\\?\n\s*/g, ' ')
  test(`it prints what the guide shows for ${onOneLine}`, async () => {
    const output = await run(command)
    const lines = output.split('\n').map((line) => line.trim())
    for (const line of printed) expect(lines).toContain(line)
  })
}

test('it runs the job as documented, which writes the files of its later steps', async () => {
  const { jobs } = parse(
    readFileSync(new URL('packages/conformance/examples/staging.yml', ROOT), 'utf8'),
  )
  const steps: readonly Step[] = jobs.check.steps
  const check = steps.find(({ name }) => name === 'check')
  const names = Object.keys(check?.env ?? {})
  expect(names).toEqual(['TARGET', 'CLIENT_KEY', 'CLIENT_SECRET', 'OTHER_KEY', 'OTHER_SECRET'])
  // Only a part, and without the rate limit, because this is not a staging service.
  const part = `${check?.run.trimEnd()} --only access,http-challenge`
  await run(`export GITHUB_STEP_SUMMARY=${folder}/summary.md\n${part}`)
  expect(read('summary.md')).toContain(`## ✅ ${service.url}`)
  const [upload] = steps.flatMap((step) => step.with?.sarif_file ?? [])
  expect(JSON.parse(read(upload ?? '')).version).toBe('2.1.0')
  expect(read('reports/check.xml')).toContain('<testsuites')
  expect(JSON.parse(read('reports/evidence.json')).questions).toHaveProperty('auth-scheme')
  const html = read('reports/check.html')
  expect(html).toContain('http-challenge')
  expect(html).not.toContain(Buffer.from('partner:secret').toString('base64'))
})

interface Step {
  readonly name?: string
  readonly env?: Readonly<Record<string, string>>
  readonly run: string
  readonly with?: { readonly sarif_file?: string }
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** The commands of a guide in order. A text block after a command is its output. */
function stepsOf(text: string) {
  const blocks = text.matchAll(/^```sh\n(.*?)^```(?:\n\n```text\n(.*?)^```)?/gms)
  return [...blocks].map(([, command = '', printed = '']) => ({
    command: command.trimEnd(),
    printed: printed.split('\n').filter((line) => line !== ''),
  }))
}

/**
 * Runs a script as the partner of the guide, in a folder of its own, against this service. Returns
 * both outputs.
 */
async function run(script: string): Promise<string> {
  const here = `${who?.command}\n${script}`
    // No rate limit is needed for this service. A recording needs no target.
    .replace(/(?<!\.har )--target "\$TARGET"/g, '--target "$TARGET" --rate 1000')
    .replaceAll('npx -y pnpm@12 check', `'${process.execPath}' '${CLI}'`)
    .replaceAll('npx -y pnpm@12 answer', `'${process.execPath}' '${ANSWER}'`)
    .replaceAll('https://staging.example.com', service.url)
  const { stdout, stderr } = await new Program('bash', ['-c', here], { cwd: folder }).ended
  return stderr + stdout
}

/** A recording of an app that shows users: its page, a response, and one without its body. */
function recorded(url: string): object {
  const { value } = openapi.components.examples.invalidToken
  const headersWith = (requestId: string) => [
    { name: 'content-type', value: 'application/problem+json' },
    { name: 'x-request-id', value: requestId },
    { name: 'www-authenticate', value: 'Bearer' },
  ]
  const sent = [{ name: 'authorization', value: 'Bearer of-the-recording' }]
  const entry = (path: string, content: object, requestId = value.request_id) => ({
    startedDateTime: new Date().toISOString(),
    request: { method: 'GET', url: url + path, headers: sent },
    response: { status: 401, headers: headersWith(requestId), content },
  })
  const users = '/mobile-bff/v1/partner/user'
  const entries = [
    entry('/', {}),
    entry(users, { text: JSON.stringify(value) }),
    entry(users, { size: -1, mimeType: 'application/json' }, 'req_without_body'),
  ]
  return { log: { version: '1.2', entries } }
}
