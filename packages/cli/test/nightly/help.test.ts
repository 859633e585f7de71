import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program } from '@partner-payments/programs'
import { serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CLI = `${import.meta.dirname}/../../src/cli.ts`

const folder = mkdtempSync(join(tmpdir(), 'cli-'))
let sandbox: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

const atSandbox = () => `--target ${sandbox.url}`
/** What each command needs beside its examples. */
const FLAGS: Readonly<Record<string, () => string>> = {
  mock: () => '--port 0',
  sandbox: () => '--port 0',
  check: () => `${atSandbox()} --operation checkKey --only examples`,
  listen: atSandbox,
  trigger: atSandbox,
  mcp: atSandbox,
  decode: () => '',
}
const SERVERS: ReadonlySet<string> = new Set(['mock', 'sandbox', 'listen'])

describe('--help', () => {
  it('has two examples or more for the program, which are those of its commands', async () => {
    const examples = await examplesOf('--help')
    expect(examples.length).toBeGreaterThanOrEqual(2)
  })

  it.each(Object.keys(FLAGS))('of %s has two examples that work', async (name) => {
    const examples = await examplesOf(name, '--help')
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const example of examples) {
      const code = await runExample(`${example} ${FLAGS[name]?.()}`, folder)
      expect(code).toBe(0)
    }
  })
})

async function examplesOf(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await new Program(process.execPath, [CLI, ...args]).ended
  expect(stdout).not.toContain('default: []')
  const [, listed = ''] = /^Examples:\n((?: {2}partner-payments .+\n)+)/m.exec(stdout) ?? []
  return listed.split('\n').filter(Boolean)
}

/** Runs an example in a shell. Ends a server once it has printed a line. */
async function runExample(example: string, cwd: string): Promise<number | null> {
  const [, command = ''] = /^ {2}partner-payments (\w+)/.exec(example) ?? []
  const script = example.replace('partner-payments', `exec '${process.execPath}' '${CLI}'`)
  const program = new Program('sh', ['-c', script], { cwd })
  program.child.stdin.end()
  if (!SERVERS.has(command)) {
    const { code } = await program.ended
    return code
  }
  await program.printed(/\n/)
  const { code } = await program.stop('SIGINT')
  return code
}
