import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program } from '@partner-payments/bench'
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, expect } from 'vitest'
import { type Service, startService } from './service.ts'

const ROOT = new URL('../../../', import.meta.url)
const CLI = fileURLToPath(new URL('packages/conformance/src/cli.ts', ROOT))
const CHECK = 'npx -y pnpm@12 check'
const STAGING = 'https://staging.example.com'

export const guide = readFileSync(new URL('docs/guides/checking-a-service.md', ROOT), 'utf8')
export let folder: string
const [who, ...commands] = stepsOf(guide)

export { commands }
/** The service that the guide checks. */
export let service: Service

/** Starts the service of the guide for the tests of a file. */
export function useGuide(): void {
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
}

/** Runs a command of the guide, and expects the lines that it shows. */
export async function expectPrinted({ command, printed }: Command): Promise<void> {
  const output = await run(command)
  for (const line of printed) expect(output.split('\n').map((it) => it.trim())).toContain(line)
}

/** Runs a script as the partner of the guide. */
export function run(script: string): Promise<string> {
  return bash(`${who?.command}\n${script}`)
}

interface Command {
  readonly command: string
  readonly printed: readonly string[]
}

/** The commands of a guide in order. A text block after a command is its output. */
function stepsOf(text: string): Command[] {
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
  const { stdout, stderr } = await new Program('bash', ['-c', here], { cwd: folder }).ended
  return stderr + stdout
}

/** A recording of an app that shows users: its page, a response, and one without its body. */
function recorded(url: string): object {
  const { value } = openapi.components.examples.invalidToken
  const headers = Object.entries({
    'content-type': 'application/problem+json',
    'x-request-id': value.request_id,
    'www-authenticate': 'Bearer',
  }).map(([name, value]) => ({ name, value }))
  const entry = (path: string, content: object) => ({
    request: { method: 'GET', url: url + path, headers: [] },
    response: { status: 401, headers, content },
  })
  const users = '/mobile-bff/v1/partner/user'
  const contents = [{ text: JSON.stringify(value) }, { size: -1, mimeType: 'application/json' }]
  return { log: { version: '1.2', entries: [entry('/', {}), ...contents.map((it) => entry(users, it))] } }
}
