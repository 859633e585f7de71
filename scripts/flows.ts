import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Arguments, type CommandTable, readEach } from '@partner-payments/command'
import { visible } from '@partner-payments/contract'
import { FIRST_PARTNER } from '@partner-payments/sandbox/first-partner'
import { readScriptArguments } from './arguments.ts'
import { startSandboxGate } from './sandbox-gate.ts'

const SPEC = fileURLToPath(new URL('../spec', import.meta.url))
const FLOWS = readdirSync(`${SPEC}/workflows`).map((file) => basename(file, '.arazzo.yaml'))
const DAY_MS = 86_400_000

/** A proxy would send payments to a service of its own machine, and what is here needs none. */
const DIRECT = { NO_PROXY: '*', no_proxy: '*' }

const TABLE = {
  about: `Runs the Arazzo workflows of spec/workflows against a service, by default a mock of its own:
${FLOWS.join(', ')}.
CLIENT_KEY and CLIENT_SECRET sign in, by default as ${FIRST_PARTNER.client_key}:${FIRST_PARTNER.client_secret}. Workflows that pay make payments at the target, so it must be a sandbox on this machine.`,
  operands: { usage: '[name...]', help: 'the workflows to run; all by default' },
  options: {
    target: { value: 'url', help: 'the service; each run orders with a new number' },
    'allow-remote-sandbox': { help: 'the sandbox may be on another machine' },
    'allow-payments': {
      help: 'the target may be any service: workflows pay there with real money',
    },
    input: {
      value: 'name=value',
      help: 'set an input of the workflows; may be repeated',
      read: readEach,
    },
  },
  examples: ['pay-a-key webhook', 'pay-a-key --target http://127.0.0.1:4020'],
  exitCodes: '0 all passed, 1 a check failed, 2 wrong arguments',
} as const satisfies CommandTable

const settings = readScriptArguments('flows', TABLE, toSettings)
const { target, names, inputs, isRemoteAllowed, mayPay } = settings
const service = await startService()
try {
  process.exitCode = await runWorkflows(service.url, names, inputs)
} finally {
  await service.close()
}

/**
 * Starts what the workflows call, and returns its address: a mock, or, with `--target`, that
 * service. Unless it may be paid, requests to a target go through a gate, which lets them pass only
 * while the target is a sandbox.
 */
async function startService(): Promise<{ readonly url: string; close(): unknown }> {
  // Loaded on first use, because a run with --target needs no mock.
  if (target === undefined) return (await import('@partner-payments/mock')).serve({ port: 0 })
  if (mayPay) return { url: target, close: () => undefined }

  const options = { isRemoteAllowed, onLost: explain }
  return startSandboxGate(new URL(target), options).catch((error: Error) => {
    explain(error.message)
    process.exit(1)
  })
}

/** Says why nothing more is sent. */
function explain(reason: string): void {
  process.stderr.write(
    `flows: ${visible(reason)}. To pay at another service with real money, use --allow-payments.\n`,
  )
}

/** Which workflows to run, against what, and with which inputs. Throws if an argument is wrong. */
function toSettings({ values, operands }: Arguments<typeof TABLE.options>) {
  const { target } = values
  const unknown = operands.find((name) => !FLOWS.includes(name))
  if (unknown) throw new Error(`no workflow "${unknown}"; there are ${FLOWS.join(', ')}`)
  if (target !== undefined && !isHttpUrl(target))
    throw new Error(`--target must be an http or https URL, got "${target}"`)

  const inputs: Record<string, string> = { credentials: readCredentials(), due_date: futureDate() }
  if (target !== undefined) inputs.order = newOrder()
  const givenInputs = Object.fromEntries((values.input ?? []).map(readPair))
  return {
    target,
    isRemoteAllowed: values.allowRemoteSandbox ?? false,
    mayPay: values.allowPayments ?? false,
    names: operands.length > 0 ? operands : FLOWS,
    inputs: { ...inputs, ...givenInputs },
  }
}

/** The credentials of the environment, or those of the sandbox, as basic authentication sends them. */
function readCredentials(): string {
  const { client_key, client_secret } = FIRST_PARTNER
  const { CLIENT_KEY = client_key, CLIENT_SECRET = client_secret } = process.env
  return Buffer.from(`${CLIENT_KEY}:${CLIENT_SECRET}`).toString('base64')
}

function isHttpUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/** A value that a stateful service accepts only once. */
function newOrder(): string {
  return randomBytes(10).toString('hex').toUpperCase()
}

/** A due date: one in the past is refused. */
function futureDate(): string {
  return new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
}

function readPair(input: string): [string, string] {
  const [name = '', ...parts] = input.split('=')
  if (!name || parts.length === 0) throw new Error(`--input must be name=value, got "${input}"`)
  return [name, parts.join('=')]
}

/** Runs workflows with `redocly respect`, and returns its exit code. */
async function runWorkflows(url: string, names: readonly string[], inputs: Record<string, string>) {
  const files = names.map((name) => `workflows/${name}.arazzo.yaml`)
  const server = ['--server', `openapi=${url.replace(/\/$/, '')}`]
  const redocly = join(SPEC, 'node_modules/@redocly/cli/bin/cli.js')
  const child = spawn(process.execPath, [redocly, 'respect', ...files, ...server], {
    cwd: SPEC,
    stdio: 'inherit',
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
      ...(mayPay ? {} : DIRECT),
    },
  })
  // It has nothing to clean up, and would wait for a service that does not respond.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => child.kill('SIGKILL'))
  const [code] = await once(child, 'exit')
  return code ?? 1
}
