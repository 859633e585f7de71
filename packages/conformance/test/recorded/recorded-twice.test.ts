import { describe } from 'vitest'
import { testRows } from './rows.ts'
import {
  changed,
  type HarEntry,
  listUsers,
  lookUp,
  pay,
  payAgain,
  session,
  signIn,
  withContent,
  withoutCredentials,
} from './session.ts'

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

/** Sign-ins at one time, each with a response of its own. */
function signInsOfOneStart(): HarEntry[] {
  return Array.from({ length: 150 }, (_, second) => ({
    ...withoutRequestId(signIn(second)),
    startedDateTime: '2026-11-28T21:00:00Z',
  }))
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
      title: 'has the credentials that only the entry of the page has',
      entries: [signIn(), listUsers(), withoutCredentials(listUsers())],
      unknown: { recordedTwice: 1 },
    },
    {
      title: 'has the credentials that only the entry of the worker has',
      entries: [signIn(), withoutCredentials(listUsers()), listUsers()],
      unknown: { recordedTwice: 1 },
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
      title: 'counts once among many of one start, such as that of a clock without milliseconds',
      entries: [...signInsOfOneStart(), ...signInsOfOneStart()],
      finds: NO_REQUEST_ID.map((rule) => `${rule}@signIn`),
      unknown: { recordedTwice: 150 },
    },
    {
      title: 'is two payments if the second came a minute later, also with the same request id',
      entries: [
        signIn(),
        lookUp(),
        pay(3),
        { ...pay(3), startedDateTime: '2026-11-28T20:56:10.000Z' },
      ],
      finds: ['http-request-ids@createTransfer', 'once-used@createTransfer'],
    },
    {
      title: 'is two payments if the service responded to each',
      entries: [signIn(), lookUp(), pay(3), payAgain()],
      finds: ['once-used@createTransfer'],
    },
  ])
})
