import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { generateSecret, sign } from '@partner-payments/webhooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasPython } from './programs.ts'

const PROGRAM = fileURLToPath(new URL('../receivers/receive.py', import.meta.url))
const BODY = '{"type":"transfer.settled","timestamp":"2026-11-02T14:30:04Z","data":{}}'
const secret = generateSecret()
const older = generateSecret()

describe.runIf(await hasPython)('the receiver in Python', () => {
  let receiver: ChildProcess
  let url: string
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    receiver = spawn('python3', [PROGRAM], {
      env: { ...process.env, WEBHOOK_SECRETS: `${secret} ${older}`, PORT: String(port) },
    })
    await vi.waitUntil(() => post({}).catch(() => undefined), { timeout: 60_000 })
  })
  afterAll(() => void receiver.kill())

  it.each([
    { which: 'the secret', key: secret },
    { which: 'the secret that a rotation replaced', key: older },
  ])('takes a delivery that is signed with $which', async ({ key }) => {
    expect(await post(await headersOf(key, Date.now()))).toBe(204)
  })

  it('takes a delivery with several signatures, of which one matches', async () => {
    const headers = await headersOf(secret, Date.now())
    const signature = `v1,AAAA ${headers['webhook-signature']}`
    expect(await post({ ...headers, 'webhook-signature': signature })).toBe(204)
  })

  it.each([
    { cause: 'another secret', key: generateSecret(), ageMs: 0 },
    { cause: 'a timestamp of ten minutes ago', key: secret, ageMs: 600_000 },
    { cause: 'a timestamp in ten minutes', key: secret, ageMs: -600_000 },
  ])('refuses $cause', async ({ key, ageMs }) => {
    expect(await post(await headersOf(key, Date.now() - ageMs))).toBe(400)
  })

  it('refuses a body that was changed', async () => {
    const headers = await headersOf(secret, Date.now())
    expect(await post(headers, BODY.replace('settled', 'rejected'))).toBe(400)
  })

  async function post(headers: Record<string, string>, body = BODY): Promise<number> {
    const response = await fetch(url, { method: 'POST', headers, body })
    return response.status
  }
})

async function headersOf(key: string, nowMs: number): Promise<Record<string, string>> {
  return { ...(await sign(BODY, key, { id: 'msg_1', now: () => nowMs })) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
