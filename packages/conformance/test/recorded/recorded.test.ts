import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { NOTHING_UNKNOWN, type UnknownCounts } from '../../src/report/result.ts'
import {
  BASE,
  changed,
  type HarEntry,
  har,
  listUsers,
  lookUp,
  pay,
  redacted,
  session,
  signIn,
  webhookCycle,
  withContent,
  withHeader,
} from './session.ts'

/** What a recorder writes of a right session, and what the checker makes of it. */
interface Row {
  readonly title: string
  readonly entries: readonly unknown[]
  /** The findings as `rule@operation`. Default: none. */
  readonly finds?: readonly string[]
  /** What is counted as unknown or left out. Default: nothing. */
  readonly unknown?: Partial<UnknownCounts>
}

function testRows(rows: readonly Row[]): void {
  for (const { title, entries, finds = [], unknown = {} } of rows) {
    it(title, () => {
      const result = checkHar(har(entries), { baseUrl: BASE })
      const found = result.findings.map(({ rule, operation }) => `${rule}@${operation}`)
      expect(found.sort()).toEqual([...finds].sort())
      expect(result.unknown).toEqual({ ...NOTHING_UNKNOWN, ...unknown })
    })
  }
}

describe('a right session', () => {
  testRows([
    { title: 'has no finding', entries: session() },
    { title: 'has none if its entries are in another order', entries: session().reverse() },
  ])
})

/** The request of an entry without its recorded body, as a recorder leaves it. */
function withoutBody(entry: HarEntry, left: Partial<HarEntry['request']> = {}): HarEntry {
  return changed(entry, ({ request }) => {
    delete request.postData
    Object.assign(request, left)
  })
}

/** A second transfer with the initiation of the first one. */
function payAgain() {
  const again = withContent(pay(), (text) => ({
    text: text.replaceAll('000000000003', '000000000009'),
  }))
  return withHeader(again, 'x-request-id', 'req_made_up_other')
}

describe('a request body that was not recorded is unknown', () => {
  testRows([
    {
      // microsoft/playwright issue 27845
      title: 'a Blob, or a request that was cloned',
      entries: [signIn(), withoutBody(lookUp(), { bodySize: 0 }), pay()],
      unknown: { requestBodies: 1 },
    },
    {
      // recordHar of Playwright with `content: 'omit'`
      title: 'a body of which the size alone was recorded',
      entries: [
        signIn(),
        withoutBody(lookUp(), { bodySize: 35, postData: { mimeType: '', text: '', params: [] } }),
        withoutBody(pay(), { bodySize: 323 }),
      ],
      unknown: { requestBodies: 2 },
    },
    {
      title: 'a body of which the parameters alone were recorded',
      entries: [
        signIn(),
        withoutBody(lookUp(), {
          postData: { mimeType: 'application/json', params: [{ name: 'dict_key', value: 'x' }] },
        }),
      ],
      unknown: { requestBodies: 1 },
    },
    {
      title: 'a webhook whose request was not recorded shows what it shows',
      entries: [signIn(), withoutBody(webhookCycle()[0]), ...webhookCycle().slice(1)],
      unknown: { requestBodies: 1 },
    },
    {
      title: 'no body of an operation that takes none is missing',
      entries: [withoutBody(signIn(), { bodySize: 5 })],
    },
    {
      title: 'another key than was looked up is found where the body was recorded',
      entries: [
        signIn(),
        withContent(lookUp(), (text) => ({
          text: text.replace('beltrana@example.com', 'sicrana@example.com'),
        })),
      ],
      finds: ['keys-repeated@checkKey'],
    },
  ])

  it('reads a body in base64 where its encoding says so', () => {
    const text = btoa('{"dict_key":7}')
    const entry = withoutBody(lookUp(), {
      postData: { mimeType: 'application/json', text, encoding: 'base64' },
    })
    const { findings } = checkHar(har([signIn(), entry]), { baseUrl: BASE })
    expect(findings.map(({ message }) => message)).toContain(
      'The request, body /dict_key: expected string, got integer.',
    )
  })

  it('says of a body that is no JSON what it is', () => {
    const entry = withoutBody(lookUp(), {
      postData: { mimeType: 'application/json', text: '{dict_key: 1}' },
    })
    const { findings } = checkHar(har([signIn(), entry]), { baseUrl: BASE })
    const messages = findings.filter(({ rule }) => rule === 'requests-valid')
    expect(messages.map(({ message }) => message)).toEqual([
      'The request, body: expected valid JSON, got something else.',
    ])
  })
})

describe('bodies in files beside the recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'har-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** The recording of Playwright with `content: 'attach'`, which is that of a zip. */
  function attached(name: string): HarEntry {
    return changed(lookUp(), ({ request, response }) => {
      writeFileSync(join(folder, 'sent.json'), String(request.postData?.text))
      writeFileSync(join(folder, 'shown.json'), String(response?.content.text))
      request.postData = { mimeType: 'application/json', text: '', _file: 'sent.json' }
      if (response) response.content = { size: 300, mimeType: 'application/json', _file: name }
    })
  }

  it('are read if the folder is named', () => {
    const { findings, requests, unknown } = checkHar(
      har([signIn(), attached('shown.json'), pay()]),
      {
        baseUrl: BASE,
        folder,
      },
    )
    expect(findings).toEqual([])
    expect(unknown).toEqual(NOTHING_UNKNOWN)
    expect(requests).toBe(3)
  })

  it('are unknown if it is not', () => {
    const { findings, unknown, withoutBody } = checkHar(
      har([signIn(), attached('shown.json'), pay()]),
      { baseUrl: BASE },
    )
    expect(findings).toEqual([])
    expect(unknown).toMatchObject({ requestBodies: 1, responseBodies: 1 })
    expect(withoutBody).toBe(1)
  })

  it.each([
    { title: 'are not read above the folder', name: '../outside.json' },
    { title: 'are not read by their whole path', name: join(tmpdir(), 'outside.json') },
    { title: 'are not read through a link that leads outside', name: 'link.json' },
    { title: 'may be missing', name: 'nothing.json' },
    { title: 'are no folders', name: '.' },
  ])('$title', ({ name }) => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    writeFileSync(join(outside, 'outside.json'), '{"other":1}')
    if (name === 'link.json') symlinkSync(join(outside, 'outside.json'), join(folder, name))
    const { findings, unknown } = checkHar(har([signIn(), attached(name)]), {
      baseUrl: BASE,
      folder,
    })
    rmSync(outside, { recursive: true })
    expect(findings).toEqual([])
    expect(unknown.responseBodies).toBe(1)
  })
})

/** Bytes as characters, as a recorder writes what it does not decode. */
const asCharacters = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

describe('a response body that the recorder garbled or dropped', () => {
  const users = (change: (text: string) => Record<string, unknown>) => [
    signIn(),
    withContent(listUsers(), change),
  ]
  testRows([
    {
      // Firefox bug 1762313, zaproxy/zap-extensions pull request 5726
      title: 'is read as it is where the text says base64 and is JSON',
      entries: session().map((entry) => withContent(entry, () => ({ encoding: 'base64' }))),
    },
    {
      title: 'is decoded from base64',
      entries: users((text) => ({
        text: Buffer.from(text).toString('base64'),
        encoding: 'base64',
      })),
    },
    {
      title: 'is decoded from base64 that no encoding names',
      entries: users((text) => ({ text: Buffer.from(text).toString('base64') })),
    },
    {
      title: 'is unknown if it says base64 and is neither',
      entries: users(() => ({ text: 'not%base64', encoding: 'base64' })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is inflated where the bytes are left in the text',
      entries: [
        signIn(),
        withHeader(
          withContent(listUsers(), (text) => ({ text: asCharacters(gzipSync(text)) })),
          'content-encoding',
          'gzip',
        ),
      ],
    },
    {
      title: 'is inflated where they are in base64',
      entries: users((text) => ({ text: gzipSync(text).toString('base64'), encoding: 'base64' })),
    },
    {
      title: 'is unknown where the compressed bytes were decoded as UTF-8',
      entries: users((text) => ({ text: gzipSync(text).toString() })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is unknown where the text is empty beside a size',
      entries: users(() => ({ text: '' })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is unknown where the text is empty beside a length in the headers',
      entries: users(() => ({ text: '', size: 0 })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is unknown where it was cut',
      entries: users((text) => ({ text: text.slice(0, 60) })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is read where the recorder parsed it',
      entries: users((text) => ({ text: JSON.parse(text) })),
    },
    {
      title: 'is read where UTF-8 was taken for Latin-1',
      entries: [
        signIn(),
        lookUp(),
        withContent(pay(), (text) => ({ text: asCharacters(Buffer.from(text)) })),
      ],
    },
    {
      title: 'is judged where it was recorded and is no JSON',
      entries: users(() => ({ text: '<html>', size: 6 })),
      finds: ['responses-json@listUsers', 'responses-shape@listUsers'],
    },
    {
      title: 'is judged where it is recorded as empty',
      entries: [
        signIn(),
        withHeader(
          withContent(listUsers(), () => ({ text: '', size: 0 })),
          'content-length',
          '0',
        ),
      ],
      finds: ['responses-shape@listUsers'],
    },
    {
      title: 'is judged by its bytes in base64',
      entries: users((text) => ({
        text: Buffer.from(text.replace('Fulano', 'Fulão'), 'latin1').toString('base64'),
        encoding: 'base64',
      })),
      finds: ['responses-json@listUsers'],
    },
  ])
})

/** What a page and its service worker record of one exchange. */
function byWorker(entry: HarEntry): HarEntry[] {
  const ofWorker = withContent(entry, () => ({ text: '', size: 0, compression: 0 }))
  return [entry, { ...ofWorker, _serviceWorkerRef: 'serviceworker@1' }]
}

function withoutRequestId(entry: HarEntry): HarEntry {
  return changed(entry, ({ response }) => {
    if (response) response.headers = response.headers.filter(({ name }) => name !== 'x-request-id')
  })
}

const NO_REQUEST_ID = ['responses-headers', 'http-request-ids']

describe('an exchange that was recorded twice', () => {
  testRows([
    {
      // Playwright 1.65, janodvarko/harviewer issue 127
      title: 'counts once if a service worker passed it on',
      entries: [signIn(), lookUp(), pay()].flatMap(byWorker),
      unknown: { recordedTwice: 3 },
    },
    {
      title: 'counts once if the entry of the worker comes first',
      entries: [signIn(), lookUp(), pay()].flatMap((entry) => byWorker(entry).reverse()),
      unknown: { recordedTwice: 3 },
    },
    {
      title: 'counts once without an id of the service',
      entries: [signIn(), lookUp(), ...byWorker(pay()).map(withoutRequestId)],
      finds: NO_REQUEST_ID.map((rule) => `${rule}@createTransfer`),
      unknown: { recordedTwice: 1 },
    },
    {
      title: 'counts once if the recorder gave it one id',
      entries: [
        signIn(),
        lookUp(),
        { ...withoutRequestId(pay()), _requestId: '31.7' },
        { ...withoutRequestId(pay()), _requestId: '31.7' },
      ],
      finds: NO_REQUEST_ID.map((rule) => `${rule}@createTransfer`),
      unknown: { recordedTwice: 1 },
    },
    {
      title: 'counts once in a recording that was joined with itself',
      entries: [...session(), ...session()],
      unknown: { recordedTwice: 8 },
    },
    {
      title: 'is two payments if the service responded to each',
      entries: [signIn(), lookUp(), pay(3), payAgain()],
      finds: ['once-used@createTransfer'],
    },
  ])
})

const PLACEHOLDERS = [
  '[REDACTED]',
  '***',
  '<redacted>',
  'REDACTED',
  '[Filtered]',
  '{{ hidden }}',
  '***MASKED***',
  '[REDACTED: personal data]',
  '__REMOVED__',
  'XXXXXXXX',
  '••••••',
]

const SHORTENED_SECRETS = ['ini_***', 'ini_7Qm2…', 'hidden', 'token']

const OTHER_FIELDS = [
  'dict_key',
  'description',
  'tax_id',
  'owner_name',
  'url',
  'type',
  'status',
  'amount',
]

describe('a placeholder', () => {
  const twoPayments = (field: string, value: string) =>
    [signIn(), lookUp(2), pay(3), lookUp(5), pay(6)].map((entry) => redacted(entry, field, value))

  testRows([
    ...PLACEHOLDERS.map((value) => ({
      title: `${value} in place of initiation_id is unknown, and equal to nothing`,
      entries: twoPayments('initiation_id', value),
      unknown: { values: 4 },
    })),
    ...SHORTENED_SECRETS.map((value) => ({
      title: `${value} in place of a secret is unknown`,
      entries: twoPayments('initiation_id', value),
      unknown: { values: 4 },
    })),
    {
      title: 'is known by its repetition in fields that hold different secrets',
      entries: session().map((entry) =>
        redacted(redacted(entry, 'initiation_id', 'safe'), 'refresh_token', 'safe'),
      ),
      unknown: { values: 3 },
    },
    ...OTHER_FIELDS.map((field) => ({
      title: `in place of ${field} is unknown`,
      entries: session().map((entry) => redacted(entry, field, '[REDACTED]')),
      // A matcher of Vitest has no type of its own.
      unknown: { values: expect.any(Number) as unknown as number },
    })),
    {
      title: 'hides no other field',
      entries: [
        signIn(),
        redacted(lookUp(), 'dict_key', '[REDACTED]'),
        withContent(redacted(pay(), 'dict_key', '[REDACTED]'), (text) => ({
          text: text.replace('Almoço', 'Jantar'),
        })),
      ],
      finds: ['records-shown@createTransfer'],
      unknown: { values: 3 },
    },
    {
      title: 'may stand in headers',
      entries: session().map((entry) =>
        changed(withHeader(entry, 'x-request-id', '[REDACTED]'), ({ request }) => {
          for (const header of request.headers)
            if (header.name === 'authorization') header.value = 'Bearer [REDACTED]'
        }),
      ),
      unknown: { headers: 16 },
    },
    {
      title: 'may stand in the path',
      entries: [
        signIn(),
        ...webhookCycle().map((entry) =>
          changed(entry, ({ request }) => {
            request.url = request.url.replace(/webhook\/.+/, 'webhook/%5BREDACTED%5D')
          }),
        ),
      ],
      unknown: { values: 1 },
    },
    {
      title: 'may stand for a whole body',
      entries: [
        signIn(),
        changed(lookUp(), ({ request, response }) => {
          if (request.postData) request.postData.text = '[REDACTED]'
          if (response) response.content.text = '[REDACTED]'
        }),
      ],
      unknown: { requestBodies: 1, responseBodies: 1 },
    },
    {
      title: 'may make JSON invalid',
      entries: [
        signIn(),
        changed(lookUp(), ({ request }) => {
          if (request.postData) request.postData.text = '{"dict_key": [REDACTED]}'
        }),
      ],
      unknown: { requestBodies: 1 },
    },
  ])

  it('is no masked document, and no description of two characters', () => {
    const entries = [signIn(), lookUp(), redacted(pay(), 'description', '**')]
    const { unknown } = checkHar(har(entries), { baseUrl: BASE })
    expect(unknown).toEqual(NOTHING_UNKNOWN)
  })
})

function withoutCredentials(entry: HarEntry): HarEntry {
  return changed(entry, ({ request }) => {
    request.headers = request.headers.filter(({ name }) => name !== 'authorization')
  })
}

describe('headers that were not recorded are unknown', () => {
  testRows([
    {
      title: 'all of them',
      entries: session().map((entry) =>
        changed(entry, ({ request, response }) => {
          request.headers = []
          if (response) response.headers = []
        }),
      ),
      unknown: { headers: 16 },
    },
    {
      // Chrome exports no credentials by default, since version 130.
      title: 'the credentials of all requests',
      entries: session().map(withoutCredentials),
      unknown: { headers: 8 },
    },
    {
      title: 'the credentials of a look-up, whose bodies are judged',
      entries: [
        signIn(),
        withContent(withoutCredentials(lookUp()), (text) => ({
          text: text.replace('beltrana@example.com', 'sicrana@example.com'),
        })),
      ],
      finds: ['keys-repeated@checkKey'],
      unknown: { headers: 1 },
    },
    {
      title: 'the credentials of one request',
      entries: session().map((entry, index) => (index === 3 ? withoutCredentials(entry) : entry)),
      unknown: { headers: 1 },
    },
  ])
})

/** How HAR 1.2 describes what a cache has. */
const CACHE_ENTRY = { lastAccess: '', eTag: '', hitCount: 0 }

/** How recorders say that the service did not respond. */
const CACHE_MARKS = [
  // HARBuilder of WebKit
  { _fetchType: 'Disk Cache' },
  { _fetchType: 'Memory Cache' },
  { _fetchType: 'Service Worker' },
  { _fetchType: 'Inspector Override' },
  // chrome-har-capturer
  { _fromDiskCache: true },
  { _fromPrefetchCache: true },
  { _fromCache: 'memory' },
  // sitespeedio/chrome-har
  { cache: { beforeRequest: CACHE_ENTRY } },
]

/** How they say that it did, or that they do not know. */
const NETWORK_MARKS = [
  { _fetchType: 'Network Load' },
  { _fetchType: null },
  { _fromDiskCache: false },
  { cache: {} },
  { cache: { beforeRequest: null } },
  { cache: { afterRequest: CACHE_ENTRY } },
]

/** A session in which a webhook is created, listed and removed. */
function beforeCache(): HarEntry[] {
  return [signIn(), ...webhookCycle().slice(0, 3)]
}

/** The list with the webhook, long after its removal, with marks of a recorder. */
function ofCache(mark: object, ofResponse: object = {}): HarEntry {
  const list = withHeader(webhookCycle()[1], 'x-request-id', 'req_made_up_stale')
  return changed(list, (copy) => {
    Object.assign(copy, { startedDateTime: '2026-11-28T20:55:40.000Z', ...mark })
    if (copy.response) Object.assign(copy.response, ofResponse)
  })
}

/** What recorders write of a request that was aborted. */
const ABORTED = [
  // Chromium
  { status: 0, _error: 'net::ERR_ABORTED' },
  { status: 0 },
  // Playwright
  { status: -1, _failureText: 'net::ERR_ABORTED' },
  // BrowserMob
  { status: -999 },
]

function aborted(entry: HarEntry, response: object, at: string): HarEntry {
  return changed(entry, (copy) => {
    copy.startedDateTime = `2026-11-28T${at}Z`
    if (copy.response) Object.assign(copy.response, { headers: [], content: {}, ...response })
  })
}

/** What the list shows if the service gave it. */
const STALE = ['records-dated@listWebhooks', 'records-gone@listWebhooks']

describe('a response that a cache cannot give', () => {
  testRows([
    {
      title: '304 to a payment',
      entries: [
        signIn(),
        lookUp(),
        changed(pay(), ({ response }) => {
          if (response) Object.assign(response, { status: 304, content: { size: 0, mimeType: '' } })
        }),
      ],
      finds: ['responses-status@createTransfer'],
    },
  ])
})

describe('an entry that the service did not respond to is left out', () => {
  const withLast = (last: unknown) => [signIn(), listUsers(), last]
  const otherwise = (change: (copy: HarEntry) => void) => changed(listUsers(9), change)
  testRows([
    {
      // mswjs/source issue 52, getappmap/appmap-js issue 1442
      title: '304 of a cache',
      entries: withLast(
        otherwise(({ response }) => {
          if (response) Object.assign(response, { status: 304, content: { size: 0, mimeType: '' } })
        }),
      ),
      unknown: { notResponded: 1 },
    },
    {
      // httptoolkit/httptoolkit issue 461, mitmproxy/mitmproxy pull request 5663
      title: 'the hand-shake of a WebSocket',
      entries: withLast({
        _resourceType: 'websocket',
        _webSocketMessages: [],
        request: { method: 'GET', url: `${BASE}/mobile-bff/v1/partner/user`, headers: [] },
        response: { status: 101, headers: [], content: { size: 0, mimeType: 'x-unknown' } },
      }),
      unknown: { notResponded: 1 },
    },
    {
      title: 'a list of the cache of Chromium, which is older than the removal',
      entries: [
        signIn(),
        ...webhookCycle().slice(0, 3),
        changed(webhookCycle()[1], (copy) => {
          Object.assign(copy, { startedDateTime: '2026-11-28T20:55:40.000Z', _fromCache: 'disk' })
        }),
      ],
      unknown: { notResponded: 1 },
    },
    {
      title: 'a list of a cache that no recorder marks',
      entries: [
        signIn(),
        ...webhookCycle().slice(0, 3),
        changed(webhookCycle()[1], (copy) => {
          copy.startedDateTime = '2026-11-28T20:55:40.000Z'
        }),
      ],
      unknown: { recordedTwice: 1 },
    },
    ...CACHE_MARKS.map((mark) => ({
      title: `a list of a cache that a recorder marks: ${JSON.stringify(mark)}`,
      entries: [...beforeCache(), ofCache(mark)],
      unknown: { notResponded: 1 },
    })),
    ...CACHE_MARKS.filter((mark) => !('cache' in mark)).map((mark) => ({
      title: `a list whose response a recorder marks: ${JSON.stringify(mark)}`,
      entries: [...beforeCache(), ofCache({}, mark)],
      unknown: { notResponded: 1 },
    })),
    ...NETWORK_MARKS.map((mark) => ({
      title: `but not what the network gave: ${JSON.stringify(mark)}`,
      entries: [...beforeCache(), ofCache(mark)],
      finds: STALE,
    })),
    {
      title: 'but not what the network gave, although a cache had it before',
      entries: [
        ...beforeCache(),
        ofCache({ cache: { beforeRequest: CACHE_ENTRY } }, { _transferSize: 512 }),
      ],
      finds: STALE,
    },
    {
      title: 'a route of the test',
      entries: withLast(
        otherwise((copy) => {
          copy._wasFulfilled = true
        }),
      ),
      unknown: { notResponded: 1 },
    },
    {
      title: 'a response with an age, which only a cache has',
      entries: withLast(withHeader(listUsers(9), 'age', '30')),
      unknown: { notResponded: 1 },
    },
    {
      title: 'but not a payment with an age, which a cache passes on',
      entries: [signIn(), lookUp(), pay(), withHeader(payAgain(), 'age', '30')],
      finds: ['once-used@createTransfer'],
    },
    {
      title: 'a redirect inside the browser',
      entries: withLast(
        withHeader(
          otherwise(({ response }) => {
            if (response) Object.assign(response, { status: 307, content: { size: 0 } })
          }),
          'non-authoritative-reason',
          'HSTS',
        ),
      ),
      unknown: { notResponded: 1 },
    },
    {
      title: 'one of another host without a response',
      entries: withLast({ request: { method: 'GET', url: 'https://a.example/x', headers: [] } }),
    },
    {
      title: 'one that names no request',
      entries: withLast({ comment: 'nothing' }),
      unknown: { unreadable: 1 },
    },
    {
      title: 'one that is no object',
      entries: withLast(null),
      unknown: { unreadable: 1 },
    },
  ])

  const removal = webhookCycle()[2]
  testRows([
    ...ABORTED.map((response) => ({
      title: `an aborted payment that was sent again: ${JSON.stringify(response)}`,
      entries: [signIn(), lookUp(), aborted(pay(3), response, '20:55:09.500'), pay(3)],
      unknown: { notResponded: 1 },
    })),
    ...ABORTED.map((response) => ({
      title: `an aborted removal, which may have taken effect: ${JSON.stringify(response)}`,
      entries: [
        signIn(),
        ...webhookCycle().slice(0, 2),
        aborted(removal, response, '20:55:13.000'),
        webhookCycle()[3],
      ],
      unknown: { notResponded: 1 },
    })),
    {
      title: 'a removal that a service worker may have passed on',
      entries: [
        signIn(),
        ...webhookCycle().slice(0, 2),
        changed(removal, (copy) => {
          copy._fetchType = 'Service Worker'
        }),
        webhookCycle()[3],
      ],
      unknown: { notResponded: 1 },
    },
    {
      title: 'one of the service without a response',
      entries: [signIn(), { request: listUsers().request }],
      unknown: { notResponded: 1 },
    },
    {
      title: 'but not one that was cut after its status, whose body is unknown',
      entries: [
        signIn(),
        changed(listUsers(), ({ response }) => {
          if (response) response._error = 'net::ERR_ABORTED'
        }),
      ],
      unknown: { responseBodies: 1 },
    },
  ])

  it('counts no request without a response as judged', () => {
    const wrong = changed(lookUp(), ({ request }) => {
      if (request.postData) request.postData.text = '{}'
    })
    const entries = [signIn(), aborted(wrong, { status: 0 }, '20:55:09.000'), lookUp()]
    const { findings, requests, coverage } = checkHar(har(entries), {
      baseUrl: BASE,
      isComplete: true,
    })
    expect(findings).toEqual([])
    expect(requests).toBe(2)
    expect(coverage.operations).toContainEqual({
      operation: 'checkKey',
      successes: 1,
      requests: 1,
    })
  })

  it('does not miss what an aborted removal may have removed', () => {
    const [creation, list, , emptyList] = webhookCycle()
    const rulesOf = (entries: readonly unknown[]) =>
      checkHar(har(entries), { baseUrl: BASE, isComplete: true }).findings.map(({ rule }) => rule)
    const mayBeGone = aborted(removal, { status: -999 }, '20:55:13.000')
    expect(rulesOf([signIn(), creation, list, emptyList])).not.toEqual([])
    expect(rulesOf([signIn(), creation, list, mayBeGone, emptyList])).toEqual([])
  })
})

describe('an exchange without a time that can be read', () => {
  const UNREADABLE_TIMES = [
    '28/11/2026 20:55',
    '',
    null,
    0,
    '1970-01-01T00:00:00.000Z',
    '0001-01-01T00:00:00Z',
    {},
  ]
  const times = (change: (index: number) => unknown) =>
    session().map((entry, index) => {
      const startedDateTime = change(index)
      return { ...entry, ...(startedDateTime !== undefined && { startedDateTime }) }
    })

  testRows([
    ...UNREADABLE_TIMES.map((value) => ({
      title: `takes its place between its neighbours: ${JSON.stringify(value)}`,
      entries: times((index) => (index === 0 ? value : undefined)),
      unknown: { times: 1 },
    })),
    {
      title: 'takes it in the middle, and more than one do',
      entries: times((index) => (index > 0 && index < 5 ? 'yesterday' : undefined)),
      unknown: { times: 4 },
    },
    {
      title: 'is in a file without times',
      entries: times(() => null),
      unknown: { times: 8 },
    },
    {
      title: 'has no time that lacks its zone',
      entries: times((index) => (index === 3 ? '2026-11-28T20:55:10' : undefined)),
      unknown: { times: 1 },
    },
    {
      title: 'is none that is written in milliseconds',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: Date.parse(String(entry.startedDateTime)),
      })),
    },
    {
      title: 'is none that is written in milliseconds as text',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: String(Date.parse(String(entry.startedDateTime))),
      })),
    },
  ])
})

describe('a body of JSON', () => {
  const withType = (type: string) => withHeader(listUsers(), 'content-type', type)
  testRows([
    {
      // RFC 8259, section 11; schemathesis/schemathesis pull request 4295
      title: 'may name a charset that means nothing, which is noted',
      entries: [signIn(), withType('application/json; charset=foo')],
      finds: ['responses-json@undefined'],
    },
    {
      title: 'may name UTF-8',
      entries: [signIn(), withType('application/json; charset="UTF-8"')],
    },
    {
      title: 'may have U+FFFD, which is a character',
      entries: [
        signIn(),
        withContent(listUsers(), (text) => ({ text: text.replaceAll('Fulano', 'Ful\uFFFDno') })),
      ],
    },
    {
      title: 'may show a text in another normal form of Unicode',
      entries: [
        signIn(),
        lookUp(),
        withContent(pay(), (text) => ({ text: text.normalize('NFD') })),
      ],
    },
  ])

  it('notes the charset by its name, and calls it no failure', () => {
    const { findings } = checkHar(har([signIn(), withType('application/json; charset=us-ascii')]), {
      baseUrl: BASE,
    })
    expect(findings).toMatchObject([
      {
        kind: 'deviation',
        severity: 'note',
        message: 'The content-type names charset=us-ascii, which means nothing for JSON.',
        cites: { standard: 'RFC 8259, section 11' },
      },
    ])
  })
})

describe('the control API of a sandbox in a recording', () => {
  it('says that the records are gone', () => {
    const reset = changed(signIn(8), ({ request, response }) => {
      request.url = `${BASE}/_sandbox/reset`
      if (response) Object.assign(response, { status: 204, content: { size: 0, mimeType: '' } })
    })
    const entries = [signIn(), webhookCycle()[0], reset, signIn(10), webhookCycle()[3]]
    const { findings } = checkHar(har(entries), { baseUrl: BASE, isComplete: true })
    expect(findings.map(({ rule }) => rule)).not.toContain('lists-whole')
  })
})
