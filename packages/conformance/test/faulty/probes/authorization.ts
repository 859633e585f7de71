import { type Actors, type Ask, HOOK, SIGN_IN } from '../actors.ts'
import { KEYS, USERS } from '../cast.ts'
import type { authorization } from '../faults/authorization.ts'
import type { Probe } from '../probe.ts'

const USER = `/partner/user/${USERS.partner.user_id}`
const HOUR = 3_600_000

const statusOf = async (answer: ReturnType<Ask>) => (await answer).status

/** The status of a request about a webhook of the partner, by somebody. */
const onWebhook =
  (who: (as: Actors) => Ask, method: string, body?: object, end = '') =>
  async (as: Actors) =>
    statusOf(who(as)(`${method} /partner/webhook/${await as.webhook()}${end}`, body))

const nobody = (as: Actors) => as.by()
const other = (as: Actors) => as.other
const customer = (as: Actors) => as.customer

/** Tokens as a sign-in gives them. */
async function signedIn(as: Actors) {
  const { body } = await as.by(SIGN_IN.right)('POST /auth/partner/token/')
  return body
}

/** Whether the other partner sees a record of the partner on a list. */
async function isLeaked(as: Actors, line: string, id: string): Promise<boolean> {
  const { body } = await as.other(line)
  return body.data.some((it: { id: string }) => it.id === id)
}

/** What shows each fault of this kind. */
export const authorizationProbes: Record<keyof typeof authorization, Probe> = {
  'user-for-nobody': [(as) => statusOf(as.by()(`GET ${USER}`)), 401, 200],
  'static-code-for-nobody': [
    (as) => statusOf(as.by()('POST /pix/qrcode/static/', { dict_key: KEYS.partner, amount: '1.00' })),
    401,
    200,
  ],
  'deletion-for-nobody': [onWebhook(nobody, 'DELETE'), 401, 204],
  'any-token': [(as) => statusOf(as.by('Bearer garbage')('GET /partner/webhook/')), 401, 200],
  'basic-instead-of-a-token': [
    (as) => statusOf(as.by(SIGN_IN.right)('POST /pix/dict/check/', { dict_key: KEYS.beltrana })),
    401,
    200,
  ],
  'any-secret': [(as) => statusOf(as.by(SIGN_IN.wrong)('POST /auth/partner/token/')), 401, 200],
  'tokens-never-expire': [
    async (as) => {
      const { access_token } = await signedIn(as)
      await as.world.app.worker.moveTo(as.world.app.clock.now() + HOUR)
      return statusOf(as.by(`Bearer ${access_token}`)('GET /partner/user'))
    },
    401,
    200,
  ],
  'refresh-token-taken': [
    async (as) => {
      const { refresh_token } = await signedIn(as)
      return statusOf(as.by(`Bearer ${refresh_token}`)('GET /partner/user'))
    },
    401,
    200,
  ],
  'webhooks-for-a-customer': [(as) => statusOf(as.customer('GET /partner/webhook/')), 403, 200],
  'deletion-for-a-customer': [onWebhook(customer, 'DELETE'), 403, 204],
  'users-for-a-customer': [(as) => statusOf(as.customer(`GET ${USER}`)), 403, 200],
  'foreign-webhook-shown': [onWebhook(other, 'GET'), 404, 200],
  'foreign-webhook-deleted': [onWebhook(other, 'DELETE'), 404, 204],
  'foreign-webhook-changed': [onWebhook(other, 'PATCH', { ...HOOK, status: 'inactive' }), 404, 200],
  'foreign-secret-rotated': [onWebhook(other, 'PATCH', undefined, '/secret'), 404, 200],
  'foreign-code-cancelled': [
    async (as) => {
      const { body } = await as.immediate()
      return statusOf(as.other(`DELETE /pix/qrcode/dynamic/immediate/${body.id}`))
    },
    404,
    200,
  ],
  'foreign-user-shown': [(as) => statusOf(as.other(`GET ${USER}`)), 404, 200],
  'foreign-customer-acted-for': [
    (as) => statusOf(as.other('POST /auth/partner/impersonate/', USERS.partner)),
    404,
    200,
  ],
  'foreign-webhook-forbidden': [onWebhook(other, 'GET'), 404, 403],
  'foreign-webhooks-listed': [
    async (as) => isLeaked(as, 'GET /partner/webhook/', await as.webhook()),
    false,
    true,
  ],
  'foreign-codes-listed': [
    async (as) => isLeaked(as, 'GET /pix/qrcode/dynamic/immediate', (await as.immediate()).body.id),
    false,
    true,
  ],
  'foreign-user-listed': [async (as) => (await as.partner('GET /partner/user')).body.users.length, 1, 2],
}
