import { type Actors, type Answer, charge, HOOK, SIGN_IN } from '../actors.ts'
import { KEYS, USERS } from '../cast.ts'
import type { answersApart } from '../faults/answers-apart.ts'
import type { Probe } from '../probe.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const NOBODY = '00000000-0000-4000-8000-000000000000'
const UNKNOWN = `GET /partner/webhook/${NOBODY}`

const key = (as: Actors) => as.partner('POST /pix/dict/check/', { dict_key: KEYS.beltrana })
const wrongMethod = (as: Actors) => as.partner('DELETE /partner/user')
const idOf = async (answer: Promise<Answer>) => (await answer).headers.get('x-request-id')
const typeOf = async (answer: Promise<Answer>) => (await answer).headers.get('content-type')
const updated = async (as: Actors) =>
  as.partner(`PATCH /partner/webhook/${await as.webhook()}`, { ...HOOK, status: 'inactive' })

async function pageOfTwo(as: Actors) {
  await as.immediate()
  await as.immediate()
  return as.partner(`GET ${IMMEDIATE}?limit=1`)
}

async function twice(as: Actors) {
  const { tx_id } = charge()
  await as.dueDate({ tx_id })
  return as.dueDate({ tx_id })
}

async function twiceImmediate(as: Actors) {
  const { tx_id } = charge()
  await as.immediate({ tx_id })
  return as.immediate({ tx_id })
}

/** What shows each fault of this kind. */
export const answersApartProbes: Record<keyof typeof answersApart, Probe> = {
  'webhook-created-with-200': [
    async (as) => (await as.partner('POST /partner/webhook', HOOK)).status,
    201,
    200,
  ],
  'static-code-created-with-201': [async (as) => (await as.staticCode()).status, 200, 201],
  'look-up-accepted': [async (as) => (await key(as)).status, 200, 202],
  'change-without-content': [async (as) => (await updated(as)).status, 200, 204],
  'page-is-partial-content': [async (as) => (await pageOfTwo(as)).status, 200, 206],
  'unknown-user-answers-400': [
    async (as) => (await as.partner(`GET /partner/user/${NOBODY}`)).status,
    404,
    400,
  ],
  'unknown-code-answers-410': [
    async (as) => (await as.partner(`DELETE ${DUE_DATE}/${NOBODY}`)).status,
    404,
    410,
  ],
  'no-token-redirects': [async (as) => (await as.by()(UNKNOWN)).status, 401, 302],
  'no-token-answers-403': [async (as) => (await as.by()('GET /partner/user')).status, 401, 403],
  'wrong-credentials-answer-403': [
    async (as) => (await as.by(SIGN_IN.wrong)('POST /auth/partner/token/')).status,
    401,
    403,
  ],
  'taken-tx-id-answers-422': [async (as) => (await twice(as)).status, 409, 422],
  'wrong-method-not-implemented': [async (as) => (await wrongMethod(as)).status, 405, 501],
  'wrong-method-without-body': [async (as) => (await wrongMethod(as)).text === '', false, true],
  'allow-forgets-a-method': [
    async (as) => (await as.partner(`PUT /partner/webhook/${NOBODY}`)).headers.get('allow')?.includes(','),
    true,
    false,
  ],
  'wrong-media-type-answers-400': [
    async (as) =>
      (await as.partner('POST /auth/partner/impersonate/', '{}', { 'content-type': 'text/plain' })).status,
    415,
    400,
  ],
  'large-body-crashes': [async (as) => (await as.transfer({ padding: 'a'.repeat(66_000) })).status, 413, 500],
  'large-body-answers-400': [
    async (as) => (await as.partner('POST /pix/brcode/emv/', { emv: 'a'.repeat(66_000) })).status,
    413,
    400,
  ],
  'bearer-asked-for-at-sign-in': [
    async (as) => (await as.by(SIGN_IN.wrong)('POST /auth/partner/token/')).headers.get('www-authenticate'),
    'Basic realm="partner"',
    'Bearer',
  ],
  'basic-asked-for': [
    async (as) => (await as.by()('POST /pix/brcode/emv/', {})).headers.get('www-authenticate'),
    'Bearer',
    'Basic realm="partners"',
  ],
  'one-request-id-for-all': [
    async (as) => (await idOf(as.partner('GET /partner/user'))) === 'req_1',
    false,
    true,
  ],
  'one-request-id-for-refusals': [
    async (as) => (await idOf(as.partner(`GET /partner/user/${NOBODY}`))) === 'req_1',
    false,
    true,
  ],
  'deletion-without-request-id': [
    async (as) => (await idOf(as.partner(`DELETE /partner/webhook/${await as.webhook()}`))) === null,
    false,
    true,
  ],
  'wrong-method-without-request-id': [async (as) => (await idOf(wrongMethod(as))) === null, false, true],
  'conflict-without-request-id': [async (as) => (await idOf(twiceImmediate(as))) === null, false, true],
  'charset-lies': [
    async (as) => await typeOf(as.partner(`GET /partner/user/${USERS.partner.user_id}`)),
    'application/json',
    'application/json; charset=iso-8859-1',
  ],
  'json-called-text-json': [async (as) => await typeOf(as.transfer()), 'application/json', 'text/json'],
  'json-called-hal': [
    async (as) => await typeOf(as.partner(`GET ${DUE_DATE}`)),
    'application/json',
    'application/hal+json',
  ],
  'not-found-is-a-page': [
    async (as) => await typeOf(as.partner(UNKNOWN)),
    'application/problem+json',
    'text/html',
  ],
  'refusal-without-body': [
    async (as) => (await as.partner(`DELETE /partner/webhook/${NOBODY}`)).text === '',
    false,
    true,
  ],
  'problem-without-type': [
    async (as) => 'type' in (await as.by(SIGN_IN.wrong)('POST /auth/partner/token/')).body,
    true,
    false,
  ],
  'problem-title-null': [
    async (as) => (await as.partner(`PATCH /partner/webhook/${NOBODY}`, {})).body.title,
    'Bad Request',
    null,
  ],
  'problem-status-is-text': [
    async (as) => (await as.partner('POST /pix/dict/check/', {})).body.status,
    400,
    '400',
  ],
  'problem-type-is-no-uri': [
    async (as) => (await as.dueDate({ tx_id: '' })).body.type,
    'about:blank',
    'invalid request',
  ],
  'problem-code-with-dashes': [
    async (as) => (await as.staticCode({ amount: '' })).body.code,
    'invalid_request',
    'invalid-request',
  ],
  'detail-is-a-list': [
    async (as) => Array.isArray((await as.partner('POST /partner/webhook', {})).body.detail),
    false,
    true,
  ],
  'errors-by-name': [
    async (as) => Array.isArray((await as.immediate({ tx_id: '' })).body.errors),
    true,
    false,
  ],
  'errors-are-texts': [
    async (as) => typeof (await as.transfer({ amount: '' })).body.errors[0],
    'object',
    'string',
  ],
  'pointers-with-dots': [
    async (as) => (await as.dueDate({ payer: { name: 1 } })).body.errors[0].pointer,
    '/payer/name',
    'payer.name',
  ],
  'pointers-to-the-whole': [
    async (as) => (await as.partner('POST /partner/webhook', { ...HOOK, type: 1 })).body.errors[0].pointer,
    '/type',
    '',
  ],
  'pointers-without-index': [
    async (as) => (await as.immediate({ additional_infos: [{ name: 1 }] })).body.errors[0].pointer,
    '/additional_infos/0/name',
    '/additional_infos/name',
  ],
  'pointer-to-the-first-member': [
    async (as) => (await as.dueDate({ payer: { name: 1 } })).body.errors[0].pointer,
    '/payer/name',
    '/dict_key',
  ],
  'parameter-not-named': [
    async (as) => (await as.partner(`GET ${IMMEDIATE}?limit=0`)).body.errors.length,
    1,
    0,
  ],
  'statement-in-detail': [
    async (as) => /SQLSTATE/.test((await as.partner(`GET /partner/user/${NOBODY}`)).body.detail),
    false,
    true,
  ],
  'query-in-detail': [
    async (as) => /SELECT/.test((await as.partner(`GET ${DUE_DATE}?limit=0`)).body.detail),
    false,
    true,
  ],
  'head-without-type': [
    async (as) => await typeOf(as.partner(`HEAD /partner/webhook/${await as.webhook()}`)),
    'application/json',
    null,
  ],
}
