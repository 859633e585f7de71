import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { stepsOf } from './guide.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { gather, openTerminal, type Terminal } from './terminal.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const CURL = join(ROOT, 'docs/test/bin')
const START = 'npx -y pnpm@12 sandbox'
const NODE = 'npx -y pnpm@12 exec node'

const steps = stepsOf(new URL('../../../docs/guides/sandbox.md', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'guide-'))
const sandboxes: ChildProcess[] = []
let terminal: Terminal
let postgres: Postgres
let real: Record<string, string>

beforeAll(async () => {
  postgres = await startPostgres()
  real = {
    'postgres://user:password@localhost:5432/sandbox': await postgres.newDatabase(),
    ':4020': `:${await freePort()}`,
    ' 4021': ` ${await freePort()}`,
    ':3000': `:${await freePort()}`,
    [NODE]: process.execPath,
  }
  // The stand-in comes last: it is for machines without curl.
  const PATH = [join(process.execPath, '..'), process.env.PATH, CURL].join(delimiter)
  const PORT = real[':3000']?.slice(1)
  terminal = openTerminal({ cwd: ROOT, env: { ...process.env, PATH, PORT } })
})

afterAll(async () => {
  await terminal.close()
  await Promise.all(sandboxes.map(stop))
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

test('the command of the guide starts the program that is tested here', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.sandbox).toMatch(
    /^TURBO_TELEMETRY_DISABLED=1 turbo run build --filter=@partner-payments\/sandbox .*&& node packages\/sandbox\/dist\/cli\.js$/,
  )
})

test.each(steps)('$command', async ({ command, printed }) => {
  const before = terminal.printed.length
  const it = Object.entries(real).reduce((text, [said, used]) => text.replaceAll(said, used), command)
  if (it.includes(START)) await startSandbox(it)
  else expect(await terminal.run(it), terminal.printed).toBe(0)
  for (const line of printed)
    await vi.waitFor(() => expect(linesOf(terminal.printed.slice(before))).toContain(line), {
      timeout: 5_000,
    })
})

/** What stays in a terminal of its own. It runs in a folder of its own too, where it finds no state. */
async function startSandbox(command: string): Promise<void> {
  const [port] = /(?<=--port )\d+/.exec(command) ?? [real[':4020']?.slice(1)]
  const program = command.replace(START, `exec ${process.execPath} ${CLI} --port ${port}`)
  const child = spawn('sh', ['-c', program], { cwd: folder })
  sandboxes.push(child)
  const output = gather(child)
  await vi.waitFor(
    () => expect(output.text).toContain(`The sandbox runs on http://127.0.0.1:${port}`),
    10_000,
  )
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || !child.kill()) return
  await once(child, 'exit')
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trimEnd())
}
