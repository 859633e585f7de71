/**
 * What action.yml runs after it has installed the command line: starts the sandbox or the mock and
 * waits until it responds, or checks a service. It imports nothing, because an action is only
 * downloaded. The inputs are in `INPUTS`, as JSON.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const START_MS = 60_000
const {
  INPUTS = '{}',
  RUNNER_TEMP = '',
  GITHUB_OUTPUT = '',
  GITHUB_STEP_SUMMARY = '',
  ...others
} = process.env
const CLI = join(RUNNER_TEMP, 'partner-payments/node_modules/@partner-payments/cli/dist/cli.js')
/** Inputs that are no flags, because other processes can read the arguments of a process. */
const IN_ENVIRONMENT = ['client-key', 'client-secret', 'other-key', 'other-secret']

const { command, options, tarball: _, ...inputs } = JSON.parse(INPUTS) as Record<string, string>
const given = Object.entries(inputs).filter(([, value]) => value)
const secrets = given.filter(([name]) => IN_ENVIRONMENT.includes(name))
const env = {
  ...others,
  ...Object.fromEntries(
    secrets.map(([name, value]) => [name.toUpperCase().replace('-', '_'), value]),
  ),
}
const flags = given
  .filter(([name]) => !IN_ENVIRONMENT.includes(name))
  .map(([name, value]) => `--${name}=${value}`)
const args = [...flags, ...linesOf(options)]

if (command === 'check') process.exitCode = check()
else if (command === 'sandbox' || command === 'mock') process.exitCode = await serve(command)
else process.exitCode = fail(`command must be sandbox, mock or check, got "${command}"`)

/** An option and its value, which may have spaces, on each line. */
function linesOf(text = ''): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter(Boolean).map((line) => line.replace(/^(--[\w-]+)\s+/, '$1='))
}

function check(): number {
  // A folder of its own: a check that could not run must not output the report of an earlier one.
  const sarif = join(mkdtempSync(join(RUNNER_TEMP, 'partner-payments-')), 'partner-payments.sarif')
  const reports = `--report=markdown=${GITHUB_STEP_SUMMARY},sarif=${sarif}`
  const { status } = spawnSync(process.execPath, [CLI, 'check', ...args, reports], {
    env,
    stdio: 'inherit',
  })
  if (existsSync(sarif)) appendFileSync(GITHUB_OUTPUT, `sarif=${sarif}\n`)
  if (status === 2) fail('The check could not run; see the log')
  if (status === 2) appendFileSync(GITHUB_STEP_SUMMARY, 'The check could not run; see the log.\n')
  return status ?? 1
}

/** The runner ends the server with the job. */
async function serve(command: string): Promise<number> {
  const log = join(RUNNER_TEMP, `partner-payments-${command}.log`)
  const file = openSync(log, 'w')
  const isKept = env.DATABASE_URL || args.some((it) => it.startsWith('--file'))
  const memory = command === 'sandbox' && !isKept ? ['--memory'] : []
  const child = spawn(process.execPath, [CLI, command, ...memory, ...args], {
    env,
    detached: true,
    stdio: ['ignore', file, file],
  })
  child.unref()
  const url = await urlOf(child, log)
  const shown = readFileSync(log, 'utf8')
  process.stdout.write(`${shown}\n`)
  if (url === undefined) child.kill()
  if (url === undefined) return fail(`${command} did not start: ${shown}`)
  appendFileSync(GITHUB_OUTPUT, `url=${url}\npid=${child.pid}\n`)
  return 0
}

/** The address that a server prints once it listens. */
async function urlOf(child: ChildProcess, log: string): Promise<string | undefined> {
  for (
    const end = Date.now() + START_MS;
    Date.now() < end && child.exitCode === null;
    await setTimeout(50)
  ) {
    const [url] = /http:\/\/[\w.:[\]-]+/.exec(readFileSync(log, 'utf8')) ?? []
    if (url) return url
  }
  return undefined
}

function fail(message: string): number {
  process.stdout.write(`::error::${message.split('\n')[0]}\n`)
  return 1
}
