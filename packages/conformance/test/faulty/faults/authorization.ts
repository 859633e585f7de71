import { by, type Call, type OperationId } from '../call.ts'
import type { Faults } from '../fault.ts'
import { basic, CREDENTIALS } from '../fixtures.ts'
import type { Json } from '../json.ts'
import { problem } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { after, asOwner, changeResponse, changeSuccess, itemsOfAll, type Next, type Wrap } from '../wrap.ts'

const untouched = ['foreign-record-untouched'] as const
const hidden = ['foreign-record-hidden'] as const

/** Requests that are performed for a caller without permission. */
export const authorization: Faults = {
  'user-for-nobody': {
    operation: 'getUser',
    rule: ['credentials-required'],
    describe: 'A user is shown to a request without credentials.',
    service: instead('getUser', (given) => given === null),
  },
  'static-code-for-nobody': {
    operation: 'createStaticQrCode',
    rule: ['credentials-required'],
    describe: 'A static code is created for a request without credentials.',
    service: instead('createStaticQrCode', (given) => given === null),
  },
  'deletion-for-nobody': {
    operation: 'deleteWebhook',
    rule: ['credentials-required'],
    describe: 'A webhook is deleted for a request without credentials.',
    service: instead('deleteWebhook', (given) => given === null),
  },
  'any-token': {
    operation: 'listWebhooks',
    rule: ['credentials-required'],
    describe: 'Every bearer token is taken for that of the partner.',
    service: onRefused('listWebhooks', (given) => /^bearer ./i.test(given ?? '')),
  },
  'basic-instead-of-a-token': {
    operation: 'checkKey',
    rule: ['credentials-required'],
    describe: 'The client key and secret are taken where a token belongs.',
    service: instead('checkKey', (given) => given === basic(CREDENTIALS.partner)),
  },
  'any-secret': {
    operation: 'signIn',
    rule: ['credentials-required'],
    describe: 'Every client secret is right.',
    service: () => (call, next) =>
      next(call.operation === 'signIn' && isBasic(call) ? by(call, basic(CREDENTIALS.partner)) : call),
  },
  'tokens-never-expire': {
    rule: ['expired-token-refused'],
    describe: 'An access token is taken after it has expired.',
    service: changeResponse('signIn', foreverAfter),
  },
  'refresh-token-taken': {
    rule: ['credentials-required'],
    describe: 'A refresh token is taken as an access token.',
    service: takingRefreshTokens,
  },
  'webhooks-for-a-customer': {
    operation: 'listWebhooks',
    rule: ['impersonated-token-refused'],
    describe: 'The webhooks are listed for a token that acts for a customer.',
    service: forPartner('listWebhooks'),
  },
  'deletion-for-a-customer': {
    operation: 'deleteWebhook',
    rule: ['impersonated-token-refused'],
    describe: 'A webhook is deleted for a token that acts for a customer.',
    service: forPartner('deleteWebhook'),
  },
  'users-for-a-customer': {
    operation: 'getUser',
    rule: ['impersonated-token-refused'],
    describe: 'A user is shown to a token that acts for a customer.',
    service: forPartner('getUser'),
  },
  'foreign-webhook-shown': {
    operation: 'getWebhook',
    rule: hidden,
    describe: 'A webhook is shown to another partner.',
    service: asOwner('getWebhook'),
  },
  'foreign-webhook-deleted': {
    operation: 'deleteWebhook',
    elsewhere: ['getWebhook'],
    rule: untouched,
    describe: 'A webhook is deleted for another partner.',
    service: asOwner('deleteWebhook'),
  },
  'foreign-webhook-changed': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook'],
    rule: untouched,
    describe: 'A webhook is changed for another partner.',
    service: asOwner('updateWebhook'),
  },
  'foreign-secret-rotated': {
    operation: 'rotateWebhookSecret',
    elsewhere: ['getWebhook'],
    rule: untouched,
    describe: 'The secret of a webhook is changed for another partner, and shown.',
    service: asOwner('rotateWebhookSecret'),
  },
  'foreign-code-cancelled': {
    operation: 'cancelImmediateQrCode',
    elsewhere: ['listImmediateQrCodes'],
    rule: untouched,
    describe: 'A code is cancelled for another partner.',
    service: asOwner('cancelImmediateQrCode'),
  },
  'foreign-user-shown': {
    operation: 'getUser',
    rule: ['foreign-record-hidden', 'foreign-link-refused'],
    describe: 'A user is shown to another partner.',
    service: asOwner('getUser'),
  },
  'foreign-customer-acted-for': {
    operation: 'impersonate',
    rule: ['foreign-record-hidden', 'foreign-link-refused'],
    describe: 'A partner may act for the customer of another.',
    service: asOwner('impersonate'),
  },
  'foreign-webhook-forbidden': {
    operation: 'getWebhook',
    rule: hidden,
    describe: 'A webhook of another partner gets 403, which reveals that it exists.',
    service: tellingOf(),
  },
  'foreign-webhooks-listed': {
    operation: 'listWebhooks',
    elsewhere: ['createWebhook'],
    rule: ['foreign-list-hidden'],
    describe: 'The list of webhooks has those of other partners.',
    service: withOthers('listWebhooks', '/partner/webhook/'),
  },
  'foreign-codes-listed': {
    operation: 'listImmediateQrCodes',
    elsewhere: ['createImmediateQrCode'],
    rule: ['foreign-list-hidden'],
    describe: 'The list of immediate codes has those of other partners.',
    service: withOthers('listImmediateQrCodes', '/pix/qrcode/dynamic/immediate'),
  },
  'foreign-user-listed': {
    operation: 'listUsers',
    rule: ['foreign-list-hidden'],
    describe: 'The list of users has those of other partners.',
    success: async (body, _, sandbox) => {
      const other = await sandbox.send('GET', '/partner/user', {
        authorization: await sandbox.bearer('other'),
      })
      const own = await sandbox.send('GET', '/partner/user', {
        authorization: await sandbox.bearer('partner'),
      })
      return { ...body, users: [...(own.users as Json[]), ...(other.users as Json[])] }
    },
  },
}

function isBasic(call: Call): boolean {
  return /^basic ./i.test(call.headers.get('authorization') ?? '')
}

/** Performs matching requests of an operation as the partner. */
function instead(id: OperationId, test: (given: string | null) => boolean): Wrap {
  return (sandbox) => async (call, next) => {
    const isTaken = call.operation === id && test(call.headers.get('authorization'))
    return next(isTaken ? by(call, await sandbox.bearer('partner')) : call)
  }
}

/** The same, but only for requests that were refused for their credentials. */
function onRefused(id: OperationId, test: (given: string | null) => boolean): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    const isTaken = call.operation === id && test(call.headers.get('authorization'))
    return isTaken && response.status === 401 ? next(by(call, await sandbox.bearer('partner'))) : response
  }
}

/** Performs as the partner what an impersonated token may not do. */
function forPartner(id: OperationId): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    if (call.operation !== id || response.status !== 403) return response
    return next(by(call, await sandbox.bearer('partner')))
  }
}

async function foreverAfter(response: Response, _: Call, sandbox: TestSandbox): Promise<Response> {
  // Later than any test ends, and old tokens are never deleted.
  await sandbox.run('UPDATE tokens SET expires_at = ?', [8_000_000_000_000_000n])
  return response
}

function takingRefreshTokens(): (call: Call, next: Next) => Promise<Response> {
  const access = new Map<string, string>()
  const remember = after('signIn', async ({ access_token, refresh_token }) => {
    access.set(`Bearer ${refresh_token}`, `Bearer ${access_token}`)
  })
  return (call, next) => {
    const known = access.get(call.headers.get('authorization') ?? '')
    // What it remembers is in no sandbox.
    return remember({} as TestSandbox)(known ? by(call, known) : call, next)
  }
}

/** Returns 403 if the resource belongs to another caller. */
function tellingOf(): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    if (call.operation !== 'getWebhook' || response.status !== 404) return response
    const isThere = (await asOwner('getWebhook')(sandbox)(call, next)).ok
    return isThere ? problem(403, 'wrong_token_kind') : response
  }
}

/** Adds what everybody else has to a list. */
function withOthers(id: OperationId, path: string): Wrap {
  return changeSuccess(id, async (body, _, sandbox) => {
    const own = body.data as Json[]
    const others = (await itemsOfAll(sandbox, path)).filter((it) => !own.some(({ id }) => id === it.id))
    return { ...body, data: [...own, ...others] }
  })
}
