import { type Call, withHeaders } from '../call.ts'
import type { Faults } from '../fault.ts'
import { PREFIX } from '../fixtures.ts'
import { problem, remade } from '../responses.ts'
import { changeResponse, type Wrap } from '../wrap.ts'

const head = ['head-equals-get'] as const
const methods = ['method-not-allowed'] as const
const slash = ['trailing-slash'] as const
const WEBHOOK = new RegExp(`^${PREFIX}/partner/webhook/[^/]+`)

/** HTTP that is wrong for one method, path or header. */
export const httpDetails: Faults = {
  'head-for-nobody': {
    operation: 'listUsers',
    rule: ['credentials-required', ...head],
    describe: 'HEAD of the users succeeds without credentials.',
    service: changeResponse(undefined, (it, { method, url, headers }) =>
      method === 'HEAD' && url.pathname.endsWith('/partner/user') && !headers.has('authorization')
        ? new Response(null, { headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' } })
        : it,
    ),
  },
  'head-of-what-is-not-there': {
    operation: 'getWebhook',
    rule: head,
    describe: 'HEAD of a missing webhook succeeds.',
    service: changeResponse(undefined, (it, { method, url }) =>
      method === 'HEAD' && WEBHOOK.test(url.pathname) && it.status === 404
        ? remade(it, { status: 200, headers: { 'content-type': 'application/json' } })
        : it,
    ),
  },
  'head-length-of-nothing': {
    operation: 'getUser',
    rule: head,
    describe: 'HEAD of a user has the content-length of no body.',
    service: changeResponse(undefined, (it, { method, url }) =>
      method === 'HEAD' && /\/partner\/user\/./.test(url.pathname)
        ? remade(it, { headers: { 'content-length': '0' } })
        : it,
    ),
  },
  'put-changes-a-webhook': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook', 'deleteWebhook'],
    rule: methods,
    describe: 'PUT of a webhook is taken as PATCH.',
    service: taking('PUT', /\/partner\/webhook\/[^/]+$/, 'PATCH'),
  },
  'post-rotates-a-secret': {
    operation: 'rotateWebhookSecret',
    rule: methods,
    describe: 'POST changes a secret as PATCH does.',
    service: taking('POST', /\/secret$/, 'PATCH'),
  },
  'options-crash': {
    operation: 'createTransfer',
    rule: ['no-server-error', ...methods],
    describe: 'OPTIONS of the transfers gets 500.',
    service: changeResponse(undefined, (it, { method, url }) =>
      method === 'OPTIONS' && url.pathname.endsWith('/pix/out/') ? problem(500, 'internal_error') : it,
    ),
  },
  'secret-405-without-allow': {
    operation: 'rotateWebhookSecret',
    rule: ['allow-on-405'],
    describe: 'The 405 of the path that changes a secret has no Allow.',
    service: changeResponse(undefined, (it, { url }) =>
      it.status === 405 && url.pathname.endsWith('/secret') ? remade(it, { headers: { allow: null } }) : it,
    ),
  },
  'webhook-with-slash-shown': {
    operation: 'getWebhook',
    rule: slash,
    describe: 'A webhook is shown at its path with a slash behind.',
    service: moved(/(\/partner\/webhook\/[^/]+)\/$/, '$1', 'GET'),
  },
  'static-code-without-slash': {
    operation: 'createStaticQrCode',
    rule: slash,
    describe: 'A static code is created at the path without its slash.',
    service: moved(/(\/qrcode\/static)$/, '$1/', 'POST'),
  },
  'plain-body-called-gzip': {
    operation: 'listUsers',
    rule: ['valid-json', 'response-received'],
    describe: 'The list of users says that it is coded in gzip, and is not.',
    response: (it) => remade(it, { headers: { 'content-encoding': 'gzip' } }),
  },
  'unknown-code-is-plain-text': {
    operation: 'cancelDueDateQrCode',
    rule: ['problem-details'],
    describe: 'A due-date code that is not there is refused in plain text.',
    response: (it) =>
      it.status === 404 ? remade(it, { headers: { 'content-type': 'text/plain' }, body: 'not found' }) : it,
  },
  'forbidden-without-request-id': {
    operation: 'getUser',
    rule: ['request-id'],
    describe: 'A user that is refused to a customer is refused without x-request-id.',
    response: (it) => (it.status === 403 ? remade(it, { headers: { 'x-request-id': null } }) : it),
  },
}

/** Handles a method of a path as another one. */
function taking(method: string, path: RegExp, meant: string): Wrap {
  return () => (call, next) =>
    next(call.method === method && path.test(call.url.pathname) ? { ...call, method: meant } : call)
}

/** Also serves an operation at another path. */
function moved(from: RegExp, to: string, method: string): Wrap {
  return () => (call, next) => {
    if (call.method !== method || !from.test(call.url.pathname)) return next(call)
    const url = new URL(call.url)
    url.pathname = url.pathname.replace(from, to)
    const there: Call = { ...withHeaders(call, {}), url }
    return next(there)
  }
}
