import { by, type Call, withId } from '../services/call.ts'
import { bodyOf, change, problem, set, withJson } from '../services/responses.ts'
import { basic, CREDENTIALS } from '../services/sandbox.ts'
import { callerOf, ownerOf, rowOf } from '../services/state.ts'
import { asOwner, handle, onCall, onRequest, onResponse, onSuccess } from '../services/wrap.ts'
import { listOf, type Mutant, onField, trigger } from './tools.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Client key and secret of a Basic header; empty without one. */
function credentialsIn({ headers }: Call): readonly [key: string, secret: string] {
  const authorization = headers.get('authorization') ?? ''
  const [, encoded = ''] = /^basic +([\w+/]+=*)$/i.exec(authorization) ?? []
  const decoded = Buffer.from(encoded, 'base64').toString()
  const [key = '', ...secret] = decoded.split(':')
  return [key, secret.join(':')]
}

/** Mutants of sign-in, tokens and users. */
export const access: readonly Mutant[] = [
  {
    says: 'The client key is compared without regard to capitals.',
    places: ['signIn'],
    service: onCall((call) => {
      const [key, secret] = credentialsIn(call)
      return key ? by(call, basic([key.toLowerCase(), secret])) : call
    }),
  },
  {
    says: 'A prefix of the client secret signs in, even an empty one.',
    places: ['signIn'],
    service: onCall((call) => {
      const [key, secret] = credentialsIn(call)
      const known = Object.values(CREDENTIALS).find(([knownKey]) => knownKey === key)
      if (!known) return call
      const [, knownSecret] = known
      return knownSecret.startsWith(secret) ? by(call, basic(known)) : call
    }),
  },
  {
    says: 'The refusal of a sign-in repeats the client key and the secret.',
    places: ['signIn'],
    service: onResponse(async (response, call) => {
      const [key, secret] = credentialsIn(call)
      if (response.status !== 401 || !key) return response
      const body = await bodyOf(response)
      return withJson(response, { ...body, detail: `No partner has ${key}:${secret}.` })
    }),
  },
  {
    says: 'Every valid sign-in returns the token of one partner.',
    places: [
      'signIn',
      'listWebhooks',
      'getWebhook',
      'updateWebhook',
      'rotateWebhookSecret',
      'deleteWebhook',
      'getUser',
    ],
    service: handle(async (call, next) => {
      const response = await next(call)
      return response.ok ? next(by(call, basic(CREDENTIALS.other))) : response
    }),
  },
  {
    says: 'A token works for a minute after its expiration.',
    places: ['signIn', 'listUsers', 'createTransfer'],
    service: trigger(
      `AFTER INSERT ON tokens`,
      `UPDATE tokens SET expires_at = expires_at + 60000 WHERE hash = NEW.hash`,
    ),
  },
  {
    says: 'Impersonation takes any user_id for a customer of the partner.',
    places: ['impersonate'],
    service: onRequest(async (body, _, sandbox) => {
      const sql = 'SELECT user_id FROM customers WHERE id = ?'
      const customer = await rowOf(sandbox, sql, body.customer_id)
      const namesUser = typeof body.user_id === 'string' && body.user_id !== ''
      return customer && namesUser ? { ...body, ...customer } : body
    }),
  },
  {
    says: 'A partner acts for a customer of another one.',
    places: ['impersonate'],
    service: handle(asOwner),
  },
  {
    says: 'Impersonation returns a token that acts for the partner.',
    places: [
      'impersonate',
      'createTransfer',
      'listUsers',
      'getUser',
      'createWebhook',
      'listWebhooks',
      'getWebhook',
    ],
    service: onSuccess(async (body, call, sandbox) => ({
      ...body,
      access_token: (await ownerOf(call, sandbox)).replace('Bearer ', ''),
    })),
  },
  {
    says: 'An impersonated token stands for the account of the partner instead of that of the customer.',
    places: [
      'impersonate',
      'createTransfer',
      'createStaticQrCode',
      'createImmediateQrCode',
      'createDueDateQrCode',
      'listImmediateQrCodes',
      'listDueDateQrCodes',
    ],
    service: trigger(
      `AFTER INSERT ON tokens WHEN NEW.customer_id IS NOT NULL`,
      `UPDATE tokens SET account_id = (SELECT account_id FROM partners WHERE id = NEW.partner_id)
          WHERE hash = NEW.hash`,
    ),
  },
  {
    says: 'An impersonated token may list the users of the partner.',
    places: ['listUsers'],
    service: handle(async (call, next, sandbox) => {
      const response = await next(call)
      return response.status === 403 ? next(by(call, await ownerOf(call, sandbox))) : response
    }),
  },
  {
    says: 'The list of users shows those of all partners.',
    places: ['listUsers', 'getUser', 'impersonate'],
    service: handle(async (call, next, { bearer }) => {
      const response = await next(call)
      if (!response.ok) return response
      const ofOther = await bodyOf(await next(by(call, await bearer('other'))))
      const ofPartner = await bodyOf(await next(by(call, await bearer('partner'))))
      const body = await bodyOf(response)
      const users = [...listOf(ofOther?.users), ...listOf(ofPartner?.users)]
      return withJson(response, { ...body, users })
    }),
  },
  {
    says: 'The look-up of a user shows the newest one, whatever the id is.',
    places: ['getUser'],
    service: onCall(async (call, sandbox) => {
      const sql = 'SELECT id FROM users WHERE partner_id = ? ORDER BY position DESC'
      const caller = await callerOf(call, sandbox)
      const newest = await rowOf(sandbox, sql, caller?.partner_id)
      return newest ? withId(call, String(newest.id)) : call
    }),
  },
  {
    says: 'The look-up of a user moves updated_at of the customers.',
    places: ['getUser'],
    service: onSuccess((body, _, { app }) =>
      change('/customers/*/updated_at', () => new Date(app.clock.now()).toISOString())(body),
    ),
  },
  {
    says: 'The lookup of a user does not look whose user it is.',
    places: ['getUser'],
    service: handle(asOwner),
  },
  {
    says: 'A user_id that is no UUID fails in the database.',
    places: ['getUser'],
    service: handle(async (call, next, sandbox) => {
      const isUuid = UUID.test(call.path.user_id ?? '')
      if (isUuid) return next(call)
      const caller = await callerOf(call, sandbox)
      const isPartner = caller?.customer_id === null
      return isPartner ? problem(500, 'internal_error') : next(call)
    }),
  },
  {
    says: 'deleted_at of a customer is null instead of a string.',
    places: ['getUser'],
    service: onSuccess(set('/customers/0/deleted_at', null)),
  },
  {
    says: 'The look-up of a user shows the telephone number without its plus sign; the list shows it whole.',
    places: ['getUser', 'listUsers'],
    service: onField('/user/phone_number', (number) => String(number).slice(1)),
  },
]
