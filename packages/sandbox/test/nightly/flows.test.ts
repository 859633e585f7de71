import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSandbox, serve } from '../../src/index.ts'

const FLOWS = fileURLToPath(new URL('../../../../scripts/flows.ts', import.meta.url))

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

test('the six workflows pass, with strict checks of the schemas', async () => {
  const { code, text } = await flows()
  expect(text).not.toContain('✗')
  expect(text.match(/✓ [\w-]+\.arazzo\.yaml/g)).toHaveLength(6)
  // 29 steps, one of which has a response without a body.
  expect(text.match(/✓ schema check/g)).toHaveLength(28)
  expect(code).toBe(0)
})
