import type { Call } from '../call.ts'
import type { Faults } from '../fault.ts'
import { set } from '../json.ts'
import { bodyOf, problem, remade, withJson } from '../responses.ts'
import { changeResponse, refusal, type Wrap } from '../wrap.ts'

/** Milliseconds that the slow service takes for a list. */
export const SLOW = 1_500

const JSON_TYPE = 'application/json'
const WEBHOOKS = '/mobile-bff/v1/partner/webhook'

/** Wrong statuses, headers, media types and problems. */
export const statusHeaders: Faults = {
  'transfer-answers-200': {
    operation: 'createTransfer',
    rule: ['response-status-declared'],
    describe: 'A transfer gets 200 instead of 201.',
    remake: { status: 200 },
  },
  'deletion-answers-200': {
    operation: 'deleteWebhook',
    rule: ['response-status-declared'],
    describe: 'A deletion gets 200 and an object instead of 204.',
    remake: { status: 200, body: '{}', headers: { 'content-type': JSON_TYPE } },
  },
  'cancellation-answers-204': {
    operation: 'cancelImmediateQrCode',
    rule: ['response-status-declared'],
    describe: 'A cancellation gets 204 and nothing.',
    remake: { status: 204, body: null, headers: { 'content-type': null } },
  },
  'users-moved': {
    operation: 'listUsers',
    rule: ['response-status-declared'],
    describe: 'The list of users gets a redirect.',
    remake: { status: 301, headers: { location: '/mobile-bff/v2/users' } },
  },
  'json-called-text': {
    operation: 'checkKey',
    rule: ['response-media-type'],
    describe: 'JSON is called text/plain.',
    remake: { headers: { 'content-type': 'text/plain' } },
  },
  'no-content-type': {
    operation: 'listUsers',
    rule: ['response-media-type'],
    describe: 'A response has a body and no content-type.',
    remake: { headers: { 'content-type': null } },
  },
  'latin-1': {
    operation: 'createStaticQrCode',
    rule: ['response-media-type', 'response-schema', 'record-shown'],
    describe: 'A response is encoded in ISO 8859-1, and declares it.',
    response: inLatin1,
  },
  'no-request-id': {
    operation: 'listWebhooks',
    rule: ['request-id', 'response-headers'],
    describe: 'A success has no x-request-id.',
    remake: { headers: { 'x-request-id': null } },
  },
  'no-request-id-on-refusals': {
    rule: ['request-id', 'response-headers'],
    describe: 'Refusals have no x-request-id.',
    service: refusal((response) => remade(response, { headers: { 'x-request-id': null } })),
  },
  'two-request-ids': {
    rule: ['request-id', 'problem-details'],
    describe: 'The request_id of a problem is not that of its header.',
    service: inProblems(set('/request_id', 'req_00000000000000000000')),
  },
  'no-challenge': {
    rule: ['www-authenticate', 'response-headers'],
    describe: 'A 401 has no www-authenticate.',
    service: unchallenged((call) => call.operation !== 'signIn'),
  },
  'no-challenge-at-sign-in': {
    operation: 'signIn',
    rule: ['www-authenticate', 'response-headers'],
    describe: 'The 401 of wrong credentials has no www-authenticate.',
    service: unchallenged((call) => call.operation === 'signIn'),
  },
  'refusals-are-text': {
    rule: ['problem-details', 'response-media-type'],
    describe: 'Refusals are a line of plain text.',
    service: refusal((response) =>
      remade(response, { body: 'Something went wrong.', headers: { 'content-type': 'text/plain' } }),
    ),
  },
  'refusals-of-another-shape': {
    rule: ['problem-details', 'response-schema'],
    describe: 'Refusals have one field, error.',
    service: inProblems(({ detail }) => ({ error: detail })),
  },
  'problems-without-code': {
    rule: ['problem-details', 'response-schema'],
    describe: 'Problems lack their code.',
    service: inProblems(set('/code', undefined)),
  },
  'problems-called-json': {
    rule: ['problem-details', 'response-media-type'],
    describe: 'Problems are called application/json.',
    service: refusal((it) => remade(it, { headers: { 'content-type': JSON_TYPE } })),
  },
  'problem-of-another-status': {
    rule: ['problem-details'],
    describe: 'Every problem has 400 for its status, whatever the response has.',
    service: inProblems(set('/status', 400)),
  },
  'stack-in-problems': {
    rule: ['no-stack-in-errors'],
    describe: 'The detail of a problem is the stack of the service.',
    service: inProblems((it) => ({ ...it, detail: new Error(String(it.detail)).stack })),
  },
  'any-method-answers-200': {
    rule: ['method-not-allowed'],
    describe: 'A method that a path does not take gets 200.',
    service: onStatus(405, (it) => remade(it, { status: 200, body: '{}', headers: asJson })),
  },
  'wrong-method-answers-404': {
    rule: ['method-not-allowed'],
    describe: 'A method that a path does not take gets 404.',
    service: onStatus(405, () => problem(404, 'not_found')),
  },
  'no-allow': {
    rule: ['allow-on-405', 'response-headers'],
    describe: 'A 405 has no Allow.',
    service: onStatus(405, (it) => remade(it, { headers: { allow: null } })),
  },
  'allow-lies': {
    rule: ['allow-on-405'],
    describe: 'The Allow of a 405 names a method that the path does not take.',
    service: onStatus(405, (it) => remade(it, { headers: { allow: 'TRACE' } })),
  },
  'deletion-announces-a-body': {
    operation: 'deleteWebhook',
    rule: ['no-content-is-empty'],
    describe: 'A 204 announces a body of JSON.',
    remake: { headers: { 'content-type': JSON_TYPE, 'content-length': '2' } },
  },
  'head-refused': {
    rule: ['head-equals-get'],
    describe: 'HEAD is refused where GET is taken.',
    service: onHead(() => new Response(null, { status: 405, headers: { allow: 'GET' } })),
  },
  'head-of-another-type': {
    rule: ['head-equals-get'],
    describe: 'HEAD has another content-type than GET.',
    service: onHead((it) => remade(it, { headers: { 'content-type': 'text/html' } })),
  },
  'list-without-slash': {
    rule: ['trailing-slash', 'method-not-allowed'],
    describe: 'GET on the path that creates webhooks lists them.',
    service: alsoServe('GET', WEBHOOKS, `${WEBHOOKS}/`),
  },
  'create-with-slash': {
    rule: ['trailing-slash', 'method-not-allowed'],
    describe: 'POST on the path that lists webhooks creates one.',
    service: alsoServe('POST', `${WEBHOOKS}/`, WEBHOOKS),
  },
  'unknown-webhook-crashes': {
    operation: 'getWebhook',
    rule: ['no-server-error'],
    describe: 'A missing webhook gets 500.',
    response: (it) => (it.status === 404 ? problem(500, 'internal_error') : it),
  },
  slow: {
    operation: 'listUsers',
    rule: ['time-budget'],
    describe: 'The list of users takes a second and a half.',
    response: slowly,
  },
}

const asJson = { 'content-type': JSON_TYPE }

function onStatus(status: number, change: (response: Response) => Response | Promise<Response>): Wrap {
  return changeResponse(undefined, (response) => (response.status === status ? change(response) : response))
}

function inProblems(change: (body: Record<string, unknown>) => unknown): Wrap {
  return refusal(async (response) => {
    const body = await bodyOf(response)
    return body ? withJson(response, change(body)) : response
  })
}

function unchallenged(test: (call: Call) => boolean): Wrap {
  return refusal((response, call) =>
    test(call) ? remade(response, { headers: { 'www-authenticate': null } }) : response,
  )
}

function onHead(change: (response: Response) => Response | Promise<Response>): Wrap {
  return () => async (call, next) => {
    const response = await next(call)
    return call.method === 'HEAD' && response.ok ? change(response) : response
  }
}

/** Also serves a request at another path, with or without a trailing slash. */
function alsoServe(method: string, from: string, to: string): Wrap {
  return () => (call, next) => {
    const isTwin = call.method === method && call.url.pathname === from
    return next(isTwin ? { ...call, url: new URL(to, call.url) } : call)
  }
}

async function inLatin1(response: Response): Promise<Response> {
  if (!response.ok) return response
  const body = new Uint8Array(Buffer.from(await response.text(), 'latin1'))
  return remade(response, { body, headers: { 'content-type': 'application/json; charset=iso-8859-1' } })
}

async function slowly(response: Response): Promise<Response> {
  await new Promise((resolve) => setTimeout(resolve, SLOW))
  return response
}
