import { type Actors, HOOK } from '../actors.ts'
import { KEYS, USERS } from '../cast.ts'
import type { httpApart } from '../faults/http-apart.ts'
import type { Probe } from '../probe.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const WEBHOOK = '/partner/webhook'
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

/** The status of something that is done with a new webhook. */
const on =
  (method: string, behind = '', body?: object) =>
  async (as: Actors) =>
    statusOf(as.partner(`${method} ${WEBHOOK}/${await as.webhook()}${behind}`, body))

/** What shows each fault of HTTP that shows in one place alone. */
export const httpApartProbes: Record<keyof typeof httpApart, Probe> = {
  'head-for-nobody': [(as) => statusOf(as.by()('HEAD /partner/user')), 401, 200],
  'head-of-what-is-not-there': [(as) => statusOf(as.partner(`HEAD ${WEBHOOK}/${NOBODY}`)), 404, 200],
  'head-length-of-nothing': [
    async (as) =>
      (await as.partner(`HEAD /partner/user/${USERS.partner.user_id}`)).headers.get('content-length'),
    null,
    '0',
  ],
  'put-changes-a-webhook': [on('PUT', '', { ...HOOK, status: 'active' }), 405, 200],
  'post-rotates-a-secret': [on('POST', '/secret'), 405, 200],
  'options-crash': [(as) => statusOf(as.partner('OPTIONS /pix/out/')), 405, 500],
  'secret-405-without-allow': [
    async (as) => (await as.partner(`GET ${WEBHOOK}/${NOBODY}/secret`)).headers.get('allow'),
    'PATCH',
    null,
  ],
  'webhook-with-slash-shown': [on('GET', '/'), 404, 200],
  'static-code-without-slash': [
    (as) => statusOf(as.partner('POST /pix/qrcode/static', { dict_key: KEYS.partner, amount: '1.00' })),
    404,
    200,
  ],
  'plain-body-called-gzip': [
    async (as) => (await as.partner('GET /partner/user')).headers.get('content-encoding'),
    null,
    'gzip',
  ],
  'unknown-code-is-plain-text': [
    async (as) =>
      (await as.partner(`DELETE /pix/qrcode/dynamic/due-date/${NOBODY}`)).headers.get('content-type'),
    'application/problem+json',
    'text/plain',
  ],
  'forbidden-without-request-id': [
    async (as) => (await as.customer(`GET /partner/user/${NOBODY}`)).headers.has('x-request-id'),
    true,
    false,
  ],
}
