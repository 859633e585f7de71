import { expect, it } from 'vitest'
import { alters, type Body, type Fault, isSuccess, problem, shows, withBody, withHeader } from './broken.ts'
import { type Case, type Cases, testCases } from './cases.ts'
import { withoutNamed, withStatuses } from './contracts.ts'
import { found, NOT_ASSESSED, type Options, outcomeOf, PASSED } from './in-process.ts'

const KEY = { beside: ['example-accepted'], operations: ['checkKey'] }
const REFUSED_KEY = { beside: ['credentials-required'], operations: ['checkKey'] }
const CHARGES = 'listImmediateQrCodes'

/** Successes, and errors, of an operation with a change. */
const successes = (change: Parameters<typeof alters>[1], operation = 'checkKey'): Fault =>
  alters(operation, (response, call) => (isSuccess(response) ? change(response, call) : response))
const errors = (change: Parameters<typeof alters>[1], operation = 'checkKey'): Fault =>
  alters(operation, (response, call) => (isSuccess(response) ? response : change(response, call)))
const errorBodies = (change: (body: Body) => unknown): Fault =>
  errors((response) => withBody(response, change))
const withoutHeader = (name: string, operation?: string): Fault =>
  alters(operation, (response) => withHeader(response, name))
const withStatus = (status: number, operation: string, change: Parameters<typeof alters>[1]): Fault =>
  alters(operation, (response, call) => (response.status === status ? change(response, call) : response))

/** As if the response had taken this time, so that no test waits. */
const taking = (ms: number): Fault => alters('checkKey', (response) => ({ ...response, ms }))

/** A contract that declares the success of getUser under another name. */
const underName = (name: string): Options => ({
  contract: withStatuses('getUser', ({ 200: success, ...rest }: { 200?: unknown }) => ({
    ...rest,
    [name]: success,
  })),
  beside: ['record-shown'],
  operations: ['getUser'],
})

const without405Methods = found('deviation allow-on-405 getWebhook')
const notJson = found('failure valid-json getUser')
const notEmpty = found('failure no-content-is-empty deleteWebhook')
const traced = found('deviation no-stack-in-errors checkKey')
const notProblem = found('deviation problem-details checkKey')
const otherId = found('deviation request-id checkKey')
const _otherSchema = found('failure response-schema checkKey')

const RULES: Cases = {
  'allow-on-405': [
    { beside: ['method-not-allowed'], operations: ['getWebhook'] },
    [
      'finds a 405 without allow',
      alters(undefined, (it) => (it.status === 405 ? withHeader(it, 'allow') : it)),
      without405Methods,
    ],
  ],
  'response-received': [
    KEY,
    [
      'finds a connection that ends without a response',
      alters('checkKey', () => ({
        status: 0,
        headers: {},
        text: 'UND_ERR_SOCKET: other side closed',
        ms: 0,
      })),
      found('failure response-received checkKey'),
    ],
  ],
  'valid-json': [
    { beside: ['example-accepted'], operations: ['getUser'] },
    [
      'finds JSON that is cut off',
      alters('getUser', (it) => ({ ...it, text: it.text.slice(0, -1) })),
      notJson,
    ],
    ['finds bytes that are not UTF-8', shows('getUser', (body) => ({ ...body, name: 'S\uFFFDo' })), notJson],
    [
      'finds another charset',
      alters('getUser', (it) => withHeader(it, 'content-type', 'application/json; charset=iso-8859-1')),
      notJson,
    ],
    [
      'accepts a body of another media type',
      alters('getUser', (it) => ({ ...withHeader(it, 'content-type', 'text/plain'), text: 'hello' })),
      PASSED,
    ],
  ],
  'no-content-is-empty': [
    { beside: ['example-accepted'], operations: ['deleteWebhook'] },
    ['finds a body with 204', alters('deleteWebhook', (it) => ({ ...it, text: '{}' })), notEmpty],
    ['accepts a length of 0', alters('deleteWebhook', (it) => withHeader(it, 'content-length', '0')), PASSED],
  ],
  'no-server-error': [
    { beside: ['break-refused'], operations: ['checkKey'] },
    ['reports 503 as a deviation', errors(() => problem(503)), found('deviation no-server-error checkKey')],
    [
      'sends deep nesting, which no other rule does',
      alters('checkKey', (it, call) => (call.body?.includes('[[[[') ? problem(500) : it)),
      found('failure no-server-error checkKey'),
      { beside: [] },
    ],
  ],
  'no-stack-in-errors': [
    REFUSED_KEY,
    ...[
      'Error: no\n    at open (/srv/keys:12)',
      'SQLSTATE 23505',
      'near "LIMIT": SELECT * FROM keys LIMIT',
    ].map(
      (detail): Case => [
        `finds ${JSON.stringify(detail)} in an error`,
        errorBodies((body) => ({ ...body, detail })),
        traced,
      ],
    ),
    [
      'finds a database message with 400',
      alters('checkKey', () => ({ ...problem(400), text: '{"detail":"SQLSTATE 23505"}' })),
      traced,
    ],
    [
      'accepts such a string in a success',
      shows('checkKey', (body) => ({ ...body, owner_name: 'SQLSTATE' })),
      PASSED,
    ],
  ],
  'response-headers': [
    KEY,
    [
      'finds a response without a declared header',
      withoutHeader('x-request-id', 'checkKey'),
      found('deviation response-headers checkKey'),
    ],
    [
      'is not assessed if the contract declares no headers',
      withoutHeader('x-request-id'),
      NOT_ASSESSED,
      { contract: withoutNamed('headers') },
    ],
    ['ignores faults of the body', shows('checkKey', ({ owner_name: _, ...body }) => body), PASSED],
  ],
  'response-media-type': [
    KEY,
    [
      'finds a body of another media type',
      successes((it) => withHeader(it, 'content-type', 'text/html')),
      found('failure response-media-type checkKey'),
    ],
    ['ignores faults of the body', shows('checkKey', ({ owner_name: _, ...body }) => body), PASSED],
  ],
  'response-schema': [
    KEY,
    [
      'reports a value that differs from an assumption as a deviation',
      shows('checkKey', (body) => ({ ...body, owner_type: 'SOMEONE' })),
      found('deviation response-schema checkKey'),
    ],
    ['ignores a missing header', withoutHeader('x-request-id', 'checkKey'), PASSED],
  ],
  'response-status-declared': [
    { beside: ['example-accepted'], operations: [CHARGES] },
    ['accepts a success that is declared as 2XX', undefined, PASSED, underName('2XX')],
    ['accepts a success that is declared as default', undefined, PASSED, underName('default')],
    [
      'finds an undeclared success',
      successes((it) => ({ ...it, status: 206 }), CHARGES),
      {
        status: 'failed',
        found: [
          'failure example-accepted listImmediateQrCodes',
          'failure response-status-declared listImmediateQrCodes',
        ],
      },
    ],
    [
      'reports an undeclared error as a deviation',
      successes(() => problem(410), CHARGES),
      {
        status: 'failed',
        found: [
          'failure example-accepted listImmediateQrCodes',
          'deviation response-status-declared listImmediateQrCodes',
        ],
      },
    ],
    [
      'ignores HEAD, which the contract does not declare',
      async (call, next) => (call.method === 'HEAD' ? problem(405) : next(call)),
      { status: 'passed', found: [`deviation head-equals-get ${CHARGES}`] },
      { beside: ['head-equals-get'] },
    ],
  ],
  'time-budget': [
    { ...KEY, responseWithinMs: 1_000 },
    ['accepts a response within the limit', taking(1_000), PASSED],
    ['finds a response after the limit', taking(1_001), found('deviation time-budget checkKey')],
  ],
  'undeclared-fields': [
    KEY,
    [
      'finds a field that the contract does not declare',
      shows('checkKey', (body) => ({ ...body, score: 7 })),
      found('deviation undeclared-fields checkKey'),
    ],
    ['ignores a missing field', shows('checkKey', ({ owner_name: _, ...body }) => body), PASSED],
  ],
  'www-authenticate': [
    REFUSED_KEY,
    [
      'finds a 401 with the scheme of another operation',
      alters('checkKey', (it) => withHeader(it, 'www-authenticate', 'Basic realm="pix"')),
      found('deviation www-authenticate checkKey'),
    ],
    [
      'accepts one of several challenges, in lower case',
      withStatus(401, 'checkKey', (it) =>
        withHeader(it, 'www-authenticate', 'Basic realm="pix", bearer error="invalid_token"'),
      ),
      PASSED,
    ],
  ],
  'request-id': [
    REFUSED_KEY,
    [
      'finds an error with another id in its body',
      errorBodies((body) => ({ ...body, request_id: 'req_other' })),
      otherId,
    ],
    [
      'finds one id for several responses',
      successes((it) => withHeader(it, 'x-request-id', 'req_1')),
      otherId,
    ],
    [
      'ignores the body of a success',
      shows('checkKey', (body) => ({ ...body, request_id: 'req_other' })),
      PASSED,
    ],
    [
      'is not assessed if the contract does not declare the header',
      withoutHeader('x-request-id'),
      NOT_ASSESSED,
      { contract: withoutNamed('x-request-id') },
    ],
  ],
  'problem-details': [
    REFUSED_KEY,
    ...['type', 'code'].map(
      (name): Case => [
        `finds problem details without ${name}`,
        errorBodies(({ [name]: _, ...body }) => body),
        notProblem,
      ],
    ),
    [
      'accepts a charset',
      errors((it) => withHeader(it, 'content-type', 'application/problem+json; charset=utf-8')),
      PASSED,
    ],
    ['ignores a missing request id', errorBodies(({ request_id: _, ...body }) => body), PASSED],
    [
      'is not assessed if the contract declares no problem details',
      undefined,
      NOT_ASSESSED,
      { contract: withoutNamed('application/problem+json') },
    ],
  ],
}

const run = testCases(RULES)

it('does not assess time-budget without a limit', async () => {
  expect(outcomeOf('time-budget', await run('time-budget', KEY, taking(1_001)))).toEqual(NOT_ASSESSED)
})
