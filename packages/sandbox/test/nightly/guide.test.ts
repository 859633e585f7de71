import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@partner-payments/bench'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedPostgres } from '../backends.ts'
import { gather, openTerminal, type Terminal } from '../terminal.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const START = 'npx -y pnpm@12 sandbox'
const NODE = 'npx -y pnpm@12 exec node'

const steps = stepsOf(new URL('../../../../docs/guides/sandbox.md', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'guide-'))
const sandboxes: ChildProcess[] = []
let terminal: Terminal
let real: Record<string, string>

beforeAll(async () => {
  const second = await freePort()
  real = {
    ':4021': `:${second}`,
    ' 4021': ` ${second}`,
    'postgres://user:password@localhost:5432/sandbox': await sharedPostgres().newDatabase(),
    ':4020': `:${await freePort()}`,
    ':3000': `:${await freePort()}`,
    [NODE]: process.execPath,
  }
  const PATH = [join(process.execPath, '..'), process.env.PATH].join(delimiter)
  const PORT = real[':3000']?.slice(1)
  terminal = openTerminal({ cwd: ROOT, env: { ...process.env, PATH, PORT } })
})

afterAll(async () => {
  await terminal.close()
  await Promise.all(sandboxes.map(stop))
  rmSync(folder, { recursive: true })
})

test('the guide begins with the command that starts this sandbox', () => {
  expect(steps[0]?.command).toBe(START)
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.sandbox).toMatch(/ && node packages\/sandbox\/src\/cli\.ts$/)
})

test.each(steps)('$command', async ({ command, printed }) => {
  const output = command.includes(START) ? startSandbox(here(command)) : await runThrough(here(command))
  for (const line of printed.map(here)) await expect.poll(() => linesOf(output())).toContain(line)
})

/** The text of the guide with the ports and paths of this run. */
function here(text: string): string {
  return Object.entries(real).reduce((result, [there, used]) => result.replaceAll(there, used), text)
}

/** The output since the last call. */
type Output = () => string

async function runThrough(command: string): Promise<Output> {
  const before = terminal.printed.length
  await terminal.run(command)
  return () => terminal.printed.slice(before)
}

/** Starts the sandbox in its own terminal and folder, without an existing state. */
function startSandbox(command: string): Output {
  const [port] = /(?<=--port )\d+/.exec(command) ?? [real[':4020']?.slice(1)]
  const program = command.replace(START, `exec ${process.execPath} ${CLI} --port ${port}`)
  const child = spawn('sh', ['-c', program], { cwd: folder })
  sandboxes.push(child)
  const output = gather(child)
  return () => output.text
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || !child.kill()) return
  await once(child, 'exit')
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}

/** The commands of a guide in order. A text block after a command is its documented output. */
function stepsOf(guide: URL): { readonly command: string; readonly printed: readonly string[] }[] {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/^```(sh|text)\n(.*?)^```$/gms)]
  const texts = blocks.map(([, kind, text = '']) => ({ kind, text: text.trimEnd() }))
  return texts.flatMap(({ kind, text }, i) => {
    const next = texts[i + 1]
    return kind === 'sh'
      ? [{ command: text, printed: next?.kind === 'text' ? next.text.split('\n') : [] }]
      : []
  })
}
