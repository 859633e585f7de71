import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program } from '@partner-payments/programs'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { main } from '../src/main.ts'

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
/** Nobody listens there, so a sandbox that uses it cannot start. */
const NOWHERE = 'postgres://sandbox:sandbox@127.0.0.1:1/none'

const folder = inject('folder')
const programs: Program[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await Promise.all(programs.splice(0).map((it) => it.stop('SIGKILL')))
})

test('with --memory, it serves the hosts that flags allow, whatever DATABASE_URL is', async () => {
  const allowed = ['--allow-host', 'one.example', '--allow-host', 'two.example']
  const { stdout } = await start(['--memory', ...allowed], NOWHERE)
  expect(stdout).toContain('Its state is in memory.')

  const statusOf = async (host: string) => {
    const [response] = await once(request(urlIn(stdout), { headers: { host } }).end(), 'response')
    return response.resume().statusCode
  }

  const statuses = await Promise.all(['one.example', 'two.example', 'no.example'].map(statusOf))
  expect(statuses).toEqual([200, 200, 403])
})

test('its state is in the file that the README names, which no other may use; SIGTERM stops it', async () => {
  const program = await start([])
  expect(program.stdout).toContain('Its state is in .sandbox/state.db.')

  // A file takes precedence over DATABASE_URL.
  const other = await run(['--file', join(folder, '.sandbox/state.db')], NOWHERE)
  const words =
    /^The sandbox cannot start: \S+state\.db cannot be opened: another process is using it/
  expect(other).toEqual({ code: 1, printed: expect.stringMatching(words) })

  const port = new URL(urlIn(program.stdout)).port
  const stderr = `Port ${port} of 127.0.0.1 is in use; choose another with --port, or 0 for a free one.\n`
  expect(await command(['--memory', '--port', port]).ended).toMatchObject({ code: 1, stderr })
  expect(await program.stop()).toMatchObject({ code: 0 })
})

const WRONG_URLS = [
  // Nowhere else if it cannot be reached, and without its URL, which may have a password.
  { url: NOWHERE, words: 'the database of DATABASE_URL cannot be reached: .+' },
  {
    url: 'mysql://sandbox:hunter2@127.0.0.1/none',
    words: 'DATABASE_URL must begin with postgres://',
  },
]

for (const { url, words } of WRONG_URLS) {
  test(`it does not start with DATABASE_URL=${url}`, async () => {
    const printed = expect.stringMatching(`^The sandbox cannot start: ${words}\n$`)
    expect(await run([], url)).toEqual({ code: 1, printed })
  })
}

const WRONG_FLAGS = [
  {
    flags: ['--port', 'abc'],
    words:
      "option '--port <number>' argument 'abc' is invalid. It must be an integer from 0 to 65535.",
  },
  {
    flags: ['--allow-host', 'a:1'],
    words: 'an allowed host must be a name without scheme and port, got "a:1"',
  },
  {
    flags: ['--memory', '--file', 'x.db'],
    words: "option '--memory' cannot be used with option '--file <path>'",
  },
  { flags: ['--prot', '1'], words: "unknown option '--prot'\n(Did you mean --port?)" },
]

for (const { flags, words } of WRONG_FLAGS) {
  test(`reports what is wrong with ${JSON.stringify(flags)}, then how to get help`, async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await main(flags)).toBe(2)
    expect(written.mock.calls.join('')).toBe(
      `error: ${words}\nRun \`partner-payments sandbox --help\` for the options.\n`,
    )
  })
}

/** Runs the command in this process, which must end it. */
async function run(flags: readonly string[], url = '') {
  vi.stubEnv('DATABASE_URL', url)
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const ended = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended')
  })
  await expect(main(flags)).rejects.toThrow('ended')

  return { code: ended.mock.calls[0]?.[0], printed: written.mock.calls.join('') }
}

function command(flags: readonly string[], url = ''): Program {
  const env = { ...process.env, DATABASE_URL: url }
  const program = new Program(process.execPath, [CLI, '--port', '0', ...flags], {
    cwd: folder,
    env,
  })
  programs.push(program)
  return program
}

async function start(flags: readonly string[], url?: string): Promise<Program> {
  const program = command(flags, url)
  await program.printed(/Ctrl-C stops/)
  return program
}

function urlIn(printed: string): string {
  return /http:\S+:\d+/.exec(printed)?.[0] ?? ''
}
