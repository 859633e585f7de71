import { by, type Call, withId } from '../services/call.ts'
import { bodyOf, change, problem, set, withJson } from '../services/responses.ts'
import { basic, CREDENTIALS } from '../services/sandbox.ts'
import { callerOf, ownerOf, rowOf } from '../services/state.ts'
import { asOwner, handle, onCall, onRequest, onResponse, onSuccess } from '../services/wrap.ts'
import { listOf, type Mutants, onField, trigger } from './tools.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Client key and secret of a Basic header; empty without one. */
function credentialsIn({ headers }: Call): readonly [string, string] {
  const [, encoded = ''] = /^basic +([\w+/]+=*)$/i.exec(headers.get('authorization') ?? '') ?? []
  const [key = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  return [key, rest.join(':')]
}

/** Mutants of sign-in, tokens and users. */
export const access: Mutants = {
  signIn: {
    'The client key is compared without regard to capitals.': onCall((call) => {
      const [key, secret] = credentialsIn(call)
      return key ? by(call, basic([key.toLowerCase(), secret])) : call
    }),
    'A prefix of the client secret signs in, even an empty one.': onCall((call) => {
      const [key, secret] = credentialsIn(call)
      const known = Object.values(CREDENTIALS).find(([it]) => it === key)
      return known?.[1].startsWith(secret) ? by(call, basic(known)) : call
    }),
    'The refusal of a sign-in repeats the client key and the secret.': onResponse(
      async (response, call) => {
        const [key, secret] = credentialsIn(call)
        if (response.status !== 401 || !key) return response
        return withJson(response, {
          ...(await bodyOf(response)),
          detail: `No partner has ${key}:${secret}.`,
        })
      },
    ),
  },
  'signIn listWebhooks getWebhook updateWebhook rotateWebhookSecret deleteWebhook getUser': {
    'Every valid sign-in returns the token of one partner.': handle(async (call, next) => {
      const response = await next(call)
      return response.ok ? next(by(call, basic(CREDENTIALS.other))) : response
    }),
  },
  'signIn listUsers createTransfer': {
    'A token works for a minute after its expiration.': trigger(
      `AFTER INSERT ON tokens`,
      `UPDATE tokens SET expires_at = expires_at + 60000 WHERE hash = NEW.hash`,
    ),
  },
  impersonate: {
    'Impersonation takes any user_id for a customer of the partner.': onRequest(
      async (body, _, sandbox) => {
        const sql = 'SELECT user_id FROM customers WHERE id = ?'
        const row = await rowOf(sandbox, sql, body.customer_id)
        return row && typeof body.user_id === 'string' && body.user_id ? { ...body, ...row } : body
      },
    ),
    'A partner acts for a customer of another one.': handle(asOwner),
  },
  'impersonate createTransfer listUsers getUser createWebhook listWebhooks getWebhook': {
    'Impersonation returns a token that acts for the partner.': onSuccess(
      async (body, call, sandbox) => ({
        ...body,
        access_token: (await ownerOf(call, sandbox)).replace('Bearer ', ''),
      }),
    ),
  },
  'impersonate createTransfer createStaticQrCode createImmediateQrCode createDueDateQrCode listImmediateQrCodes listDueDateQrCodes':
    {
      'An impersonated token stands for the account of the partner instead of that of the customer.':
        trigger(
          `AFTER INSERT ON tokens WHEN NEW.customer_id IS NOT NULL`,
          `UPDATE tokens SET account_id = (SELECT account_id FROM partners WHERE id = NEW.partner_id)
          WHERE hash = NEW.hash`,
        ),
    },
  listUsers: {
    'An impersonated token may list the users of the partner.': handle(
      async (call, next, sandbox) => {
        const response = await next(call)
        return response.status === 403 ? next(by(call, await ownerOf(call, sandbox))) : response
      },
    ),
  },
  'listUsers getUser impersonate': {
    'The list of users shows those of all partners.': handle(async (call, next, { bearer }) => {
      const response = await next(call)
      if (!response.ok) return response
      const both = [await bearer('other'), await bearer('partner')].map((it) => next(by(call, it)))
      const bodies = await Promise.all((await Promise.all(both)).map(bodyOf))
      return withJson(response, {
        ...(await bodyOf(response)),
        users: bodies.flatMap((it) => listOf(it?.users)),
      })
    }),
  },
  getUser: {
    'The look-up of a user shows the newest one, whatever the id is.': onCall(
      async (call, sandbox) => {
        const sql = 'SELECT id FROM users WHERE partner_id = ? ORDER BY position DESC'
        const caller = await callerOf(call, sandbox)
        const newest = await rowOf(sandbox, sql, caller?.partner_id)
        return newest ? withId(call, String(newest.id)) : call
      },
    ),
    'The look-up of a user moves updated_at of the customers.': onSuccess((body, _, { app }) =>
      change('/customers/*/updated_at', () => new Date(app.clock.now()).toISOString())(body),
    ),
    'The lookup of a user does not look whose user it is.': handle(asOwner),
    'A user_id that is no UUID fails in the database.': handle(async (call, next, sandbox) => {
      const isOdd = !UUID.test(call.path.user_id ?? '')
      return isOdd && (await callerOf(call, sandbox))?.customer_id === null
        ? problem(500, 'internal_error')
        : next(call)
    }),
    'deleted_at of a customer is null instead of a string.': onSuccess(
      set('/customers/0/deleted_at', null),
    ),
  },
  'getUser listUsers': {
    'The look-up of a user shows the telephone number without its plus sign; the list shows it whole.':
      onField('/user/phone_number', (it) => String(it).slice(1)),
  },
}
