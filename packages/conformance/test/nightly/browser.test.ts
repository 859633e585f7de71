import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, usePages } from '@partner-payments/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { NOTHING_UNKNOWN } from '../../src/report/result.ts'
import { openSandbox } from '../service.ts'
import { listen } from '../services/listen.ts'

/** A recording as `recordHar` of Playwright takes its options. */
interface Recording {
  readonly content: 'embed' | 'attach' | 'omit'
  /** Whether a service worker passes every request on. */
  readonly hasWorker?: true
}

let page: Page
usePages((newPage) => {
  page = newPage
})

const folder = mkdtempSync(join(tmpdir(), 'browser-'))
let base = ''
beforeAll(async () => {
  const sandbox = await openSandbox()
  const server = await listen(async (request) => {
    const { pathname } = new URL(request.url)
    const file = FILES[pathname]
    if (!file) return sandbox.fetch(request)
    return new Response(file.text, { headers: { 'content-type': file.type } })
  })
  base = server.url
  return async () => {
    await server.close()
    await sandbox.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/': { type: 'text/html', text: '<!doctype html><title>A page</title>' },
  '/favicon.ico': { type: 'image/png', text: '' },
  '/worker.js': {
    type: 'text/javascript',
    text: `
      self.addEventListener('install', () => self.skipWaiting())
      self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
      self.addEventListener('fetch', (event) => event.respondWith(fetch(event.request)))`,
  },
}

/** Waits until the service worker gets the requests of the page. As text, since Node has none. */
const REGISTER = `(async () => {
  await navigator.serviceWorker.register('/worker.js')
  await new Promise((resolve) => {
    if (navigator.serviceWorker.controller) resolve()
    navigator.serviceWorker.addEventListener('controllerchange', resolve)
  })
})()`

/** What an app does in a browser: it pays twice, and its bodies are strings, Blobs and clones. */
async function useService(): Promise<string[]> {
  const statuses: string[] = []
  const root = '/mobile-bff/v1'
  async function call(method: string, path: string, authorization: string, body?: string | Blob) {
    const headers = new Headers({ authorization })
    if (body !== undefined) headers.set('content-type', 'application/json')
    const init = { method, headers, ...(body !== undefined && { body }) }
    const url = root + path
    // Playwright does not record the body of a Blob or of a cloned request.
    const isPlain = typeof body !== 'object'
    const response = await fetch(
      isPlain ? url : new Request(url, init).clone(),
      isPlain ? init : {},
    )
    statuses.push(`${method} ${path} ${response.status}`)
    const text = await response.text()
    return text === '' ? {} : JSON.parse(text)
  }

  const tokens = await call('POST', '/auth/partner/token/', `Basic ${btoa('partner:secret')}`)
  const token = `Bearer ${tokens.access_token}`
  const json = (value: object) => JSON.stringify(value)
  const blob = (value: object) => new Blob([JSON.stringify(value)])
  await call('GET', '/partner/user', token)

  for (const asBody of [json, blob]) {
    const key = { dict_key: 'beltrana@example.com' }
    const { initiation_id } = await call('POST', '/pix/dict/check/', token, asBody(key))
    const transfer = {
      type: 'dict',
      amount: '1.25',
      initiation_id,
      description: 'Almoço ☕',
      ...key,
    }
    await call('POST', '/pix/out/', token, asBody(transfer))
  }

  const { id } = await call(
    'POST',
    '/partner/webhook',
    token,
    json({ type: 'transfer', url: 'https://example.com/hook' }),
  )
  await call('GET', '/partner/webhook/', token)
  await call('GET', `/partner/webhook/${id}`, token)
  await call('DELETE', `/partner/webhook/${id}`, token)
  await call('GET', `/partner/webhook/${id}`, token)

  const charge = {
    tx_id: `Browser${Date.now()}`.padEnd(30, '0'),
    dict_key: '12ABC34501DE35',
    amount: { original: '10.50' },
    calendar: { expiration: 3600 },
  }
  const created = await call('POST', '/pix/qrcode/dynamic/immediate', token, blob(charge))
  await call('POST', '/pix/brcode/emv/', token, json({ emv: created.emv }))
  await call('GET', '/pix/qrcode/dynamic/immediate?limit=5', token)
  await call('DELETE', `/pix/qrcode/dynamic/immediate/${created.id}`, token)
  return statuses
}

/** Records a session in a browser, and returns the file of the recording. */
async function record(name: string, { content, hasWorker }: Recording): Promise<string> {
  const path = join(folder, name, 'session.har')
  const context = await page.context().browser()?.newContext({ recordHar: { path, content } })
  const recorded = await context?.newPage()
  await recorded?.goto(base)
  if (hasWorker) await recorded?.evaluate(REGISTER)
  const statuses = await recorded?.evaluate(useService)
  await context?.close()
  expect(statuses).toHaveLength(15)
  return path
}

function judge(text: string, recording: string) {
  const result = checkHar(JSON.parse(text), { baseUrl: base, folder: join(recording, '..') })
  return { findings: result.findings, requests: result.requests, unknown: result.unknown }
}

it('finds nothing in a recording of a right service, and counts what Playwright leaves out', async () => {
  const file = await record('embed', { content: 'embed' })
  const { findings, requests, unknown } = judge(readFileSync(file, 'utf8'), file)
  expect(findings).toEqual([])
  expect(requests).toBe(15)
  expect(unknown).toEqual({ ...NOTHING_UNKNOWN, requestBodies: 3 })
})

it('counts each exchange once that a service worker passed on', async () => {
  const file = await record('worker', { content: 'embed', hasWorker: true })
  const { findings, requests, unknown } = judge(readFileSync(file, 'utf8'), file)
  expect(findings).toEqual([])
  expect(requests).toBe(15)
  expect(unknown).toEqual({ ...NOTHING_UNKNOWN, requestBodies: 3, recordedTwice: 15 })
})

it('reads the bodies of a recording with attachments', async () => {
  const file = await record('attach', { content: 'attach' })
  const { findings, requests, unknown } = judge(readFileSync(file, 'utf8'), file)
  expect(findings).toEqual([])
  expect(requests).toBe(15)
  expect(unknown).toEqual({ ...NOTHING_UNKNOWN, requestBodies: 3 })
})

it('judges what is left of a recording without bodies', async () => {
  const file = await record('omit', { content: 'omit' })
  const { findings, requests, unknown } = judge(readFileSync(file, 'utf8'), file)
  expect(findings).toEqual([])
  expect(requests).toBe(15)
  expect(unknown).toEqual({ ...NOTHING_UNKNOWN, requestBodies: 7, responseBodies: 14 })
})

/** Fields whose values people redact before they hand a recording over. */
const REDACTED = [
  'access_token',
  'refresh_token',
  'initiation_id',
  'secret',
  'dict_key',
  'tax_id',
  'owner_name',
  'emv',
]

/** A recording in which the values of such fields, and the credentials, are redacted. */
function redacted(recording: string): string {
  const fields = new RegExp(`(\\\\"(?:${REDACTED.join('|')})\\\\":)\\\\"[^"]*"`, 'g')
  const credentials = /("name":\s*"authorization",\s*"value":\s*")[^"]*/gi
  return recording.replaceAll(fields, '$1\\"[REDACTED]\\"').replaceAll(credentials, '$1[REDACTED]')
}

it('reads no value that was redacted', async () => {
  const file = await record('redacted', { content: 'embed' })
  const { findings, requests, unknown } = judge(redacted(readFileSync(file, 'utf8')), file)
  expect(findings).toEqual([])
  expect(requests).toBe(15)
  expect(unknown).toEqual({ ...NOTHING_UNKNOWN, requestBodies: 3, values: 35, headers: 15 })
})
