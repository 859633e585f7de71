import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { serve } from '@partner-payments/sandbox'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openSandbox } from '../../.vitepress/theme/try-it.ts'
import { inline, operationsOf } from '../../build/contract.ts'
import { createSamples, requestExamples } from '../../build/samples.ts'
import { tryOperations } from '../../build/try-it.ts'
import { hasPython, runPython, runShell } from '../programs.ts'
import { listen } from '../serve.ts'
import { behaviour, contract } from '../site.ts'
import { emptyStore } from '../store.ts'

const DAY_MS = 86_400_000
const YEAR = 365

// Where Node finds the client, as in the project of a reader who copies a program.
const docs = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(docs, 'node_modules/.samples-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void vi.useRealTimers())

/** What a reader can copy, with the language and the operation. */
const copied = operationsOf(inline(contract), behaviour).flatMap((operation) => {
  const { id } = operation
  const others = requestExamples(operation).filter(({ isSample }) => !isSample)
  const samples = [...createSamples(operation), ...others.flatMap((example) => example.samples)]
  return samples.map((sample) => ({ ...sample, id }))
})

it.for(['curl', 'TypeScript', 'Python'])(
  'a sample in %s has the same effect in a year',
  async (language, { skip }) => {
    const canRun = language !== 'Python' || (await hasPython)
    skip(!canRun, 'this machine has no Python with what the samples import')
    const today = await statusesOf(language, 0)
    expect(today.get('createDueDateQrCode')?.at(-1)).toBe(200)
    expect(await statusesOf(language, YEAR)).toEqual(today)
  },
)

it('a form sends each example in a year', async () => {
  moveClock(YEAR)
  const operations = tryOperations(contract, behaviour)
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  const form = await openSandbox(operations, new URL(sandbox.url), emptyStore())
  for (const operation of operations) {
    for (const example of operation.examples.keys()) {
      const input = await form.prepare(operation, { identity: 'partner', example })
      const { status } = await form.send(operation, input)
      expect(status, `${operation.id} ${example}`).toBeLessThan(300)
    }
  }
  await sandbox.close()
})

/** The statuses of a new sandbox to the samples of a language, by operation. */
async function statusesOf(language: string, daysAhead: number): Promise<Map<string, number[]>> {
  moveClock(daysAhead)
  const statuses = new Map<string, number[]>()
  let current: number[] = []
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  const { url, close } = await listen(async (request) => {
    const response = await sandbox.fetch(request)
    current.push(response.status)
    return response
  })

  const env = await signedIn(url)
  for (const { id, lang, source } of copied) {
    if (lang !== language) continue
    current = statuses.get(id) ?? []
    statuses.set(id, current)
    // A refusal ends a program, and is among the statuses.
    await run[lang]?.(source, { env, daysAhead }).catch(() => {})
  }
  await close()
  await sandbox.close()
  return statuses
}

/** The clock of this process, which the sandbox follows too. */
function moveClock(daysAhead: number): void {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + daysAhead * DAY_MS })
}

/** The variables of the samples. */
async function signedIn(url: string) {
  const headers = { authorization: `Basic ${btoa('partner:secret')}` }
  const signIn = await fetch(`${url}/mobile-bff/v1/auth/partner/token/`, {
    method: 'POST',
    headers,
  })
  const { access_token } = (await signIn.json()) as { access_token: string }
  return {
    BASE_URL: url,
    CLIENT_KEY: 'partner',
    CLIENT_SECRET: 'secret',
    ACCESS_TOKEN: access_token,
  }
}

type Runner = (
  source: string,
  at: { env: Record<string, string>; daysAhead: number },
) => Promise<unknown>

const run: Readonly<Record<string, Runner>> = {
  curl: (source, at) => runShell([source], at),
  Python: (source, at) => runPython([source], at),
  TypeScript: runTypeScript,
}

let programs = 0

async function runTypeScript(source: string, { env }: Parameters<Runner>[1]): Promise<void> {
  const file = join(folder, `${programs++}.mjs`)
  writeFileSync(file, source)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(pathToFileURL(file).href).finally(() => {
    printed.mockRestore()
    vi.unstubAllEnvs()
  })
}
