import { describe, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { testRows } from './rows.ts'
import {
  BASE,
  changed,
  type HarEntry,
  har,
  listUsers,
  lookUp,
  pay,
  payAgain,
  signIn,
  webhookCycle,
  withHeader,
} from './session.ts'

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

/**
 * A request that was aborted.
 *
 * @param response What the recorder writes of its response.
 * @param at The time of day.
 */
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
  /** A right session that ends with an entry. */
  const endingWith = (entry: unknown) => [signIn(), listUsers(), entry]
  /** A list that a recorder writes in another way. */
  const listThat = (change: (copy: HarEntry) => void) => changed(listUsers(9), change)
  testRows([
    {
      // mswjs/source issue 52, getappmap/appmap-js issue 1442
      title: '304 of a cache',
      entries: endingWith(
        listThat(({ response }) => {
          if (response) Object.assign(response, { status: 304, content: { size: 0, mimeType: '' } })
        }),
      ),
      unknown: { notResponded: 1 },
    },
    {
      // httptoolkit/httptoolkit issue 461, mitmproxy/mitmproxy pull request 5663
      title: 'the hand-shake of a WebSocket',
      entries: endingWith({
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
      entries: endingWith(
        listThat((copy) => {
          copy._wasFulfilled = true
        }),
      ),
      unknown: { notResponded: 1 },
    },
    {
      title: 'a response with an age, which only a cache has',
      entries: endingWith(withHeader(listUsers(9), 'age', '30')),
      unknown: { notResponded: 1 },
    },
    {
      title: 'but not a payment with an age, which a cache passes on',
      entries: [signIn(), lookUp(), pay(), withHeader(payAgain(), 'age', '30')],
      finds: ['once-used@createTransfer'],
    },
    {
      title: 'but not a payment with the header of such a redirect, which a service can send too',
      entries: [
        signIn(),
        lookUp(),
        pay(),
        withHeader(payAgain(), 'non-authoritative-reason', 'HSTS'),
      ],
      finds: ['once-used@createTransfer'],
    },
    {
      title: 'a redirect inside the browser',
      entries: endingWith(
        withHeader(
          listThat(({ response }) => {
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
      entries: endingWith({ request: { method: 'GET', url: 'https://a.example/x', headers: [] } }),
    },
    {
      title: 'one that names no request',
      entries: endingWith({ comment: 'nothing' }),
      unknown: { unreadable: 1 },
    },
    {
      title: 'one that is no object',
      entries: endingWith(null),
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
