import { type Actors, SIGN_IN } from '../actors.ts'
import { KEYS } from '../cast.ts'
import { SLOW, type statusHeaders } from '../faults/status-headers.ts'
import type { Probe } from '../probe.ts'
import { waits } from '../waits.ts'

const UNKNOWN = 'GET /partner/webhook/00000000-0000-4000-8000-000000000000'

const refused = (as: Actors) => as.partner(UNKNOWN)
const users = (as: Actors) => as.partner('GET /partner/user')
const wrongMethod = (as: Actors) => as.partner('DELETE /partner/user')
const head = (as: Actors) => as.partner('HEAD /partner/user')

async function deletion(as: Actors) {
  return as.partner(`DELETE /partner/webhook/${await as.webhook()}`)
}

async function cancellation(as: Actors) {
  const { body } = await as.immediate()
  return as.partner(`DELETE /pix/qrcode/dynamic/immediate/${body.id}`)
}

/** What shows each fault of this kind. */
export const statusHeadersProbes: Record<keyof typeof statusHeaders, Probe> = {
  'transfer-answers-200': [async (as) => (await as.transfer()).status, 201, 200],
  'deletion-answers-200': [async (as) => (await deletion(as)).status, 204, 200],
  'cancellation-answers-204': [async (as) => (await cancellation(as)).status, 200, 204],
  'users-moved': [async (as) => (await users(as)).status, 200, 301],
  'json-called-text': [
    async (as) =>
      (await as.partner('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).headers.get('content-type'),
    'application/json',
    'text/plain',
  ],
  'no-content-type': [async (as) => (await users(as)).headers.has('content-type'), true, false],
  'latin-1': [async (as) => (await as.staticCode({ message: 'Pão' })).body.message, 'Pão', 'P\uFFFDo'],
  'no-request-id': [
    async (as) => (await as.partner('GET /partner/webhook/')).headers.has('x-request-id'),
    true,
    false,
  ],
  'no-request-id-on-refusals': [async (as) => (await refused(as)).headers.has('x-request-id'), true, false],
  'two-request-ids': [
    async (as) => {
      const { body, headers } = await refused(as)
      return body.request_id === headers.get('x-request-id')
    },
    true,
    false,
  ],
  'no-challenge': [
    async (as) => (await users({ ...as, partner: as.by() })).headers.has('www-authenticate'),
    true,
    false,
  ],
  'no-challenge-at-sign-in': [
    async (as) => (await as.by(SIGN_IN.wrong)('POST /auth/partner/token/')).headers.has('www-authenticate'),
    true,
    false,
  ],
  'refusals-are-text': [async (as) => (await refused(as)).body === undefined, false, true],
  'refusals-of-another-shape': [async (as) => 'error' in (await refused(as)).body, false, true],
  'problems-without-code': [async (as) => (await refused(as)).body.code, 'not_found', undefined],
  'problems-called-json': [
    async (as) => (await refused(as)).headers.get('content-type'),
    'application/problem+json',
    'application/json',
  ],
  'problem-of-another-status': [async (as) => (await refused(as)).body.status, 404, 400],
  'stack-in-problems': [async (as) => / at .*\.ts:\d+/.test((await refused(as)).body.detail), false, true],
  'any-method-answers-200': [async (as) => (await wrongMethod(as)).status, 405, 200],
  'wrong-method-answers-404': [async (as) => (await wrongMethod(as)).status, 405, 404],
  'no-allow': [async (as) => (await wrongMethod(as)).headers.has('allow'), true, false],
  'allow-lies': [async (as) => (await wrongMethod(as)).headers.get('allow'), 'GET, HEAD', 'TRACE'],
  'deletion-announces-a-body': [async (as) => (await deletion(as)).headers.get('content-length'), null, '2'],
  'head-refused': [async (as) => (await head(as)).status, 200, 405],
  'head-of-another-type': [
    async (as) => (await head(as)).headers.get('content-type'),
    'application/json',
    'text/html',
  ],
  'list-without-slash': [async (as) => (await as.partner('GET /partner/webhook')).status, 405, 200],
  'create-with-slash': [
    async (as) =>
      (await as.partner('POST /partner/webhook/', { type: 'all', url: 'https://loja.example/pix' })).status,
    405,
    201,
  ],
  'unknown-webhook-crashes': [async (as) => (await refused(as)).status, 404, 500],
  slow: [(as) => waits(() => users(as), SLOW), false, true],
}
