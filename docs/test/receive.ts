import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@partner-payments/programs'
import { generateSecret, sign } from '@partner-payments/webhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

const BODY = '{"type":"transfer.settled","timestamp":"2026-11-02T14:30:04Z","data":{}}'
/** A string has a length, and a stream is sent in chunks. */
type Body = string | ReadableStream
/** It stops no process. */
const isWindows = process.platform === 'win32'
const secret = generateSecret()
const older = generateSecret()

/** A receiver that needs no library of this project. */
interface Receiver {
  readonly language: string
  /** The program and its arguments. A port is written after `127.0.0.1:`, and is in PORT too. */
  readonly command: readonly string[]
  readonly isInstalled: boolean
  /** Whether it refuses a body above 128 KB. */
  readonly limitsBody: boolean
  /** Whether it ends a connection without a whole request. The test takes as long as its limit. */
  readonly limitsTime?: boolean
}

/** The file of a receiver. */
export function receiverFile(name: string): string {
  return fileURLToPath(new URL(`../receivers/${name}`, import.meta.url))
}

/** What each receiver must do, whatever its language. */
export function describeReceiver(about: Receiver): void {
  const { language, command, isInstalled, limitsBody, limitsTime = false } = about
  describe.runIf(isInstalled)(`the receiver in ${language}`, () => {
    let receiver: ChildProcess
    let url: string
    beforeAll(async () => {
      const port = await freePort()
      url = `http://127.0.0.1:${port}`
      receiver = start(command, port, `${secret} ${older}`)
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

    it('takes an event that is larger than the request whose record it shows', async () => {
      const body = BODY.replace('{}', JSON.stringify({ text: 'x'.repeat(70_000) }))
      expect(await post(await headersOf(secret, Date.now(), body), body)).toBe(204)
    })

    if (limitsBody) {
      it('refuses a body above 128 KB, although its signature is right', async () => {
        const body = BODY.replace('{}', JSON.stringify({ text: 'x'.repeat(140_000) }))
        expect(await post(await headersOf(secret, Date.now(), body), body)).toBe(400)
      })
    }

    it('takes a delivery while another sender has stopped in its body', async () => {
      const stopped = connect(Number(new URL(url).port), '127.0.0.1')
      onTestFinished(() => void stopped.destroy())
      stopped.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{')
      await setTimeout(300)
      expect(await post(await headersOf(secret, Date.now()))).toBe(204)
    })

    if (limitsTime) {
      it('ends the connection of a sender that has stopped in its body', async () => {
        const stopped = connect(Number(new URL(url).port), '127.0.0.1')
        onTestFinished(() => void stopped.destroy())
        stopped.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{')
        stopped.resume()
        await once(stopped, 'close', { signal: AbortSignal.timeout(40_000) })
      })
    }

    it('takes a delivery that comes in chunks, without a length', async () => {
      const headers = await headersOf(secret, Date.now())
      const parts = [BODY.slice(0, 20), BODY.slice(20)]
      expect(await post(headers, new Blob(parts).stream())).toBe(204)
    })

    it.skipIf(isWindows)('lets 40 senders connect while it is busy', async () => {
      receiver.kill('SIGSTOP')
      const { port } = new URL(url)
      const senders = Array.from({ length: 40 }, () => connect(Number(port), '127.0.0.1'))
      onTestFinished(() => {
        receiver.kill('SIGCONT')
        for (const sender of senders) sender.destroy()
      })
      const areConnected = () => senders.every(({ pending }) => !pending)
      await vi.waitUntil(areConnected, { timeout: 10_000 })
    })

    it.each(['', 'whsec_', 'whsec_AAAA'])('takes nothing with the secret "%s"', async (part) => {
      const port = await freePort()
      const other = start(command, port, part)
      const hasEnded = () => (other.exitCode === null ? undefined : 'ended')
      const tried = () => postTo(`http://127.0.0.1:${port}`, {}, BODY).catch(hasEnded)
      const outcome = await vi.waitUntil(tried, { timeout: 60_000 })
      other.kill()
      expect(['ended', 500]).toContain(outcome)
    })

    function post(headers: Record<string, string>, body: Body = BODY): Promise<number> {
      return postTo(url, headers, body)
    }
  })
}

function start([program = '', ...args]: readonly string[], port: number, secrets: string) {
  const withPort = args.map((arg) => arg.replace('127.0.0.1:', `127.0.0.1:${port}`))
  const env = { ...process.env, WEBHOOK_SECRETS: secrets, PORT: String(port) }
  return spawn(program, withPort, { env })
}

async function postTo(url: string, headers: Record<string, string>, body: Body): Promise<number> {
  // A stream needs `duplex`, which means nothing for a string.
  const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
  return response.status
}

async function headersOf(key: string, nowMs: number, body = BODY): Promise<Record<string, string>> {
  return { ...(await sign(body, key, { id: 'msg_1', now: () => nowMs })) }
}
