import { by, type OperationId } from '../call.ts'
import type { Faults } from '../fault.ts'
import { basic, CREDENTIALS } from '../fixtures.ts'
import type { TestSandbox } from '../sandbox.ts'
import { after, both, type Next, type Wrap } from '../wrap.ts'

const garbage = ['credentials-required'] as const
const [KEY, SECRET] = CREDENTIALS.partner

/** Invalid tokens and secrets that are accepted. */
export const credentials: Faults = {
  'secret-of-a-known-key-unchecked': {
    operation: 'signIn',
    rule: garbage,
    describe: 'A client key that is known needs no right secret.',
    service: signingIn((key) => key === KEY),
  },
  'secret-compared-by-its-beginning': {
    operation: 'signIn',
    rule: garbage,
    describe: 'The beginning of a client secret is as good as all of it.',
    service: signingIn((key, secret) => key === KEY && secret !== '' && SECRET.startsWith(secret)),
  },
  'secret-in-any-case': {
    operation: 'signIn',
    rule: garbage,
    describe: 'A client secret is compared without its case.',
    service: signingIn((key, secret) => key === KEY && secret.toLowerCase() === SECRET),
  },
  'secret-empty': {
    operation: 'signIn',
    rule: garbage,
    describe: 'An empty client secret is right for every key.',
    service: signingIn((key, secret) => key === KEY && secret === ''),
  },
  'token-compared-by-its-beginning': {
    operation: 'createTransfer',
    rule: garbage,
    describe: 'A token is known by its first half.',
    service: takenFor('createTransfer', (given, token) => given.startsWith(token.slice(0, 20))),
  },
  'token-without-a-scheme': {
    operation: 'listUsers',
    rule: ['credentials-required'],
    describe: 'A token is taken without a scheme before it.',
    service: takenFor('listUsers', (given, token) => `Bearer ${given}` === token),
  },
  'token-under-basic': {
    operation: 'updateWebhook',
    rule: ['credentials-required'],
    describe: 'A token is taken under the scheme Basic.',
    service: takenFor('updateWebhook', (given, token) => given.replace(/^Basic /, 'Bearer ') === token),
  },
  'expired-token-pays': {
    operation: 'createTransfer',
    rule: ['expired-token-refused'],
    describe: 'A token that has expired pays.',
    service: takenFor('createTransfer', (given, token) => given === token),
  },
  'expired-token-of-a-customer': {
    rule: ['expired-token-refused'],
    describe: 'The tokens that act for a customer never expire.',
    service: after('impersonate', (_body, _call, sandbox) =>
      sandbox.run('UPDATE tokens SET expires_at = ? WHERE customer_id IS NOT NULL', [8_000_000_000_000_000n]),
    ),
  },
  'refresh-token-of-a-customer-taken': {
    rule: ['credentials-required'],
    describe: 'The refresh token that comes of an impersonation is taken as an access token.',
    service: takingRefreshTokens,
  },
  'impersonation-for-nobody': {
    operation: 'impersonate',
    rule: ['credentials-required'],
    describe: 'A request without credentials may act for a customer.',
    service: asPartner('impersonate', (given) => given === null, 401),
  },
  'cancellation-for-nobody': {
    operation: 'cancelDueDateQrCode',
    rule: ['credentials-required'],
    describe: 'A code is cancelled for a request without credentials.',
    service: asPartner('cancelDueDateQrCode', (given) => given === null, 401),
  },
  'any-token-rotates': {
    operation: 'rotateWebhookSecret',
    rule: garbage,
    describe: 'Every bearer token changes secrets.',
    service: asPartner('rotateWebhookSecret', (given) => /^bearer ./i.test(given ?? ''), 401),
  },
  'secret-pays': {
    operation: 'createTransfer',
    rule: ['credentials-required'],
    describe: 'The client key and secret pay, where a token belongs.',
    service: asPartner('createTransfer', (given) => given === basic([KEY, SECRET]), 401),
  },
  'impersonation-for-a-customer': {
    operation: 'impersonate',
    rule: ['impersonated-token-refused'],
    describe: 'A token that acts for a customer may act for another one.',
    service: asPartner('impersonate', () => true, 403),
  },
  'rotation-for-a-customer': {
    operation: 'rotateWebhookSecret',
    rule: ['impersonated-token-refused'],
    describe: 'A secret is changed for a token that acts for a customer.',
    service: asPartner('rotateWebhookSecret', () => true, 403),
  },
}

/** Signs callers in as the partner without valid credentials. */
function signingIn(test: (key: string, secret: string) => boolean): Wrap {
  return () => (call, next) => {
    const [, encoded = ''] = /^Basic (.*)$/.exec(call.headers.get('authorization') ?? '') ?? []
    const [key = '', ...rest] = decoded(encoded).split(':')
    const isTaken = call.operation === 'signIn' && test(key, rest.join(':'))
    return next(isTaken ? by(call, basic(CREDENTIALS.partner)) : call)
  }
}

function decoded(encoded: string): string {
  try {
    return atob(encoded)
  } catch {
    return ''
  }
}

/** Accepts some headers as an issued token, but only after a refusal for the token. */
function takenFor(id: OperationId, test: (given: string, token: string) => boolean): Wrap {
  return (sandbox) => {
    const given = new Set<string>()
    const remember = after('signIn', async ({ access_token }) => {
      given.add(`Bearer ${access_token}`)
    })(sandbox)
    return async (call, next) => {
      const response = await remember(call, next)
      const header = call.headers.get('authorization') ?? ''
      const isMeant = call.operation === id && response.status === 401 && header !== ''
      const isTaken = isMeant && [...given].some((token) => test(header, token))
      return isTaken ? next(by(call, await sandbox.bearer('partner'))) : response
    }
  }
}

/** Performs as the partner what was refused with a status. */
function asPartner(id: OperationId, test: (given: string | null) => boolean, status: number): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    const isTaken = call.operation === id && test(call.headers.get('authorization'))
    if (!isTaken || response.status !== status) return response
    return next(by(call, await sandbox.bearer('partner')))
  }
}

function takingRefreshTokens(
  sandbox: TestSandbox,
): (call: Parameters<Next>[0], next: Next) => Promise<Response> {
  const access = new Map<string, string>()
  const remember = after('impersonate', async ({ access_token, refresh_token }) => {
    access.set(`Bearer ${refresh_token}`, `Bearer ${access_token}`)
  })
  const taking: Wrap = () => (call, next) => {
    const known = access.get(call.headers.get('authorization') ?? '')
    return next(known ? by(call, known) : call)
  }
  return both(taking, remember)(sandbox)
}
