import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

const at = () => `--target ${sandbox.url}`
const more: Readonly<Record<string, () => string>> = {
  mock: () => '--port 0',
  sandbox: () => '--port 0',
  check: () => `${at()} --operation checkKey --only examples`,
  listen: at,
  trigger: at,
  mcp: at,
  decode: () => '',
}

describe('--help', () => {
  it('has two examples or more for the program, which are those of its commands', async () => {
    expect((await examplesOf('--help')).length).toBeGreaterThanOrEqual(2)
  })

  it.each(Object.keys(more))('of %s has two examples that work', async (name) => {
    const examples = await examplesOf(name, '--help')
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const it of examples) expect(await runExample(`${it} ${more[name]?.()}`, folder)).toBe(0)
  })
})

async function examplesOf(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args])
  expect(stdout).not.toContain('default: []')
  const [, listed = ''] = /^Examples:\n((?: {2}partner-payments .+\n)+)/m.exec(stdout) ?? []
  return listed.split('\n').filter(Boolean)
}

/** Runs an example in a shell. Ends a server once it has printed a line. */
async function runExample(example: string, cwd: string): Promise<number | null> {
  const [, command = ''] = /^ {2}partner-payments (\w+)/.exec(example) ?? []
  const script = example.replace('partner-payments', `exec '${process.execPath}' '${CLI}'`)
  const child = spawn('sh', ['-c', script], { cwd, stdio: 'pipe' })
  child.stdin.end()
  if (['mock', 'sandbox', 'listen'].includes(command)) {
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
    child.kill('SIGINT')
  }
  child.stdout.resume()
  const [code] = await once(child, 'close')
  return code
}
