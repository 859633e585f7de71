import {
  accepts,
  alters,
  bodyOf,
  type Fault,
  isSuccess,
  problem,
  refuses,
  refusing,
  shows,
} from './broken.ts'
import { type Case, type Cases, testCases } from './cases.ts'
import { found, NOT_ASSESSED, type Options, PASSED } from './in-process.ts'

/** Responses to HEAD with a change. */
const head = (change: Parameters<typeof alters>[1]): Fault =>
  alters(undefined, (it, call) => (call.method === 'HEAD' ? change(it, call) : it))

/** A service that maps the path of a request to another one. */
const routes =
  (from: RegExp, to: string, method = ''): Fault =>
  async (call, next) =>
    next({ ...call, path: call.method.startsWith(method) ? call.path.replace(from, to) : call.path })

const getUserDeviates = (rule: string) => found(`deviation ${rule} getUser`)
const exampleDeviates = found('deviation example-accepted checkKey')
const TRANSFER: Options = { operations: ['createTransfer'] }
const MOCK: Options = { target: 'mock', operations: ['getUser'] }
const LIVE: Options = { target: 'live', operations: ['checkKey'] }

/** Accepts an id that no record has. */
const acceptsId = (isAccepted: (path: string) => boolean): Fault =>
  accepts('getUser', (_, { path }) => isAccepted(decodeURIComponent(path)))

const RULES: Cases = {
  'example-accepted': [
    { operations: ['checkKey'] },
    ...[400, 422].map(
      (status): Case => [
        `reports an example that is refused with ${status} as a deviation`,
        refuses('checkKey', status),
        exampleDeviates,
      ],
    ),
    [
      'finds another success than the declared one',
      alters('checkKey', (it) => ({ ...it, status: 201 })),
      found('failure example-accepted checkKey'),
    ],
    [
      'tries each example',
      alters('createTransfer', (it, call) => (bodyOf(call).type === 'emv' ? problem(400) : it)),
      found('deviation example-accepted createTransfer'),
      TRANSFER,
    ],
    ...[404, 422].map(
      (status): Case => [
        `is not assessed on a live service that refuses with ${status}`,
        refuses('checkKey', status),
        NOT_ASSESSED,
        LIVE,
      ],
    ),
    ['ignores examples that depend on a refused request', refuses('checkKey'), PASSED, TRANSFER],
    ['ignores operations that the run excludes', refuses('checkCode'), PASSED],
    [
      'finds a request that is refused without accept',
      alters('checkKey', (it, call) => ('accept' in call.headers ? it : problem(406))),
      found('failure example-accepted checkKey'),
    ],
    [
      'finds a request that is refused for the case of its scheme',
      alters('checkKey', (it, call) =>
        call.headers.authorization?.startsWith('bearer') ? problem(401) : it,
      ),
      exampleDeviates,
    ],
  ],
  'links-followed': [
    { operations: ['getWebhook'] },
    [
      'finds an id that the linked operation refuses',
      alters('getWebhook', refusing(404)),
      found('failure links-followed getWebhook'),
    ],
    ['is not assessed if a business rule forbids the request', refuses('getWebhook', 409), NOT_ASSESSED],
    ['is not assessed if the request is refused with 422', refuses('getWebhook'), NOT_ASSESSED],
    ['is not assessed if the source of the link is refused', refuses('createWebhook'), NOT_ASSESSED],
    ['ignores links to operations that the run excludes', refuses('deleteWebhook', 404), PASSED],
    [
      'ignores a listed record that is gone',
      refuses('getUser', 404),
      NOT_ASSESSED,
      { operations: ['getUser'] },
    ],
    ['ignores a response without the value', shows('createWebhook', ({ id: _, ...body }) => body), PASSED],
    [
      'finds a cursor that is refused',
      shows('listImmediateQrCodes', (body) => ({ ...body, next_cursor: 'c_more' })),
      found('deviation links-followed listImmediateQrCodes'),
      { operations: ['listImmediateQrCodes'] },
    ],
  ],
  'method-not-allowed': [
    { operations: ['getUser'] },
    [
      'ignores paths that the run excludes',
      alters(undefined, (it, { path }) =>
        it.status === 405 && !path.includes('/partner/user/') ? problem(404) : it,
      ),
      PASSED,
    ],
  ],
  'invalid-ids-refused': [
    { operations: ['getUser'] },
    ...['x', '%00', 'a'.repeat(2_000), '💰'].map(
      (id): Case => [
        `finds a record with the id ${id.slice(0, 40)}`,
        acceptsId((path) => path.endsWith(`/${id}`)),
        getUserDeviates('invalid-ids-refused'),
      ],
    ),
    ...(
      [
        ['with a trailing space', / $/],
        ['with a further letter', /[^/]{2,}x$/],
      ] as const
    ).map(
      ([words, form]): Case => [
        `finds a record by an id ${words}`,
        acceptsId((path) => form.test(path)),
        getUserDeviates('invalid-ids-refused'),
      ],
    ),
    [
      'is not assessed if the service fails',
      alters('getUser', (it) => (isSuccess(it) ? it : problem(500))),
      NOT_ASSESSED,
    ],
    ['is not assessed on a mock', accepts('getUser'), NOT_ASSESSED, MOCK],
  ],
  'trailing-slash': [
    { operations: ['listUsers', 'listWebhooks'] },
    [
      'finds a path that is served with a further slash',
      routes(/partner\/user\/$/, 'partner/user'),
      found('deviation trailing-slash listUsers'),
    ],
    ['ignores paths that the run excludes', routes(/immediate\/$/, 'immediate'), PASSED],
  ],
  'head-equals-get': [
    { operations: ['getUser', 'checkKey'] },
    ['finds a body of HEAD', head((it) => ({ ...it, text: '{}' })), getUserDeviates('head-equals-get')],
    ['is not assessed on a mock', undefined, NOT_ASSESSED, MOCK],
  ],
  'random-requests': [
    { operations: ['createWebhook'], timeMs: 1_000 },
    [
      'finds an accepted request that breaks a fact of its schema',
      accepts('createWebhook', ({ url }) => url === undefined),
      found('failure random-requests createWebhook'),
    ],
  ],
}

testCases(RULES)
