import { describe, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { codeOf, example } from '../story.ts'
import { testRows } from './rows.ts'
import {
  BASE,
  BEGAN_MS,
  changed,
  checkCode,
  type HarEntry,
  har,
  listUsers,
  session,
  signIn,
  withHeader,
  withoutCredentials,
} from './session.ts'

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
      title: 'takes its place in the middle, with others like it',
      entries: times((index) => (index > 0 && index < 5 ? 'yesterday' : undefined)),
      unknown: { times: 4 },
    },
    {
      title: 'is in a file without times',
      entries: times(() => null),
      unknown: { times: 8 },
    },
    {
      title: 'is one whose time has no zone',
      entries: times((index) => (index === 3 ? '2026-11-28T20:55:10' : undefined)),
      unknown: { times: 1 },
    },
    {
      title: 'is not one whose time is in milliseconds',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: Date.parse(String(entry.startedDateTime)),
      })),
    },
    {
      title: 'is not one whose time is in milliseconds as a string',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: String(Date.parse(String(entry.startedDateTime))),
      })),
    },
  ])
})

it('reads an exchange that took longer than any can', () => {
  const sent = { emv: codeOf(1) }
  const undated = checkCode({ sent, shown: example('immediateCode') })
  const entry = withHeader(undated, 'date', new Date(BEGAN_MS).toUTCString())
  const recording = har([signIn(), { ...entry, time: 1e300 }])
  expect(() => checkHar(recording, { baseUrl: BASE })).not.toThrow()
})

describe('a recording during which a clock was set', () => {
  /** The session with the dates of the service; seconds are added to the recorder's time of each entry. */
  const dated = (addSeconds: (index: number) => number, entries = session()) =>
    entries.map((entry, index) => {
      const date = new Date(String(entry.startedDateTime)).toUTCString()
      return moved(withHeader(entry, 'date', date), addSeconds(index))
    })
  const moved = (entry: HarEntry, seconds: number) =>
    changed(entry, (copy) => {
      const time = Date.parse(String(copy.startedDateTime)) + seconds * 1000
      copy.startedDateTime = new Date(time).toISOString()
    })
  const ONE_SECOND = new Date(BEGAN_MS).toUTCString()
  const startAt = (entry: HarEntry, second: number) =>
    changed(entry, (copy) => {
      copy.startedDateTime = new Date(BEGAN_MS + second * 1000).toISOString()
    })
  const [signIn, users, lookUp, pay, ...webhookCycle] = session() as [
    HarEntry,
    HarEntry,
    HarEntry,
    HarEntry,
    ...HarEntry[],
  ]

  /** The token is refused so many seconds after the sign-in, by the clock of the recorder. */
  const refusedAfter = (seconds: number) =>
    changed(listUsers(seconds), ({ response }) => {
      if (!response) return
      const id = 'req_made_up_refusal'
      const refusal = { title: 'Unauthorized', status: 401, code: 'invalid_token', request_id: id }
      const text = JSON.stringify({ type: 'about:blank', detail: 'It has ended.', ...refusal })
      response.status = 401
      response.headers = [
        { name: 'content-type', value: 'application/problem+json' },
        { name: 'www-authenticate', value: 'Bearer' },
        { name: 'x-request-id', value: id },
      ]
      response.content = { size: text.length, mimeType: 'application/problem+json', text }
    })

  /** The request is sent with the refresh token of the sign-in. */
  const withRefreshToken = (entry: HarEntry) =>
    changed(withoutCredentials(entry), ({ request }) => {
      request.headers.push({ name: 'authorization', value: 'Bearer made-up-refresh-token-0' })
    })

  testRows([
    {
      title: 'is in the order of the file if the recorder was set back',
      entries: dated((index) => (index < 5 ? 0 : -60)),
    },
    {
      title: 'is in the order of its times if two recordings were joined',
      entries: dated(() => 0, [...webhookCycle, signIn, users, lookUp, pay]),
    },
    {
      title: 'is in the order of its times if two windows were recorded in one second',
      entries: [...webhookCycle.slice(1), ...webhookCycle.slice(0, 1)].map((entry, index) =>
        withHeader(startAt(entry, index === 3 ? 0 : 0.2 * (index + 1)), 'date', ONE_SECOND),
      ),
    },
    {
      title: 'counts no lifetime by a recorder that was set ahead',
      entries: dated((index) => (index < 3 ? 0 : 86_400)),
    },
    {
      title: 'counts no lifetime without the dates of the service',
      entries: session().map((entry, index) => moved(entry, index < 3 ? 0 : 86_400)),
    },
    {
      title: 'finds the early end of a token by the dates of the service',
      entries: dated(() => 0, [signIn, users, refusedAfter(2_400)]),
      finds: ['access-tokens@signIn'],
    },
    {
      title: 'finds no early end of a token by the clock of a recorder alone',
      entries: [...dated(() => 0, [signIn, users]), refusedAfter(2_400)],
    },
    {
      title: 'finds no contradiction in a wrong token that may have ended since it was accepted',
      entries: [
        signIn,
        users,
        withRefreshToken(listUsers(2)),
        withRefreshToken(refusedAfter(7_200)),
      ],
      // Only that it was accepted at all.
      finds: ['access-tokens@listUsers'],
    },
    {
      title: 'finds no refusal within seconds by the clock of a recorder alone',
      entries: [...dated(() => 0, [signIn, users]), refusedAfter(3)],
    },
    {
      title: 'counts lifetimes by the dates of the service',
      entries: [
        ...dated(() => 0, [signIn, lookUp]),
        withHeader(pay, 'date', new Date(BEGAN_MS + 86_400_000).toUTCString()),
      ],
      finds: [
        'access-tokens@createTransfer',
        'once-used@createTransfer',
        'responses-agree@createTransfer',
      ],
    },
  ])
})
