import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import { expect, onTestFinished, test, vi } from 'vitest'
import { summaryOf } from '../../src/report/summary.ts'
import { responseMediaType } from '../../src/rules/responses/response-media-type.ts'
import { checkHar, HarError } from '../../src/traffic/har.ts'
import { command, here } from '../cli/command.ts'

const BASE = 'http://127.0.0.1:4020'
const KEYS = `${BASE}/mobile-bff/v1/pix/dict/check/`
const RESPONSE_BODY = {
  key: 'beltrana@example.com',
  key_type: 'email',
}

interface Recorded {
  readonly url?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status?: number
  readonly responseBody?: unknown
  readonly content?: object
}

/** An entry of a lookup with a valid refusal; some parts can be changed. */
function entry({
  url = KEYS,
  method = 'POST',
  headers = {},
  body,
  status = 404,
  responseBody = PROBLEM,
  content,
}: Recorded = {}) {
  const sent = {
    ':authority': 'x',
    Authorization: 'Bearer token-of-the-app',
    Cookie: 'session=hidden',
    ...headers,
  }
  const text = body ?? '{"dict_key":"nobody@example.com"}'
  const came = { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'req_1' }
  return {
    time: 12,
    request: {
      method,
      url,
      headers: pairs({ 'Content-Type': 'application/json', ...sent }),
      ...(method === 'POST' && { postData: { mimeType: 'application/json', text } }),
    },
    response: {
      status,
      headers: pairs(came),
      content: content ?? { mimeType: 'application/problem+json', text: JSON.stringify(responseBody) },
    },
  }
}

const PROBLEM = {
  type: 'about:blank',
  title: 'Not found',
  status: 404,
  detail: 'Nobody has this key.',
  code: 'not_found',
  request_id: 'req_1',
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
const har = (...entries: readonly object[]) => ({ log: { version: '1.2', entries } })
const judged = (...entries: readonly object[]) => checkHar(har(...entries), { baseUrl: BASE })

test('finds nothing in valid traffic', async () => {
  const { findings, requests, leftOut } = await judged(entry())
  expect({ findings, requests, leftOut }).toEqual({ findings: [], requests: 1, leftOut: 0 })
})

test('finds an invalid response, and names its operation', async () => {
  const { findings } = await judged(entry({ status: 200, responseBody: RESPONSE_BODY }))
  const found = findings.map(({ rule, operation }) => `${rule} ${operation}`)
  expect(found).toEqual(['response-media-type checkKey'])
})

test('finds an invalid request', async () => {
  const { findings } = await judged(entry({ body: '{"dict_key":7}' }))
  expect(findings).toMatchObject([
    { rule: 'request-conforms', operation: 'checkKey', kind: 'failure', count: 1 },
  ])
})

test('finds a request without an operation, such as one with a missing slash', async () => {
  const { findings } = await judged(entry({ url: KEYS.slice(0, -1) }))
  expect(findings.map(({ rule }) => rule)).toEqual(['request-conforms'])
})

test('skips and counts requests to other hosts, and preflight requests', async () => {
  const preflight = entry({ method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } })
  const { requests, leftOut, findings } = await judged(
    entry({ url: 'https://elsewhere.example/x' }),
    preflight,
    entry(),
  )
  expect({ requests, leftOut, findings }).toEqual({ requests: 1, leftOut: 2, findings: [] })
})

test('does not judge a response whose body was not recorded', async () => {
  const { requests, withoutBody } = await judged(
    entry({ content: { size: 200, mimeType: 'application/json' } }),
  )
  expect({ requests, withoutBody }).toEqual({ requests: 0, withoutBody: 1 })
})

test.each([
  ['of unknown size', 404, { size: -1, mimeType: 'application/json' }, { requests: 0, withoutBody: 1 }],
  [
    'of no size, and some type',
    404,
    { size: 0, mimeType: 'application/json' },
    { requests: 0, withoutBody: 1 },
  ],
  ['that a 204 has not', 204, { size: -1, mimeType: 'x-unknown' }, { requests: 1, withoutBody: 0 }],
])('takes a body %s for what it is where no text is there', async (_, status, content, counts) => {
  const { requests, withoutBody } = await judged(entry({ status, content }))
  expect({ requests, withoutBody }).toEqual(counts)
})

test('skips and counts pages and files of the same host', async () => {
  const pages = ['/', '/assets/app.js', '/mobile-bff', '/mobile-bff/v10/x'].map((path) =>
    entry({ method: 'GET', url: BASE + path, status: 200, responseBody: {} }),
  )
  const { requests, leftOut, findings } = await judged(...pages, entry())
  expect({ requests, leftOut, findings }).toEqual({ requests: 1, leftOut: 4, findings: [] })
})

test('decodes a base64 body', async () => {
  const text = Buffer.from(JSON.stringify({ ...PROBLEM, status: 400 })).toString('base64')
  const { findings } = await judged(entry({ content: { text, encoding: 'base64' } }))
  expect(findings.map(({ rule }) => rule)).toContain('problem-details')
})

test('reports a request without a response', async () => {
  const { findings } = await judged(entry({ status: 0 }))
  expect(findings.map(({ rule }) => rule)).toEqual(['response-received'])
})

test('masks tokens and cookies', async () => {
  const { findings } = await judged(entry({ status: 200, responseBody: RESPONSE_BODY }))
  const text = JSON.stringify(findings)
  expect(text).toContain('Bearer \'\\"$TOKEN')
  expect(text).not.toMatch(/token-of-the-app|hidden/)
})

test('uses the base URL of the contract by default', async () => {
  const url = KEYS.replace('4020', '4010')
  expect((await checkHar(har(entry({ url }), entry()))).requests).toBe(1)
})

test.each([[null], [{}], [{ log: {} }], [har({ request: {} })]])(
  'refuses what is no HAR: %j',
  async (value) => {
    await expect(checkHar(value)).rejects.toThrow(HarError)
  },
)

test('judges a file from the command line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'har-'))
  const file = join(folder, 'session.har')
  writeFileSync(
    file,
    JSON.stringify(har(entry({ body: '{"dict_key":7}' }), entry({ url: 'https://elsewhere.example/' }))),
  )
  const { code, stdout, stderr } = await command(['har', file, '--target', BASE], {})
  expect(code).toBe(1)
  expect(stdout).toContain('request-conforms')
  expect(stderr).toContain('Left out: 1 of other hosts or paths, 0 without a recorded body.')
  const elsewhere = await here(['har', file, '--target', 'http://elsewhere.example:1'], {})
  expect(elsewhere).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `Nothing was judged: ${file} has no traffic of the service; give its base URL with --target.\n`,
  })
  const none = await here(['har', join(folder, 'none.har')], {})
  expect(none.stderr).toMatch(/^A file cannot be used: har: .*none\.har cannot be read \(ENOENT\)/)
  const baseline = join(folder, 'baseline.yaml')
  const known = await here(
    ['har', file, '--target', BASE, '--write-baseline', baseline, '--until', '2099-01-31'],
    {},
  )
  expect(known.code).toBe(0)
  expect((await here(['har', file, '--target', BASE, '--baseline', baseline], {})).code).toBe(0)
  writeFileSync(file, JSON.stringify(har(entry())))
  expect((await command(['har', file, '--target', BASE], {})).code).toBe(0)
})

test('derives the path of the base URL from the requests', async () => {
  const url = (prefix: string) => KEYS.replace('4020', `4020${prefix}`)
  const entries = har(entry({ url: url('/stage') }), entry({ url: url('/stages') }), entry())
  const { requests, leftOut, findings } = await checkHar(entries, { baseUrl: `${BASE}/stage/` })
  expect({ requests, leftOut, findings }).toEqual({ requests: 1, leftOut: 2, findings: [] })
})

test('confirms no assumption without an observation', async () => {
  const { verdicts } = await judged(entry())
  expect(verdicts).toHaveLength(Object.keys(questions).length)
  const verdictOf = (id: string) => verdicts.find(({ question }) => question === id)?.verdict
  expect([verdictOf('errors'), verdictOf('end-to-end-id')]).toEqual(['confirmed', 'not-exercised'])
})

test('does not assess a rule that threw an error, and continues with the others', async () => {
  const spy = vi.spyOn(responseMediaType, 'judgeResponse').mockImplementation(() => {
    throw new Error('cannot read x\nof y')
  })
  onTestFinished(() => spy.mockRestore())
  const { rules: results, findings } = await judged(entry({ status: 200, responseBody: {} }))
  const result = results.find(({ rule }) => rule === 'response-media-type')
  expect(result).toMatchObject({
    status: 'not-assessed',
    reason: 'the rule failed with an internal error: cannot read x',
  })
  expect(findings).toEqual([])
  expect(results.find(({ rule }) => rule === 'request-id')?.status).toBe('passed')
})

test('reports that the source is traffic', async () => {
  const result = await judged(entry())
  expect(result.target).toBe('traffic')
  expect(summaryOf(result, {})).toMatch(/^Traffic with http:\/\/127\.0\.0\.1:4020\/ passes: /)
})

test('masks the secret of HTTP Basic', async () => {
  const secret = 'Key+of/Loja Exemplo-1'
  const headers = { Authorization: `Basic ${btoa(`loja:${secret}`)}` }
  const { findings } = await judged(entry({ headers, content: { mimeType: 'text/plain', text: secret } }))
  expect(findings.map(({ rule }) => rule)).toContain('valid-json')
  for (const form of [secret, encodeURIComponent(secret), btoa(`loja:${secret}`)])
    expect(JSON.stringify(findings)).not.toContain(form)
})

test('masks secrets of a form', async () => {
  const body = 'grant_type=password&password=hunter%2B22&client_secret=s1&note=x'
  const { findings } = await judged(
    entry({
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      content: { mimeType: 'text/plain', text: 'not hunter+22' },
    }),
  )
  expect(findings).not.toEqual([])
  for (const { evidence } of findings)
    expect(evidence.request).toBe(
      'grant_type=password&password=$PASSWORD&client_secret=$CLIENT_SECRET&note=x',
    )
  expect(JSON.stringify(findings)).not.toMatch(/hunter|s1\b/)
})
