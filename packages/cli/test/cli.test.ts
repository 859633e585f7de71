import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { serve } from '@partner-payments/sandbox'
import { verify } from '@partner-payments/webhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const CLI = `${import.meta.dirname}/../src/cli.ts`
const CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037'

let sandbox: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
})
afterAll(() => sandbox.close())

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: 'pipe' })
  onTestFinished(async () => {
    child.kill('SIGINT')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  })
  return child
}

/** Runs a command until it exits. */
async function run(args: readonly string[], input = '') {
  const child = start(args)
  const seen = { stdout: '', stderr: '' }
  child.stdout?.on('data', (it) => (seen.stdout += it))
  child.stderr?.on('data', (it) => (seen.stderr += it))
  child.stdin?.end(input)
  const [code] = await once(child, 'close')
  return { code, ...seen }
}

function linesOf(stream: Readable | null): () => Promise<string> {
  if (!stream) throw new Error('the process has no pipe')
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}

/** A registered listener with its secret and its deliveries. */
async function listen(...more: readonly string[]) {
  const child = start(['listen', '--target', sandbox.url, '--json', '--show-secret', ...more])
  const error = linesOf(child.stderr)
  const webhook = /webhook ([\w-]+)/.exec(await error())?.[1]
  const secret = (await error()).replace('Secret: ', '')
  const line = linesOf(child.stdout)
  return { child, webhook, secret, error, next: async () => JSON.parse(await line()) }
}

/** A receiver that responds with a status and records its requests. */
async function receiver(status: number) {
  const got: { body: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push({ body, headers: request.headers })
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, got }
}

/** A local URL without a listener. */
async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return `http://127.0.0.1:${port}/`
}

interface State {
  readonly webhooks: readonly { id: string; url: string; deleted_at: string | null }[]
  readonly transfers: readonly { id: string; amount: string }[]
}

async function state(): Promise<State> {
  return (await fetch(`${sandbox.url}/_sandbox/state`)).json() as Promise<State>
}

const trigger = (...args: string[]) => run(['trigger', ...args, '--target', sandbox.url])

describe('listen', () => {
  it.each(['transfer.settled', 'transfer.rejected', 'qrcode.paid', 'qrcode.cancelled'])(
    'forwards the bytes of a triggered %s unchanged',
    async (event) => {
      const { url, got } = await receiver(202)
      const { secret, next } = await listen('--forward', url)
      expect(await trigger(event)).toMatchObject({ code: 0, stderr: '' })
      expect(await next()).toMatchObject({ event, signature: 'verified', status: 202 })
      const [{ body, headers } = { body: '', headers: {} }] = got
      await expect(verify(body, headers as Record<string, string>, secret)).resolves.toMatchObject({
        type: event,
      })
    },
  )

  it('removes the webhook after Ctrl-C', async () => {
    const { child, webhook, error } = await listen()
    child.kill('SIGINT')
    expect(await error()).toBe(`Removed webhook ${webhook}.`)
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    const { webhooks } = await state()
    expect(webhooks.find(({ id }) => id === webhook)?.deleted_at).toEqual(expect.any(String))
  })

  it('reports a receiver that does not respond as 502, so that the delivery is retried', async () => {
    const { next } = await listen('--forward', await closedUrl())
    await trigger('transfer.settled')
    expect(await next()).toMatchObject({
      status: 502,
      signature: 'verified',
      error: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('explains a port that is in use', async () => {
    const { port } = new URL((await receiver(204)).url)
    const ended = await run(['listen', '--target', sandbox.url, '--port', port])
    expect(ended.stderr).toMatch(`Cannot listen on port ${port}`)
    expect(ended.code).toBe(1)
  })

  it('reports a delivery with a wrong signature', async () => {
    const { child, webhook, next } = await listen('--port', '0')
    const { webhooks } = await state()
    const { url = '' } = webhooks.find(({ id }) => id === webhook) ?? {}
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(400)
    expect(await next()).toMatchObject({
      event: 'unknown',
      id: 'msg_1',
      signature: 'timestamp-too-old',
      status: 400,
    })
    expect(child.exitCode).toBeNull()
  })
})

describe('trigger', () => {
  it('sets fields of the request', async () => {
    const { stdout } = await trigger('transfer.settled', '--set', 'amount=12.34', '--json')
    const { id } = JSON.parse(stdout)
    const { transfers } = await state()
    expect(transfers.find((it) => it.id === id)).toMatchObject({ amount: '12.34' })
  })

  it.each([
    [['trigger', 'transfer.sent'], 1, /"transfer.sent" is not an event. Choose one of transfer.settled/],
    [['trigger', 'qrcode.paid', '--set', 'amount'], 1, /--set needs field=value/],
    [['trigger', 'qrcode.paid', '--target', 'http://127.0.0.1:1'], 1, /does not respond. Start a sandbox/],
    [['listen', '--target', 'https://pay.example.com'], 1, /cannot reach this machine: set --url/],
    [['listen', '--client-key', 'partner'], 1, /needs both credentials/],
    [['listen', '--target', 'pay'], 1, /--target must be an http or https URL, got "pay"/],
    [['listen', '--type', 'none'], 2, /Allowed choices are all, transfer, qrcode/],
    [['pay'], 2, /unknown command 'pay'/],
  ])('explains %j', async (args, code, message) => {
    const ended = await run(args as string[])
    expect(ended.stderr).toMatch(message as RegExp)
    expect(ended.code).toBe(code)
  })
})

describe('decode', () => {
  it('shows each field and draws the code', async () => {
    const { stdout } = await run(['decode', CODE])
    expect(stdout).toMatch(/amount\s+10\.50\n/)
    expect(stdout).toContain('█▀▀▀▀▀▀▀█')
  })

  it('reads stdin and prints JSON', async () => {
    const { stdout } = await run(['decode', '--json'], `${CODE}\n`)
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'static', txid: 'PEDIDO1001' })
  })

  it('asks for quotes around a code with spaces', async () => {
    const { code, stderr } = await run(['decode', ...CODE.split(' ')])
    expect(stderr).toContain('Put a code that has spaces in quotes.')
    expect(code).toBe(2)
  })

  it('marks the place of an error', async () => {
    const { code, stderr } = await run(['decode', CODE.replace(/4037$/, '4038')])
    const [message, shown = '', mark = ''] = stderr.split('\n')
    expect(message).toBe('Invalid payment code: object 63 at 147: expected 4037, got "4038"')
    expect(shown.slice(mark.indexOf('^'))).toBe('63044038')
    expect(code).toBe(1)
  })
})

it.each([
  ['mock', 'partner-payments-mock'],
  ['sandbox', 'partner-payments-sandbox'],
  ['check', 'partner-payments check --target URL'],
])('passes the arguments of %s on', async (command, text) => {
  expect(await run([command, '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining(text) })
})
