import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSandbox, serve } from '../src/index.ts'

const FLOWS = fileURLToPath(new URL('../../../scripts/flows.ts', import.meta.url))

let sandbox: RunningSandbox

beforeAll(async () => {
  sandbox = await serve({ port: 0, checksResponses: true, allowLoopback: true })
})

afterAll(() => sandbox.close())

async function flows(...args: readonly string[]) {
  const run = promisify(execFile)(process.execPath, [FLOWS, '--target', sandbox.url, ...args])
  const { stdout, stderr } = await run.catch((failure) => failure)
  return { code: run.child.exitCode, text: `${stdout}${stderr}` }
}

test('a workflow passes, with strict checks of the schemas', async () => {
  const { code, text } = await flows('pay-a-key')
  expect(text).not.toContain('✗')
  expect(text).toContain('✓ pay-a-key.arazzo.yaml')
  expect(text).toContain('✓ schema check')
  expect(code).toBe(0)
})
