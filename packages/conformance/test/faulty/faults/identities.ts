import { by, withBody, withHeaders } from '../call.ts'
import type { Faults } from '../fault.ts'
import { basic, CREDENTIALS, USERS } from '../fixtures.ts'
import { change, type Json } from '../json.ts'
import { bodyOf, problem, withJson } from '../responses.ts'
import { isCustomer, isPartner, retry, type Wrap } from '../wrap.ts'

/** Callers who are confused with others in one place, or by one method. */
export const identities: Faults = {
  'foreign-customers-shown': {
    operation: 'getUser',
    rule: ['foreign-list-hidden', 'foreign-record-hidden', 'foreign-link-refused'],
    describe: 'A user is shown with the customers of other partners as well.',
    success: async (body, _, sandbox) => {
      const authorization = await sandbox.bearer('other')
      const { customers } = await sandbox.send('GET', `/partner/user/${USERS.other.user_id}`, {
        authorization,
      })
      return change('/customers', (it) => unlike(it as Json[], customers as Json[]))(body)
    },
  },
  'token-in-the-query': {
    operation: 'listWebhooks',
    rule: ['credentials-required'],
    describe: 'The webhooks are listed for a token in the query.',
    service: () => (call, next) => {
      const token = call.url.searchParams.get('access_token')
      const isMeant =
        call.operation === 'listWebhooks' && token !== null && !call.headers.has('authorization')
      return next(isMeant ? by(call, `Bearer ${token}`) : call)
    },
  },
  'foreign-code-forbidden': {
    operation: 'cancelImmediateQrCode',
    rule: ['foreign-record-hidden'],
    describe: 'The code of another partner gets 403, which reveals that it exists.',
    response: async (it, { path }, { app }) => {
      const sql = 'SELECT id FROM qrcodes WHERE id = ?'
      const row = await app.store.read((queries) => queries.get(sql, [path.id ?? '']))
      return it.status === 404 && row ? problem(403, 'wrong_token_kind') : it
    },
  },
  'expired-token-deletes': {
    operation: 'deleteWebhook',
    rule: ['expired-token-refused'],
    describe: 'A webhook is deleted for a token that has expired.',
    service: expiredFor('deleteWebhook'),
  },
  'refresh-token-rotates': {
    operation: 'rotateWebhookSecret',
    rule: ['credentials-required'],
    describe: 'A secret is changed for a refresh token.',
    service: refreshFor('rotateWebhookSecret'),
  },
  'secret-trimmed': {
    operation: 'signIn',
    rule: ['credentials-required'],
    describe: 'A client secret may have spaces behind.',
    service: fixed(([key, secret]) => [key, secret.trim()]),
  },
  'key-in-capitals': {
    operation: 'signIn',
    rule: ['credentials-required'],
    describe: 'A client key is compared without its case.',
    service: fixed(([key, secret]) => [key.toLowerCase(), secret]),
  },
  'charge-of-a-customer-to-the-partner': {
    operation: 'createImmediateQrCode',
    rule: ['refusals', 'foreign-list-hidden', 'foreign-record-untouched'],
    describe: 'A token that acts for a customer makes charges with the key of the partner.',
    service: (sandbox) => async (call, next) => {
      const response = await next(call)
      if (call.operation !== 'createImmediateQrCode' || response.status !== 422) return response
      return (await isPartner(call, sandbox)) || !(await isCustomer(call, sandbox))
        ? response
        : next(by(call, await sandbox.bearer('partner')))
    },
  },
  'foreign-codes-by-tax-id': {
    operation: 'listDueDateQrCodes',
    rule: ['foreign-list-hidden'],
    describe: 'Filtered by tax_id, the list of due-date codes has those of other partners.',
    response: async (it, { url }, sandbox) => {
      const body = it.ok && url.searchParams.has('tax_id') ? await bodyOf(it) : undefined
      if (!body) return it
      const all = await Promise.all(
        (['partner', 'other'] as const).map((who) => listed(sandbox, who, url.search)),
      )
      return withJson(it, { ...body, data: all.flat() })
    },
  },
  'initiation-of-a-customer-twice': {
    operation: 'createTransfer',
    rule: ['one-time-values'],
    describe: 'What a customer looked up pays a second time.',
    service: retry('createTransfer', ['initiation_used'], async (call, sandbox) => {
      if (await isPartner(call, sandbox)) return undefined
      const authorization = call.headers.get('authorization')
      const body = { dict_key: call.json?.dict_key }
      const { initiation_id } = await sandbox.send('POST', '/pix/dict/check/', { authorization, body })
      return withBody(call, { ...call.json, initiation_id })
    }),
  },
}

function unlike(own: readonly Json[], others: readonly Json[]): Json[] {
  return [...own, ...others.filter(({ id }) => !own.some((it) => it.id === id))]
}

async function listed({ bearer, send }: Parameters<Wrap>[0], who: 'partner' | 'other', search: string) {
  const authorization = await bearer(who)
  return (
    ((await send('GET', `/pix/qrcode/dynamic/due-date${search}`, { authorization })).data as Json[]) ?? []
  )
}

/** Keeps accepting an expired token for one operation. */
function expiredFor(id: string): Wrap {
  return (sandbox) => {
    const good = new Set<string | null>()
    return async (call, next) => {
      const authorization = call.headers.get('authorization')
      const response = await next(call)
      if (response.ok && call.operation !== 'signIn') good.add(authorization)
      const isMeant = call.operation === id && response.status === 401 && good.has(authorization)
      return isMeant ? next(by(call, await sandbox.bearer('partner'))) : response
    }
  }
}

function refreshFor(id: string): Wrap {
  return (sandbox) => {
    const refresh = new Set<unknown>()
    return async (call, next) => {
      const isMeant = call.operation === id && refresh.has(call.headers.get('authorization'))
      const response = await next(isMeant ? by(call, await sandbox.bearer('partner')) : call)
      const { refresh_token } = (call.operation === 'signIn' && (await bodyOf(response))) || {}
      if (refresh_token) refresh.add(`Bearer ${refresh_token}`)
      return response
    }
  }
}

type Pair = readonly [key: string, secret: string]

/** Signs in with an edited client key and secret, if those are valid. */
function fixed(edit: (pair: Pair) => Pair): Wrap {
  return () => (call, next) => {
    const [scheme, encoded = ''] = call.headers.get('authorization')?.split(' ') ?? []
    const [key = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
    const pair = edit([key, secret.join(':')])
    const isRight = Object.values(CREDENTIALS).some((it) => it.join(':') === pair.join(':'))
    const isMeant = call.operation === 'signIn' && /^basic$/i.test(scheme ?? '') && isRight
    return next(isMeant ? withHeaders(call, { authorization: basic(pair) }) : call)
  }
}
