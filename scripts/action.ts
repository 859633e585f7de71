/**
 * What action.yml runs after it has installed the command line: starts the sandbox or the mock and
 * waits until it responds, or checks a service. It imports nothing, because an action is only
 * downloaded. The inputs are in `INPUTS`, as JSON.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const START_MS = 60_000
const POLL_MS = 50
const STDOUT = 1
/** How the runner ends a step whose job is cancelled: the first, and seconds later the other. */
const CANCELLATIONS = ['SIGINT', 'SIGTERM'] as const
const {
  INPUTS = '{}',
  RUNNER_TEMP = '',
  GITHUB_OUTPUT = '',
  GITHUB_STEP_SUMMARY = '',
  ...others
} = process.env
const CLI = join(RUNNER_TEMP, 'partner-payments/node_modules/@partner-payments/cli/dist/cli.js')
const { command, options, tarball: _, ...inputs } = JSON.parse(INPUTS) as Record<string, string>
const env: NodeJS.ProcessEnv = { ...others }
const args: string[] = []
for (const [name, value] of Object.entries(inputs)) {
  if (!value || value === 'false') continue
  if (value === 'true') args.push(`--${name}`)
  // Other processes can read arguments, so credentials go into the environment.
  else if (/-(key|secret)$/.test(name)) env[name.toUpperCase().replace('-', '_')] = value
  else args.push(`--${name}=${value}`)
}
args.push(...readOptions(options))

if (command === 'check') process.exitCode = await check()
else if (command === 'sandbox' || command === 'mock') process.exitCode = await serve(command)
else process.exitCode = fail(`command must be sandbox, mock or check, got "${command}"`)

/** An option and its value, which may have spaces, on each line. */
function readOptions(text = ''): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter(Boolean).map((line) => line.replace(/^(--[\w-]+)\s+/, '$1='))
}

/**
 * Runs the checker against the service, with a summary for the job and a SARIF file for later
 * steps. Returns the exit code of the checker.
 */
async function check(): Promise<number> {
  // A folder of its own: a check that could not run must not output the report of an earlier one.
  const sarif = join(mkdtempSync(join(RUNNER_TEMP, 'partner-payments-')), 'partner-payments.sarif')
  const reports = `--report=markdown=${GITHUB_STEP_SUMMARY},sarif=${sarif}`
  const status = await printOthers(() => runChecker(reports))
  const hasReport = existsSync(sarif)
  if (hasReport) appendFileSync(GITHUB_OUTPUT, `sarif=${sarif}\n`)
  // A job that checks nothing must not look like one that passed.
  if (status === 0 && !hasReport)
    return fail('Nothing was checked: an option such as --help or --list-rules only prints a text')
  const couldNotRun = status === 2
  if (couldNotRun) {
    fail('The check could not run; see the log')
    appendFileSync(GITHUB_STEP_SUMMARY, 'The check could not run; see the log.\n')
  }
  return status ?? 1
}

/**
 * Runs the checker to its end. Returns its exit code, or null if something killed it. If the job is
 * cancelled, the checker removes what it created and writes its reports. The runner signals this
 * process alone, so the first signal is passed on; a second one would end the checker at once.
 */
async function runChecker(reports: string): Promise<number | null> {
  const checker = spawn(process.execPath, [CLI, 'check', ...args, reports], {
    env,
    // Both to stdout, since the runner does not keep the order of two streams.
    stdio: ['inherit', STDOUT, STDOUT],
  })
  let isCancelled = false
  function cancel(signal: NodeJS.Signals): void {
    // Windows signals the checker too, and `kill` would end it at once there.
    const isPassedOn = !isCancelled && process.platform !== 'win32'
    isCancelled = true
    if (isPassedOn) checker.kill(signal)
  }

  for (const signal of CANCELLATIONS) process.on(signal, cancel)
  const [status] = await once(checker, 'exit')
  for (const signal of CANCELLATIONS) process.off(signal, cancel)
  return status
}

/**
 * Starts a sandbox or a mock, and leaves it running: the runner ends it with the job. Outputs its
 * address for later steps. Returns the exit code.
 */
async function serve(command: string): Promise<number> {
  const log = join(RUNNER_TEMP, `partner-payments-${command}.log`)
  const file = openSync(log, 'w')
  const hasDatabase = env.DATABASE_URL || args.some((arg) => arg.startsWith('--file'))
  const isInMemory = command === 'sandbox' && !hasDatabase
  const allArgs = isInMemory ? ['--memory', ...args] : args
  const child = spawn(process.execPath, [CLI, command, ...allArgs], {
    env,
    detached: true,
    stdio: ['ignore', file, file],
  })
  child.unref()

  const url = await waitForUrl(child, { command, log })
  const printed = readFileSync(log, 'utf8')
  await printOthers(() => print(printed))
  if (url === undefined) {
    child.kill()
    return fail(`${command} did not start: ${printed}`)
  }
  appendFileSync(GITHUB_OUTPUT, `url=${url}\npid=${child.pid}\n`)
  return 0
}

/**
 * The address that a server prints to its log once it listens; undefined if it ends or takes too
 * long. An error may name a URL too, such as that of a wrong option.
 */
async function waitForUrl(
  child: ChildProcess,
  { command, log }: { readonly command: string; readonly log: string },
): Promise<string | undefined> {
  const end = Date.now() + START_MS
  const isRunning = () => child.exitCode === null
  // Such as `The sandbox runs on http://127.0.0.1:4020; open it in a browser.`
  const greeting = new RegExp(`^ *The ${command} runs on (http://[\\w.:[\\]-]+)`, 'm')
  while (isRunning() && Date.now() < end) {
    const [, url] = greeting.exec(readFileSync(log, 'utf8')) ?? []
    if (url) return url
    await setTimeout(POLL_MS)
  }
  return undefined
}

function fail(message: string): number {
  const [firstLine] = message.split(/[\r\n]/)
  print(`::error::${firstLine}`)
  return 1
}

/**
 * Calls a function that prints texts of other programs, such as a service. Such a text could
 * contain a command to the runner (`::set-output`); until the function ends, the runner obeys none
 * but that with a random token.
 */
async function printOthers<T>(work: () => T | Promise<T>): Promise<T> {
  const token = randomUUID()
  print(`::stop-commands::${token}`)
  try {
    return await work()
  } finally {
    // On a line of its own, also if the last one was not ended.
    print(`\n::${token}::`)
  }
}

/** At once, so that a process which is started next prints after it. */
function print(text: string): void {
  writeSync(STDOUT, `${text}\n`)
}
