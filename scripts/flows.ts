/**
 * `pnpm flows [name …] [--target URL] [--input name=value …]` runs the Arazzo workflows of spec/workflows against
 * a service; by default a mock that it starts itself. It reads CLIENT_KEY and CLIENT_SECRET from the environment, where
 * no process list shows them. Each run orders with new values and a later date, because a stateful target accepts them
 * only once; --input overrides them. The workflows that pay make payments at the target.
 * Exit codes: 0 all passed, 1 a check failed, 2 the command line is wrong.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const SPEC = fileURLToPath(new URL('../spec', import.meta.url))
const FLOWS = readdirSync(`${SPEC}/workflows`).map((file) => basename(file, '.arazzo.yaml'))
const GRACE_MS = 3000
const DAY_MS = 86_400_000

const { target, names, inputs } = readArguments()
const mock = target ? undefined : await startMock()
try {
  process.exitCode = await respect(target ?? mock?.url ?? '', names, inputs)
} finally {
  await mock?.close()
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { target: { type: 'string' }, input: { type: 'string', multiple: true, default: [] } },
    })
    const unknown = positionals.find((name) => !FLOWS.includes(name))
    if (unknown) throw new Error(`no workflow "${unknown}"; there are ${FLOWS.join(', ')}`)
    if (values.target !== undefined && !/^https?:/.test(URL.parse(values.target)?.protocol ?? ''))
      throw new Error(`--target must be an http or https URL, got "${values.target}"`)
    const { CLIENT_KEY = 'partner', CLIENT_SECRET = 'secret' } = process.env
    const credentials = Buffer.from(`${CLIENT_KEY}:${CLIENT_SECRET}`).toString('base64')
    const given = Object.fromEntries(values.input.map(pairOf))
    const inputs = { credentials, ...(values.target && newOrder()), ...given }
    return { target: values.target, names: positionals.length > 0 ? positionals : FLOWS, inputs }
  } catch (error) {
    process.stderr.write(`flows: ${error instanceof Error ? error.message : error}\n`)
    process.exit(2)
  }
}

/** Loaded on first use, because a run with --target needs no mock. */
async function startMock() {
  const { serve } = await import('@partner-payments/mock')
  return serve({ port: 0 })
}

/** Input values that a stateful service accepts only once, or only before a date. */
function newOrder() {
  const due_date = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
  return { order: randomBytes(10).toString('hex').toUpperCase(), due_date }
}

function pairOf(input: string): [string, string] {
  const [name = '', ...value] = input.split('=')
  if (!name || value.length === 0) throw new Error(`--input must be name=value, got "${input}"`)
  return [name, value.join('=')]
}

function respect(url: string, names: readonly string[], inputs: Record<string, string>): Promise<number> {
  const files = names.map((name) => `workflows/${name}.arazzo.yaml`)
  const server = ['--server', `openapi=${url.replace(/\/$/, '')}`]
  const child = spawn(`${SPEC}/node_modules/.bin/redocly`, ['respect', ...files, ...server], {
    cwd: SPEC,
    stdio: 'inherit',
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      child.kill(signal)
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
