import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import type { Result } from '../../src/engine/result.ts'
import { type Started, startFaulty } from '../faulty/start.ts'
import { CREDENTIALS, here } from './command.ts'

const OTHER = { OTHER_KEY: 'other', OTHER_SECRET: 'secret' }
let service: Started

afterEach(() => service.close())

/** Mutants with findings of rules about all responses, about sequences, and about single requests. */
test.each([
  ['no-request-id', 'request-id,credentials-required', 1, ['--operation', 'listWebhooks']],
  [
    'webhook-lost',
    'record-shown',
    // Its webhook is gone after the run.
    0,
    ['createWebhook', 'getWebhook', 'listWebhooks'].flatMap((it) => ['--operation', it]),
  ],
  ['any-token', 'credentials-required', 1, ['--operation', 'listWebhooks', '--operation', 'checkKey']],
])(
  'it checks for every finding of %s again by its command, and each curl shows its own again',
  async (id, only, curls, more) => {
    let repeatable = 0
    service = await startFaulty(id)
    const target = ['--target', service.url, '--kind', 'sandbox']
    const env = { ...CREDENTIALS, ...OTHER }
    const { stdout } = await here([...target, '--only', only, ...more, '--json'], env)
    const { findings, signIn }: Result = JSON.parse(stdout)
    expect(findings.length).toBeGreaterThan(0)
    for (const finding of findings) {
      const { rule, operation } = finding
      const scope = ['--only', rule, ...(operation ? ['--operation', operation] : [])]
      const repeated: Result = JSON.parse((await here([...target, ...scope, '--json'], env)).stdout)
      expect(repeated.findings.map((it) => it.id)).toContain(finding.id)
      const { curl, status } = finding.evidence
      if (curl === undefined) continue
      repeatable++
      expect(await statusOf(`${signIn}\n${curl}`, env), curl).toBe(String(status))
    }
    expect(repeatable).toBe(curls)
  },
)

async function statusOf(script: string, env: Record<string, string>): Promise<string | undefined> {
  const { PATH = '' } = process.env
  // With -u, a variable that no command sets ends the script.
  const { stdout } = await promisify(execFile)('sh', ['-u', '-c', script], { env: { PATH, ...env } })
  return /^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1]
}
