import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const temp = mkdtempSync(join(tmpdir(), 'action-'))
afterAll(() => rmSync(temp, { recursive: true, force: true }))

/** What a program prints if a service wrote commands into its texts; without a last line feed. */
const HOSTILE = ['##[set-output name=sarif]elsewhere', '::add-mask::1', '::set-env name=A::b']

describe('the log of the action', () => {
  it.each(['check', 'sandbox', 'mock'])('obeys nothing that %s prints', (command) => {
    const log = logOf(command, { stdout: HOSTILE.join('\n'), stderr: HOSTILE.join('\r\n') })
    expect(log).toContain(HOSTILE[1])
    expect(obeyed(log).filter((line) => !line.startsWith('::error::'))).toEqual([])
  })

  it('obeys nothing that an error quotes', () => {
    expect(obeyed(logOf('x\r::add-mask::1', {}))).toEqual([
      '::error::command must be sandbox, mock or check, got "x',
    ])
  })

  it('obeys nothing that the installation prints', () => {
    const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
    const step = action.runs.steps.find(({ run = '' }) => run.includes('npm install'))
    const bin = join(temp, 'bin')
    mkdirSync(bin)
    const script = `#!/bin/sh\nprintf '${HOSTILE.join('\\n')}'\nprintf '${HOSTILE[1]}' >&2\nexit 3\n`
    writeFileSync(join(bin, 'npm'), script, { mode: 0o755 })
    const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run]
    const { status, stdout, stderr } = spawnSync('bash', args, {
      encoding: 'utf8',
      env: {
        PATH: `${bin}${delimiter}${process.env.PATH}`,
        RUNNER_TEMP: temp,
        GITHUB_ACTION_PATH: ROOT,
        TARBALL: 'cli.tgz',
      },
    })
    expect([status, stderr]).toEqual([3, ''])
    expect(stdout).toContain(HOSTILE[1])
    expect(obeyed(stdout)).toEqual([])
  })
})

it('gives a command its inputs as options, and credentials in the environment', () => {
  const program = `const { CLIENT_KEY, CLIENT_SECRET } = process.env
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), CLIENT_KEY, CLIENT_SECRET }))`
  const log = runAction(program, {
    command: 'check',
    target: 'https://staging.example.com',
    disposable: 'true',
    'allow-remote-sandbox': 'false',
    baseline: '',
    'client-key': 'partner',
    'client-secret': 'secret',
    options: '--seed 7\n--verbose',
  })
  const { args, ...environment } = JSON.parse(/^\{.*\}$/m.exec(log)?.[0] ?? '')
  const reports = expect.stringMatching(/^--report=markdown=.*,sarif=/)
  expect(args).toEqual([
    'check',
    '--target=https://staging.example.com',
    '--disposable',
    '--seed=7',
    '--verbose',
    reports,
  ])
  expect(environment).toEqual({ CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret' })
})

it.each([
  {
    title: 'fails a check that ends without a report, as with --help',
    code: 0,
    report: '',
    status: 1,
    errors: ['::error::Nothing was checked'],
  },
  {
    title: 'fails a check that could not run',
    code: 2,
    report: '',
    status: 2,
    errors: ['::error::The check could not run'],
  },
  {
    title: 'passes a check that passes and writes its report',
    code: 0,
    report: '{}',
    status: 0,
    errors: [],
  },
])('$title', ({ code, report, status, errors }) => {
  const program = `import { writeFileSync } from 'node:fs'
const [, path] = /sarif=(.*)/.exec(process.argv.join(' '))
if ('${report}') writeFileSync(path, '${report}')
process.exit(${code})`
  const result = spawnAction(program, { command: 'check', target: 'http://127.0.0.1:9' })
  expect(result.status).toBe(status)
  const expected = errors.map((error) => expect.stringContaining(error))
  expect(obeyed(result.stdout)).toEqual(expected)
})

describe('the start of a server', () => {
  /** Prints a text, and ends only after the action has read it. */
  function printAndWait(text: string): string {
    return `process.stdout.write(${JSON.stringify(text)}); setTimeout(() => {}, 500)`
  }

  it('fails if the server ends with an error that names a URL', () => {
    const message =
      "error: option '--settle-after <ms>' argument 'http://other.example' is invalid."
    const log = runAction(printAndWait(message), { command: 'sandbox' })
    expect(obeyed(log)).toEqual([`::error::sandbox did not start: ${message}`])
  })

  it.each(['sandbox', 'mock'])('outputs where the %s runs', (command) => {
    writeFileSync(join(temp, 'output'), '')
    const greeting = `\n  The ${command} runs on http://127.0.0.1:4020, and more`
    const log = runAction(printAndWait(greeting), { command })
    expect(obeyed(log)).toEqual([])
    expect(readFileSync(join(temp, 'output'), 'utf8')).toMatch(
      /^url=http:\/\/127\.0\.0\.1:4020\npid=\d+\n$/,
    )
  })
})

it.skipIf(process.platform === 'win32')(
  'lets a check of a cancelled job remove what it created',
  async () => {
    installCli(`process.once('SIGINT', () => setTimeout(() => {
      process.stdout.write('removed')
      process.exit(130)
    }, 100))
    setTimeout(() => {}, 20_000)
    process.stdout.write('created ')`)
    const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
    const { run } = action.runs.steps.find(({ id = '' }) => id === 'run')
    const script = join(temp, 'step.sh')
    writeFileSync(script, run)
    const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script]
    const env = { ...createEnvironment({ command: 'check' }), GITHUB_ACTION_PATH: ROOT }
    const step = spawn('bash', args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    step.stdout.setEncoding('utf8')
    let log = ''
    step.stdout.on('data', (text: string) => {
      log += text
      // As the runner does, which signals the process that it has started.
      if (text.includes('created')) step.kill('SIGINT')
    })

    const [status] = await once(step, 'close')
    expect(log).toContain('created removed')
    expect(status).toBe(130)
    expect(obeyed(log)).toEqual([])
  },
)

interface Printed {
  readonly stdout?: string
  readonly stderr?: string
}

/** What the action prints with a command line that prints this and ends. */
function logOf(command: string, { stdout = '', stderr = '' }: Printed): string {
  const program = `process.stdout.write(${JSON.stringify(stdout)}); process.stderr.write(${JSON.stringify(stderr)})`
  return runAction(program, { command })
}

/** What the action prints with this program in place of the command line. */
function runAction(program: string, inputs: Readonly<Record<string, string>>): string {
  return spawnAction(program, inputs).stdout
}

/** The same, with the exit code of the action. */
function spawnAction(program: string, inputs: Readonly<Record<string, string>>) {
  installCli(program)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'scripts/action.ts')],
    { encoding: 'utf8', env: createEnvironment(inputs) },
  )
  // The runner does not keep the order of two streams.
  expect(stderr).toBe('')
  return { status, stdout }
}

/** Puts a program where the action installs the command line. */
function installCli(program: string): void {
  const folder = join(temp, 'partner-payments/node_modules/@partner-payments/cli/dist')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'cli.js'), program)
}

/** The variables that the runner sets for the action. */
function createEnvironment(inputs: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    INPUTS: JSON.stringify(inputs),
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: join(temp, 'output'),
    GITHUB_STEP_SUMMARY: join(temp, 'summary'),
  }
}

/** The lines of a log that the runner of GitHub takes for commands and obeys. */
function obeyed(log: string): string[] {
  const lines: string[] = []
  let token: string | undefined
  for (const line of log.split(/\r\n|\r|\n/)) {
    const [, stopped] = /^\s*::stop-commands::(.+)$/.exec(line) ?? []
    if (token !== undefined) {
      if (line.trim() === `::${token}::`) token = undefined
      continue
    }
    if (stopped !== undefined) token = stopped
    else if (isCommand(line)) lines.push(line)
  }
  expect(token).toBeUndefined()
  return lines
}

function isCommand(line: string): boolean {
  return /##\[.*\]/.test(line) || /^\s*::.*::/.test(line)
}
