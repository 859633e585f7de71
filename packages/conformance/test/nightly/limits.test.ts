import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp } from '@partner-payments/sandbox'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, onTestFinished, test } from 'vitest'
import { fieldsOf } from '../../src/contract/json.ts'
import { findScheme } from '../../src/form/signatures.ts'
import type { RecordedDelivery } from '../../src/history.ts'
import { check, createFetchTransport, startProxy } from '../../src/index.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { readTraffic } from '../../src/traffic.ts'
import { partner as credentials, other } from '../service.ts'
import { listen } from '../services/listen.ts'
import {
  call,
  codeOf,
  create,
  deliver,
  example,
  lookUp,
  payCode,
  payKey,
  readStory,
  type Step,
  webhook,
} from '../story.ts'

const { createAll, credential: created, partnerTokens } = contract.components.examples
const webhookExample = example('webhook')

test('it forgets the oldest records of a long recording, says so, and takes no more memory', async () => {
  const service = await listen(async ({ url }) => {
    const isSignIn = url.includes('/auth/')
    const body = isSignIn ? partnerTokens.value : { ...created.value, id: randomUUID() }
    return Response.json(body, { headers: { 'x-request-id': randomUUID() } })
  })
  onTestFinished(service.close)
  const proxy = await startProxy({ url: service.url })
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(`${proxy.url}/mobile-bff/v1${path}`, { method: 'POST', ...init })
    return response.json()
  }
  const { access_token } = (await send('/auth/partner/token/', {
    headers: { authorization: `Basic ${btoa('partner:secret')}` },
  })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const body = JSON.stringify(createAll.value)
  const create = async (count: number) => {
    for (let i = 0; i < count; i++) await send('/partner/webhook', { headers, body })
    return heapUsed()
  }
  const full = await create(12_000)
  const later = await create(12_000)
  const result = await proxy.close()
  expect(result.forgotten).toBeGreaterThan(10_000)
  expect(renderTerminal(result)).toMatch(
    /\d of the oldest records, tokens and one-time values\s+forgotten/,
  )
  expect(later).toBeLessThan(1.2 * full)
})

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('it finds nothing on a new or used sandbox of a busy machine that reaches no receiver', async () => {
  const load = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);']),
  )
  onTestFinished(() => {
    for (const busyProcess of load) busyProcess.kill()
  })
  const { fetch, close } = await createApp({ allowLoopback: true, limitsRates: false })
  onTestFinished(() => close())
  for (let i = 0; i < 2; i++) {
    const { findings } = await check({
      target: 'sandbox',
      url: 'http://127.0.0.1',
      transport: createFetchTransport(fetch),
      credentials,
      other,
    })
    expect(findings).toEqual([])
  }
})

test('it holds no request of the proxy while it judges what waited for a slow response', async () => {
  let endSlow: (() => void) | undefined
  const ids = Array.from({ length: 5_000 }, () => ({ id: randomUUID(), status: 'ATIVA' }))
  const list = JSON.stringify({ data: ids, next_cursor: null })
  const service = await listen(async ({ url }) => {
    const isSlow = url.endsWith('/user')
    if (isSlow) await new Promise<void>((resolve) => (endSlow = resolve))
    const isOther = url.includes('/webhook')
    return new Response(isOther ? '{}' : list, { headers: { 'content-type': 'application/json' } })
  })
  onTestFinished(service.close)
  const proxy = await startProxy({ url: service.url })
  const send = (path: string) => fetch(`${proxy.url}/mobile-bff/v1${path}`)

  const slow = send('/partner/user')
  for (let i = 0; i < 20; i++) await (await send('/pix/qrcode/dynamic/immediate')).text()
  endSlow?.()
  await slow
  const times: number[] = []
  for (let i = 0; i < 10; i++) {
    const beganAt = process.cpuUsage()
    await send('/partner/webhook')
    times.push(process.cpuUsage(beganAt).user / 1_000)
  }
  expect((await proxy.close()).requests).toBe(31)
  // All that waited took four seconds in one turn.
  expect(Math.max(...times)).toBeLessThan(2_500)
})

test('it tries the headers of a delivery with hundreds of times, ids and signatures in moments', () => {
  const repeat = (text: (index: number) => string) => Array.from({ length: 300 }, (_, i) => text(i))
  const signed: RecordedDelivery = {
    type: 'delivery',
    completeAt: 1,
    url: 'http://127.0.0.1:1/',
    headers: {
      'x-signature': repeat((i) => `v${i}=${String(i).padStart(40, 'a')}`).join(),
      'x-time': repeat((i) => `t${i}=${1_780_000_000 + i}`).join(),
      'x-id': repeat((i) => `i${i}=${i}`).join(),
    },
    text: '{"event":"pix.sent"}',
    status: 204,
  }
  const before = process.cpuUsage()
  expect(findScheme(signed, ['whsec_other'])).toBeUndefined()
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
})

test('it reads three thousand events, each with a name of its own, in moments', () => {
  const delivered = Array.from({ length: 3_000 }, (_, i) =>
    deliver({ name: 'transferSettledEvent', edit: { type: `transfer-${i}-settled` } }),
  )
  const before = process.cpuUsage()
  readStory([webhook, lookUp(), payKey(), ...delivered])
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000)
})

test('it reads the amounts of an event that names a payment at each of its levels in moments', () => {
  const { id } = example('keySettled').data as { readonly id: string }
  let value: object = { texts: Array.from({ length: 60_000 }, () => 'x') }
  for (let level = 0; level < 180; level++) value = { amount: '2.50', payment: id, value }
  const delivered = deliver({
    name: 'transferSettledEvent',
    edit: { data: undefined, value },
  })
  const before = process.cpuUsage()
  readStory([webhook, lookUp(), payKey(), ...Array.from({ length: 30 }, () => delivered)])
  expect(process.cpuUsage(before).user).toBeLessThan(7_000_000)
})

test('it reads a walk through pages of fifteen thousand records each in seconds', () => {
  const pages = Array.from({ length: 6 }, (_, number) => {
    const data = Array.from({ length: 15_000 }, (_, i) => ({ id: `charge-${number}-${i}` }))
    const query = number === 0 ? '' : `?cursor=page-${number}`
    const shown = { data, next_cursor: `page-${number + 1}` }
    return call(`GET /pix/qrcode/dynamic/immediate${query}`, undefined, shown)
  })
  const before = process.cpuUsage()
  readStory(pages)
  expect(process.cpuUsage(before).user).toBeLessThan(6_000_000)
})

test('it reads small pages after a hundred thousand records in moments', () => {
  const path = 'GET /pix/qrcode/dynamic/immediate'
  const largePages = Array.from({ length: 7 }, (_, number) => {
    const data = Array.from({ length: 15_000 }, (_, i) => ({ id: `charge-${number}-${i}` }))
    const shown = { data, next_cursor: `page-${number + 1}` }
    return call(`${path}${number === 0 ? '' : `?cursor=page-${number}`}`, undefined, shown)
  })
  // Nothing says whether it is the last page.
  const smallPage = call(`${path}?cursor=page-7`, undefined, { data: [{ id: 'charge' }] })
  const measure = (pages: readonly Step[]) => {
    const before = process.cpuUsage()
    readStory(pages)
    return process.cpuUsage(before).user
  }
  const ofLarge = measure(largePages)
  const smallPages = Array.from({ length: 90 }, () => smallPage)
  expect(measure([...largePages, ...smallPages]) - ofLarge).toBeLessThan(3_000_000)
})

test('it reads thousands of records with one code, and payments of it, in seconds', () => {
  const { emv } = example('immediateQrCode')
  const data = Array.from({ length: 10_000 }, (_, i) => ({ id: `charge-${i}`, emv }))
  const list = call('GET /pix/qrcode/dynamic/immediate', undefined, { data, next_cursor: null })
  const pay = (id: string) => {
    const transfer = fieldsOf(example('immediatePending').data)
    const shown = { id, status: 'pending', data: { ...transfer, id, end_to_end_id: `E${id}` } }
    return call('POST /pix/out/', { type: 'emv', amount: '35.90', emv }, shown, { status: 201 })
  }
  const before = process.cpuUsage()
  readStory([list, pay('transfer-1'), pay('transfer-2')])
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})

test('a proxy whose memory fills up goes on, and says what it has not judged', async () => {
  const pad = 'x'.repeat(1_900_000)
  const service = await listen(async ({ url }) => {
    const isSignIn = url.includes('/auth/')
    const body = isSignIn ? partnerTokens.value : { ...created.value, id: randomUUID(), pad }
    return Response.json(body, { status: isSignIn ? 200 : 201 })
  })
  onTestFinished(service.close)
  const cli = new URL('../../src/cli.ts', import.meta.url).pathname
  const command = ['--max-old-space-size=600', cli, '--proxy', service.url, '--port', '0']
  const proxy = spawn(process.execPath, command)
  onTestFinished(() => void proxy.kill('SIGKILL'))
  let output = ''
  proxy.stdout.on('data', (text) => (output += text))
  const url = await new Promise<string>((resolve) => {
    proxy.stderr.on('data', (text) => {
      const [, found] = /Requests to (http:[^\s,;]+?)[\s,;.]*(?:\s|$)/.exec(String(text)) ?? []
      if (found !== undefined) resolve(found)
    })
  })

  const post = (path: string, authorization: string, body?: string) =>
    fetch(new URL(`/mobile-bff/v1${path}`, url), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    }).then((response) => response.text())
  await post('/auth/partner/token/', `Basic ${btoa('partner:secret')}`)
  for (let i = 0; i < 400; i++) {
    const { access_token } = partnerTokens.value
    await post('/partner/webhook', `Bearer ${access_token}`, JSON.stringify(createAll.value))
  }
  proxy.kill('SIGINT')
  await new Promise((resolve) => proxy.on('close', resolve))
  expect(output).toMatch(/\d responses\s+without a readable body/)
})

test('it reads a service at once whose clock shows the year 9999', () => {
  const amount = { original: '10.00', fine: { modality: '2', amount: '2.00' } }
  const date = { responds: { date: 'Fri, 31 Dec 9999 23:59:59 GMT' } }
  const due = create('dueDateQrCode', { amount, calendar: { due_date: '2026-11-09' } }, date)
  const payment = payCode({}, { emv: codeOf(1, 'dueDateQrCode'), ...date })
  const began = process.cpuUsage()
  readStory([due, payment])
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(1_000)
})

test('it judges an exchange as fast after tens of thousands of findings', () => {
  const { history, newFindings } = readTraffic({ baseUrl: 'http://127.0.0.1:4020' })
  let count = 0
  const add = (undeclared: object) => {
    count++
    history.add({
      type: 'exchange',
      sentAt: count * 10,
      completeAt: count * 10 + 1,
      request: {
        method: 'GET',
        path: `/mobile-bff/v1/partner/webhook/${randomUUID()}`,
        headers: {},
      },
      response: {
        status: 200,
        headers: { 'content-type': 'application/json', 'x-request-id': `req_${count}` },
        text: JSON.stringify({ ...webhookExample, ...undeclared }),
      },
    })
    return newFindings().length
  }
  let found = 0
  for (let i = 0; i < 300; i++) {
    const names = Array.from({ length: 100 }, (_, field) => [`f${i}_${field}`, field])
    found += add(Object.fromEntries(names))
  }
  expect(found).toBeGreaterThan(25_000)

  const began = process.cpuUsage()
  for (let i = 0; i < 100; i++) add({})
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(2_000)
})
