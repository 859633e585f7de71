import { expect, test } from 'vitest'
import {
  call,
  create,
  expectFindings,
  expectFindingsWith,
  lookUp,
  payKey,
  readStory,
  type Step,
  webhook,
} from './story.ts'

const PAGE = '<html><body><center><h1>Error</h1></center></body></html>'

/** A request whose response is a page of something in front of the service. */
function page(status: number, line = 'GET /partner/user', type = 'text/html'): Step {
  const responds = { 'content-type': type, 'x-request-id': '' }
  return call(line, undefined, PAGE, { status, responds })
}

/** The service refuses a request with problem details. */
const ownRefusal = call('GET /partner/webhook/none', undefined, undefined, { refused: 'not_found' })
const GATEWAY = ['http-problems@all']

/** A refusal of a service with fields of its own. */
function refuse(status: number, fields: object): Step {
  const body = { codigo: 'X', mensagem: 'Recusado', ...fields }
  const responds = { 'content-type': 'application/json' }
  return call('GET /partner/user', undefined, body, { status, responds })
}

test('it takes a 429 without a list of faults for that of a service whose other refusals have one', () => {
  const { findings } = readStory([refuse(400, { detalhes: ['x'] }), refuse(429, {})])
  const messages = findings.map(({ message }) => message)
  expect(messages.filter((message) => message.includes('in front of the service'))).toEqual([])
})

const PAGE_STATUSES = [400, 403, 413, 429, 502, 503, 504, 522]
const OTHER_METHODS = ['PUT /partner/user', 'DELETE /partner/user', 'PUT /pix/dict/check/']

expectFindings([
  ...PAGE_STATUSES.map((status) => ({
    title: `it notes a page with ${status} as that of a gateway, and nothing else`,
    story: [ownRefusal, page(status)],
    finds: GATEWAY,
  })),
  {
    title: 'it notes them once, whatever the operations are',
    story: [
      ownRefusal,
      page(403),
      page(403, 'GET /partner/webhook/'),
      page(403, 'POST /pix/dict/check/'),
      page(502),
      page(502, 'GET /partner/webhook/'),
      page(502, 'POST /pix/dict/check/'),
      page(503),
      page(503, 'GET /partner/webhook/'),
      page(503, 'POST /pix/dict/check/'),
    ],
    finds: GATEWAY,
  },
  {
    title: 'it does not know who responded before the service has refused anything',
    story: [page(502), page(503)],
    finds: [],
  },
  {
    title: 'it knows the JSON of a gateway by its fields',
    story: [
      ownRefusal,
      call('GET /partner/user', undefined, { message: 'Forbidden' }, { status: 403 }),
    ],
    finds: GATEWAY,
  },
  {
    title: 'it finds a page of the service itself, which has failed',
    story: [ownRefusal, page(500)],
    finds: [
      'http-problems@listUsers',
      'http-request-ids@listUsers',
      'responses-errors@listUsers',
      'responses-headers@listUsers',
      'responses-media-type@listUsers',
    ],
  },
  {
    title: 'it finds a server error with the form of the refusals of the service',
    story: [
      ownRefusal,
      call('GET /partner/user', undefined, undefined, { refused: 'internal_error', status: 502 }),
    ],
    finds: ['http-problems@listUsers', 'responses-errors@listUsers', 'responses-status@listUsers'],
  },
  {
    title: 'it notes 501 for methods that paths do not have, once',
    story: [
      ownRefusal,
      ...OTHER_METHODS.map((line) =>
        call(line, undefined, undefined, { refused: 'internal_error', status: 501 }),
      ),
    ],
    finds: ['http-methods@all', 'http-problems@all'],
  },
  {
    title: 'it finds a second payment that follows a page of a gateway',
    story: [ownRefusal, lookUp(), page(504, 'POST /pix/out/'), payKey(), payKey()],
    finds: ['http-problems@all', 'once-used@createTransfer'],
  },
])

test('it counts the pages of a gateway in one finding', () => {
  const { findings } = readStory([ownRefusal, page(503), page(503, 'GET /partner/webhook/')])
  expect(findings).toMatchObject([
    {
      kind: 'deviation',
      severity: 'note',
      operation: undefined,
      count: 2,
      message:
        'Something in front of the service responded in its place, with text/html. Its responses are not judged.',
    },
  ])
})

const readWebhook = (manner = {}) =>
  call('GET /partner/webhook/00000000-0000-4000-8000-000000000001', undefined, undefined, {
    refused: 'not_found',
    ...manner,
  })

expectFindingsWith({ lagMs: 5_000 }, [
  {
    title: 'it does not judge that a new record is not found, where no later look shows it',
    story: [webhook, readWebhook()],
    finds: [],
  },
])

expectFindings([
  {
    title: 'it finds a record that is not found when no service lags any more',
    story: [webhook, readWebhook()],
    finds: ['records-there@getWebhook'],
  },
])

test('it waits for no record that was found before', () => {
  const found = create('webhook')
  const { findings } = readStory(
    [
      found,
      call(
        'PATCH /partner/webhook/00000000-0000-4000-8000-000000000001',
        { status: 'inactive' },
        {},
      ),
      readWebhook(),
    ],
    { lagMs: 5_000 },
  )
  expect(findings.map(({ rule }) => rule)).toContain('records-there')
})
