import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@partner-payments/bench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Disturbance } from '../../src/service/service.ts'
import { askerOf, ORIGIN, tokenOf } from '../callers.ts'
import { examples, prepare, type Send, senderOf, startForExamples } from '../contract.ts'
import type { Started } from '../started.ts'

let sandbox: Started
let prism: Awaited<ReturnType<typeof proxy>>
let send: Send
/** Applied to the next responses of checkKey. */
let broken: Disturbance | undefined

beforeAll(async () => {
  sandbox = await startForExamples({ disturb: (id) => (id === 'checkKey' ? broken : undefined) })
  prism = await proxy(sandbox.url)
  const service = async (request: Request) => {
    const { method, headers, url } = request
    return fetch(url.replace(ORIGIN, prism.url), { method, headers, body: (await request.text()) || null })
  }
  send = senderOf(askerOf(service, await tokenOf(sandbox.app)))
})

afterAll(async () => {
  await prism.close()
  await sandbox.close()
})

it.each(examples.map((it) => [it.id, it.name, it] as const))(
  '%s %s succeeds through Prism without a violation',
  async (id, _, example) => {
    await sandbox.app.worker.idle()
    const response = await send(id, await prepare(send, example))
    expect(response.headers.get('sl-violations')).toBeNull()
    expect([200, 201, 204]).toContain(response.status)
  },
)

it('Prism reports a response that lacks a field', async () => {
  broken = {
    after: async (response) => {
      const { ispb: _, ...rest } = (await response.json()) as Record<string, unknown>
      return Response.json(rest, { headers: response.headers })
    },
  }
  const response = await send('checkKey', { body: { dict_key: 'beltrana@example.com' } })
  broken = undefined
  expect(response.status).toBe(500)
  expect(response.text).toContain("must have required property 'ispb'")
})

const PRISM = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url))
const CONTRACT = fileURLToPath(import.meta.resolve('@partner-payments/spec/openapi.json'))

/**
 * Starts `prism proxy --errors` in front of a service. A request or response that breaks the contract becomes an error.
 */
async function proxy(target: string) {
  const port = await freePort()
  const child = spawn(PRISM, ['proxy', '--errors', '--port', String(port), CONTRACT, target])
  await listening(child)
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`prism ended with ${code}`)))
    child.stdout?.on('data', (chunk) => String(chunk).includes('is listening') && resolve())
  })
}
