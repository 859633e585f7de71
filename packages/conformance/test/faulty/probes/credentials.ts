import { type Actors, SIGN_IN } from '../actors.ts'
import { basic, CREDENTIALS, KEYS, USERS } from '../cast.ts'
import type { credentials } from '../faults/credentials.ts'
import type { Probe } from '../probe.ts'

const [KEY] = CREDENTIALS.partner
const HOUR = 3_600_000
const WEBHOOK = '/partner/webhook'

/** The status of a sign-in with a secret. */
const signingIn = (secret: string) => async (as: Actors) =>
  (await as.by(basic([KEY, secret]))('POST /auth/partner/token/')).status

const signedIn = async (as: Actors) => (await as.by(SIGN_IN.right)('POST /auth/partner/token/')).body
const acting = async (as: Actors) => (await as.partner('POST /auth/partner/impersonate/', USERS.partner)).body

/** The status of a request with what is made of a token that was given just now. */
const withToken = (line: string, made: (token: string) => string, body?: object) => async (as: Actors) =>
  (await as.by(made((await signedIn(as)).access_token))(line, body)).status

const rotation = (id: string) => `PATCH ${WEBHOOK}/${id}/secret`

/** A transfer that breaks nothing but the rules of who may pay: it names no look-up. */
const PAYMENT = { type: 'dict', amount: '1.00', dict_key: KEYS.beltrana, initiation_id: 'ini_never' }

async function later(as: Actors): Promise<void> {
  // What other looks left to be delivered would be tried again on the way.
  await as.world.run('UPDATE deliveries SET due_at = NULL')
  await as.world.app.worker.moveTo(as.world.app.clock.now() + HOUR + 5_000)
}

/** What shows each fault of credentials. */
export const credentialsProbes: Record<keyof typeof credentials, Probe> = {
  'secret-of-a-known-key-unchecked': [signingIn('guess'), 401, 200],
  'secret-compared-by-its-beginning': [signingIn('sec'), 401, 200],
  'secret-in-any-case': [signingIn('SECRET'), 401, 200],
  'secret-empty': [signingIn(''), 401, 200],
  'token-compared-by-its-beginning': [
    withToken('POST /pix/out/', (it) => `Bearer ${it.slice(0, -2)}`, PAYMENT),
    401,
    422,
  ],
  'token-without-a-scheme': [withToken('GET /partner/user', (it) => it), 401, 200],
  'token-under-basic': [
    async (as) => {
      const body = { url: 'https://loja.example/pix', type: 'all', status: 'active' }
      const line = `PATCH ${WEBHOOK}/${await as.webhook()}`
      return withToken(line, (it) => `Basic ${it}`, body)(as)
    },
    401,
    200,
  ],
  'expired-token-pays': [
    async (as) => {
      const { access_token } = await signedIn(as)
      await later(as)
      return (await as.by(`Bearer ${access_token}`)('POST /pix/out/', PAYMENT)).status
    },
    401,
    422,
  ],
  'expired-token-of-a-customer': [
    async (as) => {
      const { access_token } = await acting(as)
      await later(as)
      return (await as.by(`Bearer ${access_token}`)('POST /pix/dict/check/', { dict_key: KEYS.beltrana }))
        .status
    },
    401,
    200,
  ],
  'refresh-token-of-a-customer-taken': [
    async (as) => {
      const { refresh_token } = await acting(as)
      return (await as.by(`Bearer ${refresh_token}`)('POST /pix/dict/check/', { dict_key: KEYS.beltrana }))
        .status
    },
    401,
    200,
  ],
  'impersonation-for-nobody': [
    async (as) => (await as.by()('POST /auth/partner/impersonate/', USERS.partner)).status,
    401,
    200,
  ],
  'cancellation-for-nobody': [
    async (as) =>
      (await as.by()(`DELETE /pix/qrcode/dynamic/due-date/${(await as.dueDate()).body.id}`)).status,
    401,
    200,
  ],
  'any-token-rotates': [
    async (as) => (await as.by('Bearer garbage')(rotation(await as.webhook()))).status,
    401,
    200,
  ],
  'secret-pays': [async (as) => (await as.by(SIGN_IN.right)('POST /pix/out/', PAYMENT)).status, 401, 422],
  'impersonation-for-a-customer': [
    async (as) => (await as.customer('POST /auth/partner/impersonate/', USERS.partner)).status,
    403,
    200,
  ],
  'rotation-for-a-customer': [
    async (as) => (await as.customer(rotation(await as.webhook()))).status,
    403,
    200,
  ],
}
