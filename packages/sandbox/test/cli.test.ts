import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { gather } from './terminal.ts'

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
/** Nobody listens there, so a sandbox that uses it cannot start. */
const NOWHERE = 'postgres://sandbox:sandbox@127.0.0.1:1/none'

const folder = mkdtempSync(join(tmpdir(), 'cli-'))
const children: ChildProcess[] = []

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('where the state is', () => {
  test.each([
    ['in memory, by --memory', ['--memory'], 'Its state is in memory.'],
    ['in a file, by --file', ['--file', 'other.db'], 'Its state is in other.db.'],
  ])('%s, whatever DATABASE_URL is there for another program', async (_, flags, words) => {
    const { printed } = await start(flags, { DATABASE_URL: NOWHERE })
    expect(printed()).toContain(words)
  })

  test('in the file that the README names by default', async () => {
    const { printed } = await start([])
    expect(printed()).toContain('Its state is in .sandbox/state.db.')
  })

  test('in the database of DATABASE_URL, and nowhere else if it cannot be reached', async () => {
    const { code, printed } = await run([], { DATABASE_URL: NOWHERE })
    expect(code).toBe(1)
    expect(printed).toMatch(
      /^The sandbox cannot start: the database of DATABASE_URL cannot be reached: .+\n$/,
    )
  })

  test('not in a database of another kind, whose URL is not printed', async () => {
    const { code, printed } = await run([], { DATABASE_URL: 'mysql://sandbox:hunter2@127.0.0.1/none' })
    expect(code).toBe(1)
    expect(printed).toBe('The sandbox cannot start: DATABASE_URL must begin with postgres://\n')
  })

  test('not in a file that another sandbox uses', async () => {
    await start(['--file', 'shared.db'])
    const { code, printed } = await run(['--file', 'shared.db'])
    expect(code).toBe(1)
    expect(printed).toMatch(
      /^The sandbox cannot start: shared\.db cannot be opened: another process is using it/,
    )
  })
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops it, with exit code 0', async (signal) => {
  const { child } = await start(['--memory'])
  expect(await end(child, signal)).toBe(0)
})

test('names the port that is in use', async () => {
  const { printed } = await start(['--memory'])
  const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(printed()) ?? []
  const refused = await run(['--memory', '--port', port])
  expect(refused.code).toBe(1)
  expect(refused.printed).toMatch(
    new RegExp(`^Port ${port} of 127.0.0.1 is in use; choose another with --port, or 0 for a free one.\n$`),
  )
})

test('serves the hosts that flags allow', async () => {
  const { printed } = await start(['--memory', '--allow-host', 'one.example', '--allow-host', 'two.example'])
  const [url = ''] = /http:\S+:\d+/.exec(printed()) ?? []
  const statusOf = async (host: string) => {
    const [response] = await once(request(url, { headers: { host } }).end(), 'response')
    return response.resume().statusCode
  }
  expect(await Promise.all(['one.example', 'two.example', 'no.example'].map(statusOf))).toEqual([
    200, 200, 403,
  ])
})

test.each([
  [['--port', 'abc'], '--port must be an integer from 0 to 65535, got "abc"'],
  [
    ['--docs', 'localhost:4000'],
    'the address of the docs must be an http or https URL, got "localhost:4000"',
  ],
  [['--allow-host', 'a:1'], 'an allowed host must be a name without scheme and port, got "a:1"'],
  [['--memory', '--file', 'x.db'], '--memory and --file exclude each other'],
  [['--prot', '1'], "Unknown option '--prot'"],
])('reports what is wrong with %j, then lists the flags', async (flags, words) => {
  const { code, printed } = await run(flags)
  expect(code).toBe(2)
  expect(printed).toContain(`${words}\n\npartner-payments-sandbox: `)
})

function command(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const ownEnv = { ...process.env, DATABASE_URL: '', ...env }
  const child = spawn(process.execPath, [CLI, ...flags], { cwd: folder, env: ownEnv })
  children.push(child)
  const output = gather(child)
  return { child, printed: () => output.text }
}

async function start(flags: readonly string[], env?: NodeJS.ProcessEnv) {
  const started = command(['--port', '0', ...flags], env)
  await vi.waitUntil(() => /Ctrl-C stops|cannot start/.test(started.printed()), { timeout: 60_000 })
  return started
}

async function run(flags: readonly string[], env?: NodeJS.ProcessEnv) {
  const { child, printed } = command(['--port', '0', ...flags], env)
  const [code] = await once(child, 'close')
  return { code, printed: printed() }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.kill(signal)) await once(child, 'exit')
  return child.exitCode
}
