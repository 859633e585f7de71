import type { Call } from '../call.ts'
import type { Faults } from '../fault.ts'
import { change, type Edit, set } from '../json.ts'
import { bodyOf, problem, remade, withJson } from '../responses.ts'
import { changeResponse, refusal, type Wrap } from '../wrap.ts'

const declared = ['response-status-declared'] as const
const ids = ['request-id', 'response-headers'] as const
const problems = ['problem-details', 'response-schema'] as const

/** Statuses, headers and problems that are wrong in one place. */
export const statusDetails: Faults = {
  'webhook-created-with-200': {
    operation: 'createWebhook',
    rule: declared,
    describe: 'A new webhook gets 200.',
    remake: { status: 200 },
  },
  'static-code-created-with-201': {
    operation: 'createStaticQrCode',
    rule: declared,
    describe: 'A new static code gets 201.',
    remake: { status: 201 },
  },
  'look-up-accepted': {
    operation: 'checkKey',
    rule: declared,
    describe: 'A lookup gets 202.',
    remake: { status: 202 },
  },
  'change-without-content': {
    operation: 'updateWebhook',
    rule: declared,
    describe: 'A change gets 204 and nothing.',
    remake: { status: 204, body: null, headers: { 'content-type': null } },
  },
  'page-is-partial-content': {
    operation: 'listImmediateQrCodes',
    rule: declared,
    describe: 'A page that is not the last one gets 206.',
    response: async (response) =>
      (await bodyOf(response))?.next_cursor ? remade(response, { status: 206 }) : response,
  },
  'unknown-user-answers-400': {
    operation: 'getUser',
    rule: declared,
    describe: 'A missing user gets 400.',
    service: onStatus('getUser', 404, () => problem(400, 'invalid_request')),
  },
  'unknown-code-answers-410': {
    operation: 'cancelDueDateQrCode',
    rule: declared,
    describe: 'A missing code gets 410.',
    service: onStatus('cancelDueDateQrCode', 404, () => problem(410, 'not_found')),
  },
  'no-token-redirects': {
    operation: 'getWebhook',
    rule: ['credentials-required', 'response-status-declared'],
    describe: 'Without a token, a webhook redirects to a page.',
    service: onStatus('getWebhook', 401, (it) =>
      remade(it, { status: 302, body: null, headers: { location: '/login', 'content-type': null } }),
    ),
  },
  'no-token-answers-403': {
    operation: 'listUsers',
    rule: ['credentials-required'],
    describe: 'Without a token, users are refused with 403.',
    service: onStatus('listUsers', 401, () => problem(403, 'wrong_token_kind')),
  },
  'wrong-credentials-answer-403': {
    operation: 'signIn',
    rule: ['credentials-required', 'response-status-declared'],
    describe: 'Wrong credentials are refused with 403.',
    service: onStatus('signIn', 401, () => problem(403, 'invalid_credentials')),
  },
  'taken-tx-id-answers-422': {
    operation: 'createDueDateQrCode',
    rule: ['values-unique'],
    describe: 'A tx_id that was used is refused with 422.',
    service: onStatus('createDueDateQrCode', 409, () => problem(422, 'invalid_charge')),
  },
  'wrong-method-not-implemented': {
    rule: ['method-not-allowed', 'no-server-error'],
    describe: 'A method that a path does not take gets 501.',
    service: onStatus(undefined, 405, () => problem(501, 'method_not_allowed')),
  },
  'wrong-method-without-body': {
    rule: ['problem-details', 'response-media-type'],
    describe: 'A 405 has no body.',
    service: onStatus(undefined, 405, (it) => remade(it, { body: null, headers: { 'content-type': null } })),
  },
  'allow-forgets-a-method': {
    rule: ['allow-on-405'],
    describe: 'The Allow of a 405 names the first method of the path alone.',
    service: onStatus(undefined, 405, (it) =>
      remade(it, { headers: { allow: (it.headers.get('allow') ?? '').split(',')[0] ?? '' } }),
    ),
  },
  'wrong-media-type-answers-400': {
    operation: 'impersonate',
    rule: ['body-format'],
    describe: 'A body of another media type is refused with 400.',
    service: onStatus('impersonate', 415, () => problem(400, 'malformed_body')),
  },
  'large-body-crashes': {
    operation: 'createTransfer',
    rule: ['body-format', 'no-server-error'],
    describe: 'A body that is too large gets 500.',
    service: onStatus('createTransfer', 413, () => problem(500, 'internal_error')),
  },
  'large-body-answers-400': {
    operation: 'checkCode',
    rule: ['body-format'],
    describe: 'A body that is too large gets 400.',
    service: onStatus('checkCode', 413, () => problem(400, 'invalid_request')),
  },
  'bearer-asked-for-at-sign-in': {
    operation: 'signIn',
    rule: ['www-authenticate'],
    describe: 'The 401 of wrong credentials asks for Bearer.',
    service: challenging('signIn', 'Bearer'),
  },
  'basic-asked-for': {
    operation: 'checkCode',
    rule: ['www-authenticate'],
    describe: 'The 401 of a wrong token asks for Basic.',
    service: challenging('checkCode', 'Basic realm="partners"'),
  },
  'one-request-id-for-all': {
    operation: 'listUsers',
    rule: ['request-id'],
    describe: 'All responses of the list of users have the same x-request-id.',
    remake: { headers: { 'x-request-id': 'req_1' } },
  },
  'one-request-id-for-refusals': {
    operation: 'getUser',
    rule: ['request-id'],
    describe: 'All refusals of a user have one x-request-id.',
    service: onRefusal('getUser', async (it) => {
      const body = (await bodyOf(it)) ?? {}
      const named = await remade(it, { headers: { 'x-request-id': 'req_1' } })
      return withJson(named, { ...body, request_id: 'req_1' })
    }),
  },
  'deletion-without-request-id': {
    operation: 'deleteWebhook',
    rule: ids,
    describe: 'A 204 has no x-request-id.',
    remake: { headers: { 'x-request-id': null } },
  },
  'wrong-method-without-request-id': {
    rule: ids,
    describe: 'A 405 has no x-request-id.',
    service: onStatus(undefined, 405, (it) => remade(it, { headers: { 'x-request-id': null } })),
  },
  'conflict-without-request-id': {
    operation: 'createImmediateQrCode',
    rule: ids,
    describe: 'A 409 has no x-request-id.',
    service: onStatus('createImmediateQrCode', 409, (it) =>
      remade(it, { headers: { 'x-request-id': null } }),
    ),
  },
  'charset-lies': {
    operation: 'getUser',
    rule: ['response-media-type', 'valid-json'],
    describe: 'JSON in UTF-8 says that it is in ISO 8859-1.',
    remake: { headers: { 'content-type': 'application/json; charset=iso-8859-1' } },
  },
  'json-called-text-json': {
    operation: 'createTransfer',
    rule: ['response-media-type'],
    describe: 'JSON is called text/json.',
    remake: { headers: { 'content-type': 'text/json' } },
  },
  'json-called-hal': {
    operation: 'listDueDateQrCodes',
    rule: ['response-media-type'],
    describe: 'JSON is called application/hal+json.',
    remake: { headers: { 'content-type': 'application/hal+json' } },
  },
  'not-found-is-a-page': {
    operation: 'getWebhook',
    rule: ['problem-details', 'response-media-type'],
    describe: 'A missing webhook gets a page of HTML.',
    service: onStatus('getWebhook', 404, (it) =>
      remade(it, { body: '<h1>Not Found</h1>', headers: { 'content-type': 'text/html' } }),
    ),
  },
  'refusal-without-body': {
    operation: 'deleteWebhook',
    rule: ['problem-details', 'response-media-type'],
    describe: 'A missing webhook is refused without a body.',
    service: onStatus('deleteWebhook', 404, (it) =>
      remade(it, { body: null, headers: { 'content-type': null } }),
    ),
  },
  'problem-without-type': {
    operation: 'signIn',
    rule: problems,
    describe: 'The problem of wrong credentials lacks its type.',
    service: inProblems('signIn', set('/type', undefined)),
  },
  'problem-title-null': {
    operation: 'updateWebhook',
    rule: problems,
    describe: 'The title of a problem is null.',
    service: inProblems('updateWebhook', set('/title', null)),
  },
  'problem-status-is-text': {
    operation: 'checkKey',
    rule: problems,
    describe: 'The status of a problem is a text.',
    service: inProblems('checkKey', change('/status', String)),
  },
  'problem-type-is-no-uri': {
    operation: 'createDueDateQrCode',
    rule: problems,
    describe: 'The type of a problem is words with spaces.',
    service: inProblems('createDueDateQrCode', set('/type', 'invalid request')),
  },
  'problem-code-with-dashes': {
    operation: 'createStaticQrCode',
    rule: problems,
    describe: 'The code of a problem is written with dashes.',
    service: inProblems(
      'createStaticQrCode',
      change('/code', (it) => String(it).replaceAll('_', '-')),
    ),
  },
  'detail-is-a-list': {
    operation: 'createWebhook',
    rule: problems,
    describe: 'The detail of a problem is a list.',
    service: inProblems(
      'createWebhook',
      change('/detail', (it) => [it]),
    ),
  },
  'errors-by-name': {
    operation: 'createImmediateQrCode',
    rule: ['response-schema', 'break-refused'],
    describe: 'The errors of a problem are an object by field name.',
    service: inErrors('createImmediateQrCode', (it) =>
      Object.fromEntries(it.map(({ pointer, detail }) => [pointer, detail])),
    ),
  },
  'errors-are-texts': {
    operation: 'createTransfer',
    rule: ['response-schema', 'break-refused'],
    describe: 'The errors of a problem are texts.',
    service: inErrors('createTransfer', (it) => it.map(({ detail }) => detail)),
  },
  'pointers-with-dots': {
    operation: 'createDueDateQrCode',
    rule: ['break-refused'],
    describe: 'The pointers of errors are written with dots.',
    service: pointing('createDueDateQrCode', (it) => it.slice(1).replaceAll('/', '.')),
  },
  'pointers-to-the-whole': {
    operation: 'createWebhook',
    rule: ['break-refused'],
    describe: 'The pointers of errors are empty.',
    service: pointing('createWebhook', () => ''),
  },
  'pointers-without-index': {
    operation: 'createImmediateQrCode',
    rule: ['break-refused'],
    describe: 'The pointers of errors name no item of a list.',
    service: pointing('createImmediateQrCode', (it) => it.replaceAll(/\/\d+(?=\/|$)/g, '')),
  },
  'pointer-to-the-first-field': {
    operation: 'createDueDateQrCode',
    rule: ['break-refused'],
    describe: 'What is wrong inside of a payer is said of the dict_key.',
    service: pointing('createDueDateQrCode', (it) => (it.startsWith('/payer/') ? '/dict_key' : it)),
  },
  'parameter-not-named': {
    operation: 'listImmediateQrCodes',
    rule: ['break-refused'],
    describe: 'The refusal of a parameter does not name it.',
    service: inErrors('listImmediateQrCodes', () => []),
  },
  'statement-in-detail': {
    operation: 'getUser',
    rule: ['no-stack-in-errors'],
    describe: 'The detail of a problem is the message of a database.',
    service: inProblems('getUser', set('/detail', 'SQLSTATE[22P02]: invalid input syntax for type uuid')),
  },
  'query-in-detail': {
    operation: 'listDueDateQrCodes',
    rule: ['no-stack-in-errors'],
    describe: 'The detail of a problem is the query that failed.',
    service: inProblems(
      'listDueDateQrCodes',
      set('/detail', 'near "LIMIT": SELECT * FROM qrcodes WHERE partner_id = $1 LIMIT'),
    ),
  },
  'head-without-type': {
    operation: 'getWebhook',
    rule: ['head-equals-get'],
    describe: 'HEAD of a webhook has no content-type.',
    service: () => async (call, next) => {
      const response = await next(call)
      const isHead = call.method === 'HEAD' && call.url.pathname.includes('/webhook/') && response.ok
      return isHead ? remade(response, { headers: { 'content-type': null } }) : response
    },
  },
}

type Id = Parameters<typeof changeResponse>[0]

function onStatus(id: Id, status: number, edit: (response: Response) => Response | Promise<Response>): Wrap {
  return changeResponse(id, (response) => (response.status === status ? edit(response) : response))
}

function onRefusal(id: Id, edit: (response: Response, call: Call) => Response | Promise<Response>): Wrap {
  return refusal((response, call) => (call.operation === id ? edit(response, call) : response))
}

function inProblems(id: Id, edit: Edit): Wrap {
  return onRefusal(id, async (response) => {
    const body = await bodyOf(response)
    return body ? withJson(response, edit(body)) : response
  })
}

function inErrors(id: Id, edit: (errors: Record<string, string>[]) => unknown): Wrap {
  return inProblems(
    id,
    change('/errors', (it) => (Array.isArray(it) ? edit(it) : it)),
  )
}

function pointing(id: Id, edit: (pointer: string) => string): Wrap {
  return inProblems(
    id,
    change('/errors', (it) =>
      Array.isArray(it) ? it.map((error) => ({ ...error, pointer: edit(error.pointer) })) : it,
    ),
  )
}

function challenging(id: Id, challenge: string): Wrap {
  return onStatus(id, 401, (it) => remade(it, { headers: { 'www-authenticate': challenge } }))
}
