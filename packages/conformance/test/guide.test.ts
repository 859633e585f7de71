import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CACHE } from './cli/command.ts'
import { type Service, startService } from './sandbox-proxy.ts'

const ROOT = new URL('../../../', import.meta.url)
const CLI = fileURLToPath(new URL('packages/conformance/src/cli.ts', ROOT))
const CHECK = 'npx -y pnpm@12 check'
const STAGING = 'https://staging.example.com'

const guide = readFileSync(new URL('docs/guides/checking-a-service.md', ROOT), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'checking-'))
const [who, ...steps] = stepsOf(guide)
let service: Service

beforeAll(async () => {
  service = await startService()
  writeFileSync(join(folder, 'session.har'), JSON.stringify(recorded(service.url)))
  writeFileSync(join(folder, 'openapi.yaml'), JSON.stringify(openapi))
  // The fault of the service in the guide.
  service.change = (response) => {
    const { 'www-authenticate': _, ...headers } = response.headers
    return response.status === 401 ? { ...response, headers } : undefined
  }
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

test('the guide uses the command of the repository', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
  expect(scripts.check).toMatch(/ && node packages\/conformance\/src\/cli\.ts$/)
})

test.each(steps)('$command', async ({ command, printed }) => {
  const output = await bash(`${who?.command}\n${command}`)
  for (const line of printed) expect(output.split('\n').map((it) => it.trim())).toContain(line)
})

test('the job runs as documented, and writes the files of its later steps', async () => {
  const { jobs } = parse(/```yaml\n(.*?)```/s.exec(guide)?.[1] ?? '')
  const steps: readonly Step[] = jobs.check.steps
  const check = steps.find(({ name }) => name === 'check')
  const names = Object.keys(check?.env ?? {})
  expect(names).toEqual(['TARGET', 'CLIENT_KEY', 'CLIENT_SECRET', 'OTHER_KEY', 'OTHER_SECRET'])
  // Only a part, and without the rate limit, because this is not a staging service.
  const part = `${check?.run.trimEnd()} --only authorization`
  await bash(`${who?.command}\nexport GITHUB_STEP_SUMMARY=${folder}/summary.md\n${part}`)
  expect(read('summary.md')).toContain(`## ✅ ${service.url}`)
  const [upload] = steps.flatMap((step) => step.with?.sarif_file ?? [])
  expect(JSON.parse(read(upload ?? '')).version).toBe('2.1.0')
  expect(read('reports/check.xml')).toContain('<testsuites')
  expect(read('reports/verdicts.yaml')).toContain('auth-scheme:')
  const html = read('reports/check.html')
  expect(html).toContain('www-authenticate')
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
function stepsOf(text: string): { command: string; printed: string[] }[] {
  const blocks = text.matchAll(/^```sh\n(.*?)^```(?:\n\n```text\n(.*?)^```)?/gms)
  return [...blocks].map(([, command = '', printed = '']) => ({
    command: command.trimEnd(),
    printed: printed.split('\n').filter((line) => line !== ''),
  }))
}

/** Runs a script of the guide in its own folder, against the service of this test. Returns both outputs. */
async function bash(script: string): Promise<string> {
  const here = script
    // No rate limit is needed for this service. A recording needs no target.
    .replace(/(?<!\.har )--target "\$TARGET"/g, '--target "$TARGET" --rate 1000')
    .replaceAll(CHECK, `'${process.execPath}' '${CLI}'`)
    .replaceAll(STAGING, service.url)
  const env = { ...process.env, NODE_COMPILE_CACHE: CACHE }
  const child = spawn('bash', ['-c', here], { cwd: folder, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await once(child, 'close')
  return output
}

/** A recording of an app that shows users: its page, a response, and one without its body. */
function recorded(url: string): object {
  const entry = (path: string, content: object) => ({
    request: { method: 'GET', url: url + path, headers: [] },
    response: { status: 401, headers: HEADERS, content },
  })
  const users = '/mobile-bff/v1/partner/user'
  const text = JSON.stringify({
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail: 'A token is needed.',
    code: 'unauthorized',
    request_id: 'req_1',
  })
  const entries = [
    entry('/', {}),
    entry(users, { text }),
    entry(users, { size: -1, mimeType: 'application/json' }),
  ]
  return { log: { version: '1.2', entries } }
}

const HEADERS = Object.entries({
  'content-type': 'application/problem+json',
  'x-request-id': 'req_1',
  'www-authenticate': 'Bearer',
}).map(([name, value]) => ({ name, value }))
