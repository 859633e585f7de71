import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { crc16 } from '@partner-payments/brcode'
import { createPayments } from '@partner-payments/client'
import { freePort, Program } from '@partner-payments/programs'
import { serve } from '@partner-payments/sandbox'
import { FIRST_PARTNER } from '@partner-payments/sandbox/first-partner'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { generateSecret, signForTest, verify } from '@partner-payments/webhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { main } from '../src/main.ts'

const CLI = `${import.meta.dirname}/../src/cli.ts`
const CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037'

let sandbox: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
})
afterAll(async () => {
  await sandbox.close()
})

function start(...args: readonly string[]): Program {
  const program = new Program(process.execPath, [CLI, ...args])
  onTestFinished(async () => {
    await program.stop('SIGINT')
  })
  return program
}

/** Runs a command in this process. */
async function run(args: readonly string[]) {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += text
      return true
    })
  try {
    const code = await main(args)
    return { code, ...output }
  } finally {
    vi.restoreAllMocks()
  }
}

/** A registered listener with its secret and its deliveries. */
async function listen(...more: readonly string[]) {
  const program = start('listen', '--target', sandbox.url, '--json', '--show-secret', ...more)
  const [, webhook, secret = ''] = await program.printed(/webhook ([\w-]+).*\nSecret: (.*)\n/)
  /** The first delivery, or the first one of an event. */
  const delivery = async (event = '') => {
    const [line] = await program.printed(new RegExp(`^\\{"event":"${event}.*\\n`, 'm'))
    return JSON.parse(line)
  }
  return { program, webhook, secret, delivery }
}

/** A receiver that responds with a status and records its requests. */
async function receiver(status: number) {
  const got: { body: string; headers: IncomingHttpHeaders }[] = []
  const { url } = await responding(async (response) => {
    got.push({ body: await text(response.req), headers: response.req.headers })
    response.writeHead(status).end()
  })
  return { url: `${url}/hooks`, got }
}

/** A server that responds as the function does. */
async function responding(respond: (response: ServerResponse) => unknown) {
  const server = createServer((_, response) => void respond(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requested: once(server, 'request') }
}

const TOKENS = { access_token: 'a', refresh_token: 'r', type: 'Bearer', expiration: 3600 }

interface State {
  readonly webhooks: readonly { id: string; url: string; deleted_at: string | null }[]
  readonly transfers: readonly object[]
  readonly qrcodes: readonly object[]
}

async function readState(): Promise<State> {
  const response = await fetch(`${sandbox.url}/_sandbox/state`)
  return response.json() as Promise<State>
}

const trigger = (...args: string[]) => run(['trigger', ...args, '--target', sandbox.url])

describe('listen', () => {
  it.each(Object.keys(contract.webhooks))(
    'forwards the bytes of a triggered %s unchanged',
    async (event) => {
      const { url, got } = await receiver(202)
      const { secret, delivery } = await listen('--forward', url)
      expect(await trigger(event)).toMatchObject({ code: 0, stderr: '' })
      expect(await delivery(event)).toMatchObject({ event, signature: 'verified', status: 202 })

      // A paid QR code causes two events.
      const events = await Promise.all(
        got.map(({ body, headers }) => verify(body, headers as Record<string, string>, secret)),
      )
      expect(events).toContainEqual(expect.objectContaining({ type: event }))
    },
  )

  it('removes the webhook after Ctrl-C', async () => {
    const { program, webhook } = await listen()
    const { code, stderr } = await program.stop('SIGINT')
    expect(stderr).toContain(`Removed webhook ${webhook}.\n`)
    expect(code).toBe(0)
    const { webhooks } = await readState()
    expect(webhooks.find(({ id }) => id === webhook)?.deleted_at).toEqual(expect.any(String))
  })

  it.each([
    { what: 'with --url', options: ['--url', 'https://loja.com.br/tunnel'] },
    { what: 'without --url', options: [] },
  ])(
    'leaves a webhook that the service had before, $what, and says which URL it had',
    async ({ options }) => {
      const url = 'https://loja.com.br/pix'
      const own = { id: '7', partner_id: 'p', url, type: 'all', status: 'active' }
      const requests: string[] = []
      const service = await responding((response) => {
        const line = `${response.req.method} ${response.req.url?.replace('/mobile-bff/v1', '')}`
        requests.push(line)
        const isCreation = line === 'POST /partner/webhook'
        response.writeHead(isCreation ? 201 : 200, { 'content-type': 'application/json' })
        if (line.includes('/auth/')) response.end(JSON.stringify(TOKENS))
        else if (isCreation) response.end(JSON.stringify({ ...own, secret: generateSecret() }))
        else response.end(JSON.stringify({ data: [own] }))
      })
      const program = start('listen', '--target', service.url, ...options)
      await program.printed(/webhook 7/)
      const { stderr } = await program.stop('SIGINT')
      expect(stderr).toContain(
        `The webhook 7 stays, since it was registered before, for ${url}. Check its URL: it may have changed.\n`,
      )
      expect(requests.filter((line) => line.startsWith('DELETE'))).toEqual([])
    },
  )

  it('removes the webhook when its terminal is closed', async () => {
    const { program, webhook } = await listen()
    const { code, stderr } = await program.stop('SIGHUP')
    expect(stderr).toContain(`Removed webhook ${webhook}.\n`)
    expect(code).toBe(0)
  })

  it('says that the webhook is gone if the service has deleted it', async () => {
    const auth = {
      clientKey: FIRST_PARTNER.client_key,
      clientSecret: FIRST_PARTNER.client_secret,
    }
    const { program, webhook } = await listen()
    await createPayments({ baseUrl: sandbox.url, auth }).webhooks.delete(String(webhook))
    const { code, stderr } = await program.stop('SIGINT')
    expect(stderr).toContain(`The service has no webhook ${webhook} any more.\n`)
    expect(code).toBe(0)
  })

  it('forwards a delivery without the headers of its connection', async () => {
    const { url, got } = await receiver(204)
    const port = await freePort()
    const { delivery } = await listen('--port', String(port), '--forward', url)
    const headers = { connection: 'Upgrade, X-Hop', upgrade: 'h2c', 'x-hop': '1', 'x-kept': '2' }
    const sent = request({ port, method: 'POST', headers }).end('{}')
    await once(sent, 'response')
    expect(await delivery()).toMatchObject({ status: 204 })
    expect(got[0]?.headers).toMatchObject({ 'x-kept': '2' })
    expect(got[0]?.headers).not.toHaveProperty('x-hop')
  })

  it('forwards a delivery to itself only once', async () => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const { program } = await listen('--port', port, '--forward', url)
    const response = await fetch(url, { method: 'POST', body: '{}' })
    expect(response.status).toBe(508)
    const { stderr } = await program.stop('SIGINT')
    expect(stderr.match(/A delivery came back/g)).toHaveLength(1)
  })

  it('verifies a delivery that comes before the secret', async () => {
    const program = start('listen', '--target', await startEarlyService(), '--json')
    const [line] = await program.printed(/^\{.*\n/m)
    expect(JSON.parse(line)).toMatchObject({ signature: 'verified', status: 204 })
  })

  it('reports a receiver that does not respond as 502, so that the delivery is retried', async () => {
    const { delivery } = await listen('--forward', 'http://127.0.0.1:2/')
    await trigger('transfer.settled')
    expect(await delivery()).toMatchObject({
      status: 502,
      signature: 'verified',
      error: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('aborts what a silent receiver keeps waiting after Ctrl-C', async () => {
    const { url, requested } = await responding(() => {})
    const { program, delivery, webhook } = await listen('--forward', url)
    await trigger('transfer.settled')
    await requested
    const { stderr } = await program.stop('SIGINT')
    expect(await delivery()).toMatchObject({ status: 502, error: 'listen ended' })
    expect(stderr).toContain(`Removed webhook ${webhook}.\n`)
  })

  it('shows no secret of the URLs that it forwards to and registers', async () => {
    const { url: receiverUrl } = await receiver(204)
    const forward = `${receiverUrl}?apikey=hunter22`
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const port = String((free.address() as AddressInfo).port)
    free.close()
    const url = `http://127.0.0.1:${port}/?token=hunter22`
    const { program, delivery } = await listen('--forward', forward, '--url', url, '--port', port)
    await trigger('transfer.settled')
    await delivery()
    const { stdout, stderr } = await program.stop('SIGINT')
    expect(stderr).toContain(`Listening on http://127.0.0.1:${port}/?token=*** for`)
    expect(stdout + stderr).not.toContain('hunter22')
  })

  it('explains a port that is in use', async () => {
    const { port } = new URL((await receiver(204)).url)
    const ended = await run(['listen', '--target', sandbox.url, '--port', port])
    expect(ended.stderr).toMatch(`Cannot listen on port ${port}`)
    expect(ended.code).toBe(1)
  })

  it('reports a delivery with a wrong signature', async () => {
    const { program, webhook, delivery } = await listen('--port', '0')
    const { webhooks } = await readState()
    const { url = '' } = webhooks.find(({ id }) => id === webhook) ?? {}
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1',
      'webhook-signature': 'v1,AAAA',
    }
    const response = await fetch(url, { method: 'POST', headers, body: '{}' })
    expect(response.status).toBe(400)
    expect(await delivery()).toMatchObject({
      event: 'unknown',
      id: 'msg_1',
      signature: 'timestamp-too-old',
      status: 400,
    })
    expect(program.child.exitCode).toBeNull()
  })

  const UNVERIFIED = [
    { id: 'msg_1  verified  204', shown: '"msg_1  verified  204"' },
    { id: 'verified\u009b2K', shown: String.raw`"verified\u009b2K"` },
    { id: 'a ::add-mask::b ##[c]', shown: String.raw`"a \u003a:add-mask::b #\u0023[c]"` },
  ]

  for (const { id, shown } of UNVERIFIED) {
    it(`prints the unverified id ${JSON.stringify(id)} so that it cannot look verified`, async () => {
      const program = start('listen', '--target', sandbox.url)
      const [, url = ''] = await program.printed(/Listening on (\S+)/)
      await fetch(url, { method: 'POST', headers: { 'webhook-id': id }, body: '{}' })
      await program.printed(/not verified .*\n$/)
      expect(program.stdout).toContain(`not verified (id-invalid): webhook-id ${shown}  400`)
    })
  }
})

describe('trigger', () => {
  it.each([
    { kind: 'transfers', event: 'transfer.settled', more: [] },
    {
      kind: 'qrcodes',
      event: 'qrcode.paid',
      more: ['calendar.expiration=60', 'payer.name=Fulano de Tal', 'payer.tax_id=12345678909'],
    },
  ] as const)(
    'sets fields of $kind, and of their objects, in their types',
    async ({ kind, event, more }) => {
      const fields = ['amount=12.34', ...more].flatMap((field) => ['--set', field])
      const { stdout } = await trigger(event, ...fields, '--json')
      const { [kind]: records } = await readState()
      expect(records).toContainEqual(
        expect.objectContaining({ id: JSON.parse(stdout).id, amount: '12.34' }),
      )
    },
  )

  it('stops reading an endless response', async () => {
    const { url } = await responding((response) => {
      const writeMore = () => {
        const isWritable = response.write('x'.repeat(65_536))
        if (isWritable) setImmediate(writeMore)
      }
      response.on('drain', writeMore)
      setImmediate(writeMore)
    })
    const { code, stderr } = await run(['trigger', 'qrcode.paid', '--target', url])
    expect(stderr).toMatch(/returned more than 1000000 characters. Is it a sandbox\?/)
    expect(code).toBe(1)
  })

  it('escapes control characters of a response', async () => {
    const { url } = await responding((response) =>
      response.req.url?.startsWith('/_sandbox/about?')
        ? passOn(response)
        : response.writeHead(500).end(JSON.stringify({ detail: 'gone\u001b[2J\u009b' })),
    )
    const { stderr } = await run(['trigger', 'transfer.rejected', '--target', url])
    expect(stderr).toContain(String.raw`(500): gone\u001b[2J\u009b`)
  })

  const WRONG_ARGUMENTS = [
    {
      args: 'trigger transfer.sent',
      code: 2,
      message: /"transfer.sent" is not an event. Choose one of transfer.settled/,
    },
    { args: 'trigger constructor', code: 2, message: /"constructor" is not an event/ },
    { args: 'trigger __proto__', code: 2, message: /"__proto__" is not an event/ },
    {
      args: 'trigger qrcode.paid --set amount',
      code: 2,
      message: /--set needs field=value/,
    },
    {
      args: 'trigger transfer.settled --set amont=1.00',
      code: 2,
      message:
        /"amont" is not a field of the request. Fields: amount, description, dict_key, payment_date, beneficiary/,
    },
    {
      args: 'trigger transfer.settled --set initiation_id=1',
      code: 2,
      message: /"initiation_id" is not a field/,
    },
    {
      args: 'trigger qrcode.paid --set __proto__=1',
      code: 2,
      message: /"__proto__" is not a field/,
    },
    {
      args: 'trigger qrcode.paid --set amount=1',
      code: 2,
      message: /amount must be a string that matches .*, got "1"/,
    },
    {
      args: 'trigger qrcode.paid --set calendar.expiration=1h',
      code: 2,
      message: /must be of type integer, got "1h"/,
    },
    {
      args: 'trigger qrcode.paid --set payer.can_change_document=1',
      code: 2,
      message: /must be true or false, got/,
    },
    {
      args: 'trigger qrcode.paid --target http://127.0.0.1:1',
      code: 1,
      message: /does not respond. Start a sandbox/,
    },
    {
      args: 'listen --target https://pay.example.com',
      code: 2,
      message: /cannot reach this machine: set --url/,
    },
    { args: 'listen --client-key partner', code: 2, message: /needs both credentials/ },
    {
      args: 'listen --target pay',
      code: 2,
      message: /--target must be an http or https URL, got "pay"/,
    },
    {
      args: 'listen --target http://me:hidden@127.0.0.1',
      code: 2,
      message: /--target must be a URL without credentials/,
    },
    {
      args: 'listen --forward htp://me:hidden@shop.example/?apikey=hidden',
      code: 2,
      message:
        /--forward must be an http or https URL, got "htp:\/\/\*{3}@shop.example\/\?apikey=\*{3}"/,
    },
    {
      args: 'listen --forward http://me:hidden@127.0.0.1:3000/',
      code: 2,
      message: /--forward must be a URL without a user or a password/,
    },
    {
      args: 'listen --forward nope',
      code: 2,
      message: /--forward must be an http or https URL, got "nope"/,
    },
    {
      args: 'listen --url nope',
      code: 2,
      message: /--url must be an http or https URL, got "nope"/,
    },
    {
      args: 'listen --port 65536',
      code: 2,
      message: /option '--port <number>' argument '65536' is invalid. It must be an integer from 0/,
    },
    {
      args: 'listen --type none',
      code: 2,
      message: /Allowed choices are all, transfer, qrcode/,
    },
    {
      args: 'mcp --target https://pay.example.com',
      code: 1,
      message: /takes a sandbox only: pay.example.com is not this machine .*--allow-remote-sandbox/,
    },
    {
      args: 'trigger qrcode.paid --target http://sandbox:4020 --client-key a --client-secret b',
      code: 1,
      message: /takes a sandbox only: sandbox:4020 is not this machine .*--allow-remote-sandbox/,
    },
    {
      args: 'listen --bogus',
      code: 2,
      message: /unknown option '--bogus'\nRun `partner-payments listen --help`/,
    },
    { args: 'pay', code: 2, message: /unknown command 'pay'\nRun `partner-payments --help`/ },
  ]

  it('lists options in the help, and no secret that the environment has', async () => {
    vi.stubEnv('CLIENT_SECRET', 'hunter2')
    const { code, stdout } = await run(['help', 'listen'])
    vi.unstubAllEnvs()
    expect(code).toBe(0)
    expect(stdout).toContain('--client-secret <secret>')
    expect(stdout).not.toContain('hunter2')
  })

  for (const args of ['--help', 'listen --help']) {
    it(`ends quietly when the reader of ${args} has gone`, async () => {
      const child = spawn(process.execPath, [CLI, ...args.split(' ')])
      child.stdout.destroy()
      const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      expect(errors).toBe('')
      expect(code).toBe(0)
    })
  }

  for (const { args, code, message } of WRONG_ARGUMENTS) {
    it(`explains ${args}`, async () => {
      const ended = await run(args.split(' '))
      expect(ended.stderr).toMatch(message)
      expect(ended.code).toBe(code)
    })
  }
})

/** Passes a request on, by default to the sandbox, and its response back. */
async function passOn(response: ServerResponse, to = sandbox.url): Promise<void> {
  const { req } = response
  const { method = '', headers } = req
  const body = await text(req)
  const { authorization = '' } = headers
  const passed = await fetch(`${to}${req.url}`, {
    method,
    headers: { ...(authorization && { authorization }), 'content-type': 'application/json' },
    ...(body && { body }),
  })
  response.writeHead(passed.status, { 'content-type': 'application/json' })
  response.end(await passed.text())
}

/** A service that delivers an event before it responds to the registration of the webhook. */
async function startEarlyService(): Promise<string> {
  const { url } = await responding(async (response) => {
    const { method, url: path = '' } = response.req
    if (method !== 'POST' || path.includes('/auth/')) return passOn(response)

    const registration = JSON.parse(await text(response.req))
    const secret = generateSecret()
    const event = { type: 'transfer.settled', timestamp: '2026-11-02T14:30:04Z', data: {} }
    const isReceived = fetch(registration.url, await signForTest(event, secret))
    await setTimeout(100)
    response.writeHead(201, { 'content-type': 'application/json' })
    const id = randomUUID()
    response.end(JSON.stringify({ id, ...registration, status: 'active', secret }))
    await isReceived
  })
  return url
}

const NO_SANDBOX = [
  { what: 'a service without the control API', status: 404, body: '{}' },
  { what: 'a page that is there for every path', status: 200, body: '<html>' },
  { what: 'a service that returns {} for every path', status: 200, body: '{}' },
  {
    what: 'the clock of a sandbox for every path',
    status: 200,
    body: '{"now":"2026-11-21T12:00:00.000Z","frozen":false,"ahead_seconds":0}',
  },
]

for (const command of [['mcp'], ['trigger', 'transfer.settled'], ['trigger', 'qrcode.paid']]) {
  for (const { what, status, body } of NO_SANDBOX) {
    it(`${command.join(' ')} sends nothing but its question to ${what}`, async () => {
      const sent: string[] = []
      const { url } = await responding((response) => {
        sent.push(`${response.req.method} ${response.req.url}`)
        response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      })
      const { code, stderr } = await run([...command, '--target', url])
      expect(stderr).toContain('is not known to be a sandbox of the partner payments API')
      expect(code).toBe(1)
      expect(sent).toEqual([expect.stringMatching(/^GET \/_sandbox\/about\?nonce=/)])
    })
  }

  it(`${command.join(' ')} follows no redirect, not even to a sandbox`, async () => {
    const { url } = await responding((response) =>
      response.writeHead(307, { location: `${sandbox.url}${response.req.url}` }).end(),
    )
    const { code, stderr } = await run([...command, '--target', url])
    expect(stderr).toContain('GET /_sandbox/about returned 307, a redirect')
    expect(code).toBe(1)
  })
}

/** Sends the control API to the sandbox of these tests, and everything else to a live service. */
async function startGateway() {
  // A sandbox stands for the live service: it accepts the same credentials.
  const live = await serve({ port: 0, limitsRates: false })
  const paid: string[] = []
  const { url } = await responding((response) => {
    const { method, url: path = '' } = response.req
    if (path.startsWith('/_sandbox/')) return passOn(response)
    if (path.endsWith('/pix/out/')) paid.push(`${method} ${path}`)
    return passOn(response, live.url)
  })
  onTestFinished(() => live.close())
  return { url, paid }
}

it('trigger pays nothing behind a gateway that sends only the control API to a sandbox', async () => {
  const { url, paid } = await startGateway()
  const { code, stderr } = await run(['trigger', 'transfer.settled', '--target', url])
  expect(stderr).toContain('did not issue the access token')
  expect(code).toBe(1)
  expect(paid).toEqual([])
})

it('trigger asks again before it pays', async () => {
  const sent: string[] = []
  const { url } = await responding((response) => {
    const { method, url: path = '' } = response.req
    sent.push(`${method} ${path}`)
    // At first, before the first use of a token, and before the payment.
    const wasAsked = sent.filter((line) => line.includes('/about?')).length > 2
    // Another service took the port over.
    if (wasAsked) return response.writeHead(200).end('{}')
    return passOn(response)
  })
  const { code, stderr } = await run(['trigger', 'transfer.settled', '--target', url])
  expect(stderr).toContain('is not known to be a sandbox')
  expect(code).toBe(1)
  expect(sent).toContain('POST /mobile-bff/v1/pix/dict/check/')
  expect(sent.at(-1)).toContain('GET /_sandbox/about?nonce=')
})

it('trigger says so if a sandbox names no key whose transfers are rejected', async () => {
  const { url } = await responding((response) => {
    if (response.req.url?.endsWith('/magic')) return response.end('{"keys":7}')
    return passOn(response)
  })
  const { code, stderr } = await run(['trigger', 'transfer.rejected', '--target', url])
  expect(stderr).toBe('The sandbox has no key whose transfers are rejected.\n')
  expect(code).toBe(1)
})

describe('decode', () => {
  it('shows each field and draws the code', async () => {
    const { stdout } = await run(['decode', CODE])
    expect(stdout).toMatch(/amount\s+10\.50\n/)
    expect(stdout).toContain('█▀▀▀▀▀▀▀█')
  })

  it('reads stdin and prints JSON', async () => {
    const program = start('decode', '--json')
    program.child.stdin.end(`${CODE}\n`)
    const { stdout } = await program.ended
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'static', txid: 'PEDIDO1001' })
  })

  it('asks for quotes around a code with spaces', async () => {
    const { code, stderr } = await run(['decode', ...CODE.split(' ')])
    expect(stderr).toContain('Put a code that has spaces in quotes.')
    expect(code).toBe(2)
  })

  it('escapes control characters of the code', async () => {
    const name = 'Loja\namount  1.00\u001b[2J'
    const start = '00020126420014br.gov.bcb.pix0120beltrana@example.com5204000053039865802BR'
    const code = `${start}59${name.length}${name}6008BRASILIA62070503***6304`
    const checksum = crc16(code).toString(16).toUpperCase().padStart(4, '0')
    const { stdout } = await run(['decode', '--lenient', '--no-qr', code + checksum])
    expect(stdout).toContain(String.raw`Loja\u000aamount  1.00\u001b[2J`)
    const { stderr } = await run(['decode', `${code}0000`])
    expect(stderr).toContain(String.raw`\u001b[2J6008BRASILIA`)
  })

  it('says what is wrong in words, and marks the place', async () => {
    const { code, stderr } = await run(['decode', CODE.replace(/4037$/, '4038')])
    const [message, shown = '', mark = ''] = stderr.split('\n')
    expect(message).toBe(
      'Invalid payment code: The checksum (object 63, offset 147) does not fit: the code was changed or cut, or its issuer computed it wrongly.',
    )
    expect(shown.slice(mark.indexOf('^'))).toBe('63044038')
    expect(mark.trim()).toBe('^ expected 4037, got "4038"')
    expect(code).toBe(1)
  })

  it('prints the objects before the error', async () => {
    const { stderr } = await run(['decode', CODE.slice(0, 110)])
    expect(stderr).toMatch(/The code is cut, or a length is wrong: object 59 at offset 98/)
    expect(stderr).toContain(
      'Objects before the error:\n  00  01\n  26  0014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\n  52  0000\n  53  986\n  54  10.50\n  58  BR\n',
    )
    expect(stderr).not.toContain('--lenient')
  })

  it('prints hints, and does not say that --lenient helps if it does not', async () => {
    const { stderr } = await run(['decode', `https://${CODE}&amp`])
    expect(stderr).toMatch(/^Hint: Text stands before the code, which begins with 000201/m)
    expect(stderr).toMatch(/^Hint: Text stands behind the checksum/m)
    expect(stderr).not.toContain('--lenient')
  })

  it('says when --lenient reads the code', async () => {
    const body = CODE.slice(0, -4).replace('6008BRASILIA', '6008BRASÍLIA')
    const code = body + crc16(body).toString(16).toUpperCase().padStart(4, '0')
    const { stderr } = await run(['decode', code])
    expect(stderr).toContain('The city (object 60, offset 117) is invalid')
    expect(stderr).toMatch(/\nWith --lenient, this code can be read\.\n$/)
    expect(await run(['decode', '--lenient', '--no-qr', code])).toMatchObject({
      code: 0,
    })
  })

  it('prints a refusal as JSON', async () => {
    const { stderr } = await run(['decode', '--json', CODE.slice(1)])
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'structure',
      explanation: expect.stringMatching(/^The code was cut or changed/),
      hints: [{ fault: 'first-zero-lost' }],
      objects: [{ id: '00', value: expect.any(String) }],
      acceptedByLenient: false,
    })
  })
})
