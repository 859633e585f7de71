import { type Call, withBody, withHeaders, withQuery } from '../call.ts'
import type { Faults } from '../fault.ts'
import { firstWins } from '../first-wins.ts'
import { KEYS, STATIC_CODE, USERS } from '../fixtures.ts'
import { at, change, drop, isJson, type Json, set } from '../json.ts'
import { bodyOf, problem, withJson } from '../responses.ts'
import { before, changeResponse, type Wrap } from '../wrap.ts'
import { lookedUp } from './look-up.ts'

const refused = ['break-refused'] as const

/** Invalid requests that are accepted, or refused incorrectly. */
export const requestValidation: Faults = {
  'code-not-required': {
    operation: 'checkCode',
    rule: refused,
    describe: 'A check without emv succeeds.',
    request: (body) => ({ emv: STATIC_CODE, ...body }),
  },
  'webhook-type-unchecked': {
    operation: 'createWebhook',
    rule: refused,
    describe: 'A webhook of a type that there is not is created.',
    request: unless('/type', ['all', 'transfer', 'qrcode']),
  },
  'amount-pattern-unchecked': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'An amount that is no amount is paid as 1.00.',
    request: change('/amount', amountOf),
  },
  'amount-as-a-number': {
    operation: 'createStaticQrCode',
    rule: refused,
    describe: 'An amount that is a number is taken.',
    request: change('/amount', (it) => (typeof it === 'number' ? '1.00' : it)),
  },
  'message-too-long': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'A message of more than 140 characters is cut off instead of refused.',
    request: cut('/message', 140),
  },
  'description-too-long': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'A description of more than 140 characters is cut off instead of refused.',
    request: cut('/description', 140),
  },
  'expiration-of-nothing': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'A charge that lives for less than a second is created.',
    request: whereThere('/calendar/expiration', (it) => (Number(it) < 1 ? 1 : it)),
  },
  'initiation-not-required': {
    operation: 'createTransfer',
    rule: ['break-refused', 'refusals'],
    describe: 'A transfer to a key needs no initiation_id.',
    call: (call, sandbox) => {
      const isLacking = call.json?.type === 'dict' && !('initiation_id' in call.json)
      return isLacking ? lookedUp(call, sandbox) : call
    },
  },
  'due-date-format-unchecked': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A due date that is no date is taken.',
    request: whereThere('/calendar/due_date', (it) => (isDate(it) ? it : '2099-01-15')),
  },
  'more-than-50-infos': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'Of more than 50 additional_infos, the first 50 are taken.',
    request: whereThere('/additional_infos', (it) => (Array.isArray(it) ? it.slice(0, 50) : it)),
  },
  'limit-unchecked': {
    operation: 'listImmediateQrCodes',
    rule: ['break-refused'],
    describe: 'A limit that is no number is left out of account.',
    call: dropQuery('limit', /^([1-9]\d?|100)$/),
  },
  'status-filter-unchecked': {
    operation: 'listDueDateQrCodes',
    rule: ['break-refused', 'list-pages'],
    describe: 'A status that there is not filters nothing.',
    call: dropQuery('status', /^(ATIVA|CONCLUIDA|REMOVIDA_\w+)$/),
  },
  'any-media-type': {
    operation: 'createWebhook',
    rule: ['body-format'],
    describe: 'JSON that is called something else is taken.',
    call: (call) => withHeaders(call, { 'content-type': 'application/json' }),
  },
  'malformed-json-crashes': {
    rule: ['body-format', 'no-server-error'],
    describe: 'A body that is not JSON gets 500.',
    service: onProblem('malformed_body', () => problem(500, 'internal_error')),
  },
  'malformed-id-crashes': {
    operation: 'getUser',
    rule: ['no-server-error'],
    describe: 'A user_id that is not a UUID gets 500.',
    response: (response, { path }) =>
      response.status === 404 && !isUuid(path.user_id) ? problem(500, 'internal_error') : response,
  },
  'null-body-crashes': {
    rule: ['no-server-error', 'break-refused'],
    describe: 'A body that is null gets 500.',
    service: changeResponse(undefined, (response, { bytes }) =>
      response.status === 400 && new TextDecoder().decode(bytes).trim() === 'null'
        ? problem(500, 'internal_error')
        : response,
    ),
  },
  'empty-body-crashes': {
    operation: 'checkKey',
    rule: ['body-format', 'no-server-error'],
    describe: 'A request without a body gets 500.',
    response: (response, { bytes }) =>
      response.status === 400 && bytes.byteLength === 0 ? problem(500, 'internal_error') : response,
  },
  'empty-body-taken': {
    operation: 'impersonate',
    rule: ['body-format'],
    describe: 'Without a body, the partner acts for its first customer.',
    call: (call) => (call.bytes.byteLength === 0 ? withBody(call, USERS.partner) : call),
  },
  'first-of-equal-fields': {
    rule: ['body-format'],
    describe: 'Of duplicate fields, the first one counts.',
    service: before(undefined, (call) => (call.json ? withBody(call, firstWins(call)) : call)),
  },
  'tax-id-unchecked': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'The tax_id of a payer may be any text.',
    request: whereThere('/payer/tax_id', (it) => (isTaxId(it) ? it : '12345678909')),
  },
  'interest-modality-unchecked': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A modality of interest that there is not is taken.',
    request: whereThere('/amount/interest/modality', (it) => (/^[1-8]$/.test(String(it)) ? it : '1')),
  },
  'webhook-status-unchecked': {
    operation: 'updateWebhook',
    rule: refused,
    describe: 'A status that there is not makes a webhook inactive.',
    request: unless('/status', ['inactive', 'active']),
  },
  'partial-update-taken': {
    operation: 'updateWebhook',
    rule: refused,
    describe: 'An update of a webhook need not have all three fields.',
    request: async (body, call, sandbox) => ({
      ...(await kept(call, sandbox)),
      ...body,
    }),
  },
  'tx-id-too-short': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'A tx_id of 25 characters is taken, and filled up.',
    request: change('/tx_id', (it) => (isText(it) ? it.padEnd(26, '0') : it)),
  },
  'customer-id-empty': {
    operation: 'impersonate',
    rule: refused,
    describe: 'An empty customer_id stands for the first customer.',
    request: change('/customer_id', (it) => (it === '' ? USERS.partner.customer_id : it)),
  },
  'url-unchecked': {
    operation: 'createWebhook',
    rule: refused,
    describe: 'A webhook may have a URL that is none.',
    request: change('/url', (it) => (isText(it) && !URL.canParse(it) ? HOOK : it)),
  },
  'beneficiary-unchecked': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'What a transfer says of its beneficiary is not looked at.',
    request: drop('/beneficiary'),
  },
  'null-for-a-message': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'A message that is null is taken as none.',
    request: (body) => (body.message === null ? drop('/message')(body) : body),
  },
  'no-pointers': {
    rule: ['break-refused'],
    describe: 'A refusal does not say where the request breaks the contract.',
    service: onProblem('invalid_request', (it, body) => withJson(it, drop('/errors')(body))),
  },
  'wrong-pointers': {
    rule: ['break-refused'],
    describe: 'A refusal points to the wrong field.',
    service: onProblem('invalid_request', (it, body) => withJson(it, set('/errors/*/pointer', '/id')(body))),
  },
  'key-digits-unchecked': {
    operation: 'checkKey',
    rule: ['refusals'],
    describe: 'A CPF whose check digits are wrong is looked up all the same.',
    response: async (response, call, sandbox) => {
      if (response.ok || !/^\d{11}$/.test(String(call.json?.dict_key))) return response
      const authorization = call.headers.get('authorization')
      const body = { dict_key: KEYS.beltrana }
      const found = await sandbox.send('POST', '/pix/dict/check/', { authorization, body })
      return Response.json(
        { ...found, dict_key: call.json?.dict_key, dict_key_type: 'CPF' },
        { headers: id(response) },
      )
    },
  },
}

const HOOK = 'https://loja.example/pix'

function id(response: Response) {
  return { 'x-request-id': response.headers.get('x-request-id') ?? '' }
}

/** Replaces other values by the first of the allowed ones. */
function unless(pointer: string, values: readonly unknown[]) {
  return whereThere(pointer, (value) => (values.includes(value) ? value : values[0]))
}

function cut(pointer: string, length: number) {
  return whereThere(pointer, (value) => (isText(value) ? [...value].slice(0, length).join('') : value))
}

function whereThere(pointer: string, edit: (value: unknown) => unknown) {
  return (body: Json) => (at(body, pointer) === undefined ? body : change(pointer, edit)(body))
}

function amountOf(value: unknown): unknown {
  return isText(value) && !/^\d{1,10}\.\d{2}$/.test(value) ? '1.00' : value
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isDate(value: unknown): boolean {
  return isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
}

function isTaxId(value: unknown): boolean {
  return isText(value) && /^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$/.test(value)
}

function isUuid(value: string | undefined): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value ?? '')
}

function dropQuery(name: string, right: RegExp) {
  return (call: Call) => {
    const value = call.url.searchParams.get(name)
    return value === null || right.test(value) ? call : withQuery(call, name, null)
  }
}

function onProblem(
  code: string,
  change: (response: Response, body: Json) => Response | Promise<Response>,
): Wrap {
  return changeResponse(undefined, async (response) => {
    const body = response.ok ? undefined : await bodyOf(response)
    return body?.code === code ? change(response, body) : response
  })
}

/** The fields of a webhook that an update can change. */
async function kept(call: Call, sandbox: Parameters<ReturnType<typeof before>>[0]): Promise<Json> {
  const authorization = call.headers.get('authorization')
  const webhook = await sandbox.send('GET', `/partner/webhook/${call.path.webhook_id}`, { authorization })
  const { status, type, url } = isJson(webhook) ? webhook : {}
  return { status, type, url }
}
