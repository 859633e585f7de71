import { type Call, withBody, withHeaders, withQuery } from '../call.ts'
import type { Faults } from '../fault.ts'
import { KEYS, USERS } from '../fixtures.ts'
import { at, change, drop, isJson, type Json, textAt } from '../json.ts'
import { bodyOf, problem } from '../responses.ts'

const refused = ['break-refused'] as const
const query = ['break-refused'] as const
const malformed = ['body-format'] as const
const media = ['body-format'] as const
const crash = ['no-server-error'] as const

/** Requests with one invalid value or encoding, which are accepted or cause an error. */
export const requestValues: Faults = {
  'key-as-a-number': {
    operation: 'checkKey',
    rule: refused,
    describe: 'A key that is a number is looked up as text.',
    request: change('/dict_key', numberAsText),
  },
  'key-of-78-characters': {
    operation: 'createStaticQrCode',
    rule: refused,
    describe: 'A key that is too long is taken for the own one.',
    request: textAt('/dict_key', (it) => (it.length > 77 ? KEYS.partner : it)),
  },
  'code-inside-a-list': {
    operation: 'checkCode',
    rule: refused,
    describe: 'A code inside a list is checked.',
    request: change('/emv', (it) => (Array.isArray(it) ? it[0] : it)),
  },
  'amount-with-one-decimal': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'An amount with one decimal is paid.',
    request: textAt('/amount', (it) => it.replace(/^(\d+\.\d)$/, '$10')),
  },
  'amount-rounded': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'An amount of three decimals is rounded, and paid.',
    request: textAt('/amount', (it) => (/^\d+\.\d{3,}$/.test(it) ? Number(it).toFixed(2) : it)),
  },
  'amount-without-decimals': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'An amount without decimals is taken.',
    request: textAt('/amount/original', (it) => it.replace(/^(\d+)$/, '$1.00')),
  },
  'amount-with-line-break': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'An amount with a line break behind is taken.',
    request: textAt('/amount/original', (it) => it.replace(/\n$/, '')),
  },
  'amount-with-spaces': {
    operation: 'createStaticQrCode',
    rule: refused,
    describe: 'An amount with a space before is taken.',
    request: textAt('/amount', (it) => it.trimStart()),
  },
  'negative-fine': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'The minus of a fine is left out of account.',
    request: textAt('/amount/fine/amount', (it) => it.replace('-', '')),
  },
  'negative-deduction': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'The minus of a deduction is left out of account.',
    request: textAt('/amount/deduction/amount', (it) => it.replace('-', '')),
  },
  'payment-date-unchecked': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'A payment date that is no date is left out of account.',
    request: (body) => (isDay(body.payment_date) ? body : drop('/payment_date')(body)),
  },
  'type-in-any-case': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'The type of a transfer may be in capitals.',
    request: textAt('/type', (it) => it.toLowerCase()),
  },
  'type-guessed': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'The type of a transfer is guessed where it is left out.',
    request: (body) => ({ type: 'emv' in body ? 'emv' : 'dict', ...body }),
  },
  'beneficiary-kind-unchecked': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'An account_type that there is not is left out of account.',
    request: unlessMatching('/beneficiary/account_type', /^(CACC|SVGS|SLRY|TRAN)$/),
  },
  'beneficiary-name-too-long': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'The name of a beneficiary that is too long is left out of account.',
    request: unlessMatching('/beneficiary/name', /^.{0,120}$/su),
  },
  'beneficiary-branch-unchecked': {
    operation: 'createTransfer',
    rule: refused,
    describe: 'A branch of five digits is left out of account.',
    request: unlessMatching('/beneficiary/branch', /^(?!\d{5,}$)/),
  },
  'expiration-as-text': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'An expiration that is a text of digits is taken.',
    request: textAt('/calendar/expiration', (it) => (/^\d+$/.test(it) ? Number(it) : it)),
  },
  'expiration-rounded': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'The decimals of an expiration are left out of account.',
    request: numberAt('/calendar/expiration', (it) => (it > 1 ? Math.floor(it) : it)),
  },
  'expiration-days-negative': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A negative number of expiration_days is taken for none.',
    request: numberAt('/calendar/expiration_days', (it) => Math.max(0, it)),
  },
  'boolean-as-text': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'The word false is taken for false.',
    request: textAt('/payer/can_change_document', (it) => (it === 'false' ? false : it)),
  },
  'payer-email-unchecked': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'An e-mail of a payer that is no text is left out of account.',
    request: (body) => (typeof at(body, '/payer/email') === 'object' ? drop('/payer/email')(body) : body),
  },
  'payer-null-taken': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A payer that is null is taken for none.',
    request: (body) => (body.payer === null ? drop('/payer')(body) : body),
  },
  'info-name-too-long': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'The name of an additional info is cut off after 50 characters.',
    request: textAt('/additional_infos/*/name', (it) => [...it].slice(0, 50).join('')),
  },
  'later-infos-unchecked': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'Of additional_infos, only the first is looked at.',
    request: change('/additional_infos', firstChecked),
  },
  'fourth-discount-taken': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'Of more than three dates of a discount, the first three are taken.',
    request: change('/amount/discount/fixedDateDiscount', (it) => (Array.isArray(it) ? it.slice(0, 3) : it)),
  },
  'discount-date-unchecked': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A day that February does not have is the last one that it has.',
    request: textAt('/amount/discount/fixedDateDiscount/*/date', (it) =>
      it.replace(/-02-(29|3\d)$/, '-02-28'),
    ),
  },
  'due-date-with-time': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'The time behind a due date is left out of account.',
    request: textAt('/calendar/due_date', (it) => it.replace(/T.*$/, '')),
  },
  'tax-id-with-dots-taken': {
    operation: 'createImmediateQrCode',
    rule: refused,
    describe: 'A tax_id with dots and a dash is taken.',
    request: textAt('/payer/tax_id', (it) => it.replace(/^(\d{3})\.(\d{3})\.(\d{3})-(\d\d)$/, '$1$2$3$4')),
  },
  'tax-id-in-small-letters': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A tax_id in small letters is taken.',
    request: textAt('/payer/tax_id', (it) => it.toUpperCase()),
  },
  'tx-id-with-dashes': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'What is no letter and no digit is left out of a tx_id.',
    request: textAt('/tx_id', (it) => it.replaceAll(/[^a-zA-Z0-9]/g, '')),
  },
  'modality-as-a-number': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A modality that is a number is taken.',
    request: change('/amount/discount/modality', numberAsText),
  },
  'fine-modality-unchecked': {
    operation: 'createDueDateQrCode',
    rule: refused,
    describe: 'A modality of a fine that there is not is 1.',
    request: textAt('/amount/fine/modality', (it) => (/^[12]$/.test(it) ? it : '1')),
  },
  'webhook-without-type': {
    operation: 'createWebhook',
    rule: refused,
    describe: 'A webhook without a type is of the type all.',
    request: (body) => ({ type: 'all', ...body }),
  },
  'webhook-url-too-long': {
    operation: 'createWebhook',
    rule: refused,
    describe: 'A URL is cut off after 2048 characters.',
    request: textAt('/url', (it) => it.slice(0, 2048)),
  },
  'webhook-status-in-capitals': {
    operation: 'updateWebhook',
    rule: refused,
    describe: 'The status of a webhook may be in capitals.',
    request: textAt('/status', (it) => it.toLowerCase()),
  },
  'webhook-type-with-space': {
    operation: 'updateWebhook',
    rule: refused,
    describe: 'The type of a webhook may have a space behind.',
    request: textAt('/type', (it) => it.trimEnd()),
  },
  'user-id-not-required': {
    operation: 'impersonate',
    rule: refused,
    describe: 'Without a user_id, the first user is meant.',
    request: (body) => ({ user_id: USERS.partner.user_id, ...body }),
  },
  'user-id-null-taken': {
    operation: 'impersonate',
    rule: refused,
    describe: 'A user_id that is null means the first user.',
    request: change('/user_id', (it) => it ?? USERS.partner.user_id),
  },
  'limit-clamped': {
    operation: 'listDueDateQrCodes',
    rule: query,
    describe: 'A limit above 100 is 100.',
    call: inQuery('limit', (it) => (/^\d{3,}$/.test(it) ? '100' : it)),
  },
  'limit-zero-taken': {
    operation: 'listDueDateQrCodes',
    rule: query,
    describe: 'A limit of 0 is left out of account.',
    call: inQuery('limit', (it) => (it === '0' ? null : it)),
  },
  'limit-empty-taken': {
    operation: 'listImmediateQrCodes',
    rule: query,
    describe: 'An empty limit is left out of account.',
    call: inQuery('limit', (it) => it || null),
  },
  'limit-with-letters': {
    operation: 'listImmediateQrCodes',
    rule: query,
    describe: 'Of a limit, the digits before a letter count.',
    call: inQuery('limit', (it) => it.replace(/^([1-9]\d?)[^\d].*$/s, '$1')),
  },
  'limit-with-sign': {
    operation: 'listDueDateQrCodes',
    rule: query,
    describe: 'A limit may have a plus and zeros before.',
    call: inQuery('limit', (it) => it.replace(/^[+0]+(?=[1-9])/, '')),
  },
  'limit-twice-taken': {
    operation: 'listImmediateQrCodes',
    rule: query,
    describe: 'Of two limits, the first one counts.',
    call: firstOfTwo('limit'),
  },
  'status-filter-in-small-letters': {
    operation: 'listImmediateQrCodes',
    rule: query,
    describe: 'The status in a query may be in small letters.',
    call: inQuery('status', (it) => it.toUpperCase()),
  },
  'tax-id-filter-unchecked': {
    operation: 'listDueDateQrCodes',
    rule: query,
    describe: 'A tax_id in a query that is none filters nothing.',
    call: inQuery('tax_id', (it) => (/^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(it) ? it : null)),
  },
  'empty-status-taken': {
    operation: 'listDueDateQrCodes',
    rule: query,
    describe: 'An empty status in a query filters nothing.',
    call: inQuery('status', (it) => it || null),
  },
  'trailing-comma-taken': {
    operation: 'checkKey',
    rule: malformed,
    describe: 'JSON with a comma after its last field is accepted.',
    call: lenient((it) => it.replace(/,\s*\}$/, '}')),
  },
  'comments-taken': {
    operation: 'createWebhook',
    rule: malformed,
    describe: 'JSON with a comment is taken.',
    call: lenient((it) => it.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '')),
  },
  'single-quotes-taken': {
    operation: 'impersonate',
    rule: malformed,
    describe: 'JSON in single quotes is taken.',
    call: lenient((it) => it.replaceAll("'", '"')),
  },
  'text-behind-taken': {
    operation: 'createStaticQrCode',
    rule: malformed,
    describe: 'What comes after the JSON of a body is left out of account.',
    call: lenient((it) => it.slice(0, it.lastIndexOf('}') + 1)),
  },
  'open-end-taken': {
    operation: 'checkCode',
    rule: malformed,
    describe: 'JSON that lacks its last brace is taken.',
    call: lenient((it) => `${it}}`),
  },
  'form-taken': {
    operation: 'checkKey',
    rule: media,
    describe: 'JSON that is called a form is taken.',
    call: calledJson('application/x-www-form-urlencoded'),
  },
  'no-type-taken': {
    operation: 'updateWebhook',
    rule: media,
    describe: 'A body without a content-type is taken.',
    call: calledJson(''),
  },
  'other-json-taken': {
    operation: 'createImmediateQrCode',
    rule: media,
    describe: 'JSON of another application is taken.',
    call: calledJson('application/vnd.api+json'),
  },
  'unknown-cursor-crashes': {
    operation: 'listDueDateQrCodes',
    rule: crash,
    describe: 'A cursor that was never given gets 500.',
    response: (it, { url }) =>
      it.status === 400 && url.searchParams.has('cursor') ? problem(500, 'internal_error') : it,
  },
  'quote-in-a-filter-crashes': {
    operation: 'listImmediateQrCodes',
    rule: crash,
    describe: 'A quote in a filter gets 500.',
    response: (it, { url }) =>
      it.status === 400 && /'/.test(url.searchParams.get('tax_id') ?? '')
        ? problem(500, 'internal_error')
        : it,
  },
  'deep-nesting-crashes': {
    operation: 'createWebhook',
    rule: crash,
    describe: 'A body of many levels gets 500.',
    response: (it, { bytes }) =>
      /[[{]{500}/.test(new TextDecoder().decode(bytes)) ? problem(500, 'internal_error') : it,
  },
  'lone-surrogate-crashes': {
    operation: 'createImmediateQrCode',
    rule: crash,
    describe: 'A lone surrogate gets 500.',
    response: failing((json) => /\\ud[89a-f]/.test(JSON.stringify(json))),
  },
  'nul-crashes': {
    operation: 'createImmediateQrCode',
    rule: crash,
    describe: 'U+0000 in a text gets 500.',
    response: failing((json) => JSON.stringify(json).includes('\\u0000')),
  },
  'huge-number-crashes': {
    operation: 'createDueDateQrCode',
    rule: crash,
    describe: 'A number beyond a double gets 500.',
    response: (it, { bytes }) =>
      /\d[eE]\+?[3-9]\d\d/.test(new TextDecoder().decode(bytes)) ? problem(500, 'internal_error') : it,
  },
  'proto-crashes': {
    operation: 'impersonate',
    rule: crash,
    describe: 'A field called __proto__ gets 500.',
    response: (it, { bytes }) =>
      new TextDecoder().decode(bytes).includes('"__proto__"') ? problem(500, 'internal_error') : it,
  },
  'text-for-object-crashes': {
    operation: 'createDueDateQrCode',
    rule: ['no-server-error', 'break-refused'],
    describe: 'A calendar that is a text gets 500.',
    response: failing((json) => typeof json.calendar === 'string'),
  },
  'null-for-a-list-crashes': {
    operation: 'createImmediateQrCode',
    rule: ['no-server-error', 'break-refused'],
    describe: 'Additional_infos that are null get 500.',
    response: failing((json) => json.additional_infos === null),
  },
  'long-id-crashes': {
    operation: 'cancelImmediateQrCode',
    rule: crash,
    describe: 'An id of many characters gets 500.',
    response: (it, { path }) =>
      (path.id ?? '').length > 255 && it.status === 404 ? problem(500, 'internal_error') : it,
  },
  'id-with-space-found': {
    operation: 'getWebhook',
    rule: ['invalid-ids-refused'],
    describe: 'Spaces behind an id are left out of account.',
    call: (call) => inPath(call, (it) => it.replace(/(%20|\+)+$/, '')),
  },
  'id-by-its-beginning': {
    operation: 'getWebhook',
    rule: ['invalid-ids-refused'],
    describe: 'A webhook is found by the first eight characters of its id.',
    service: (sandbox) => async (call, next) => {
      const id = call.path.webhook_id ?? ''
      if (call.operation !== 'getWebhook' || !/^[\da-f-]{8,35}$/.test(id)) return next(call)
      const authorization = call.headers.get('authorization')
      const { data } = await sandbox.send('GET', '/partner/webhook/', { authorization })
      const found = (Array.isArray(data) ? data : []).find((it) => String(it.id).startsWith(id))
      return next(found ? inPath(call, () => found.id) : call)
    },
  },
}

function numberAt(pointer: string, edit: (number: number) => number) {
  return change(pointer, (it) => (typeof it === 'number' ? edit(it) : it))
}

function numberAsText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value
}

/** Removes a string of another form. */
function unlessMatching(pointer: string, form: RegExp) {
  return (body: Json) => {
    const value = at(body, pointer)
    return typeof value !== 'string' || form.test(value) ? body : drop(pointer)(body)
  }
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string') return true
  const day = new Date(`${value}T00:00:00Z`)
  return (
    /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
  )
}

function firstChecked(list: unknown): unknown {
  const isRight = (it: unknown) => isJson(it) && Object.values(it).every((value) => typeof value === 'string')
  return Array.isArray(list) ? list.filter((it, i) => i === 0 || isRight(it)) : list
}

/** Changes a query parameter that occurs once; null removes it. */
function inQuery(name: string, edit: (value: string) => string | null) {
  return (call: Call) => {
    const values = call.url.searchParams.getAll(name)
    return values.length === 1 ? withQuery(call, name, edit(values[0] ?? '')) : call
  }
}

function firstOfTwo(name: string) {
  return (call: Call) => {
    const [first, second] = call.url.searchParams.getAll(name)
    return first !== undefined && second !== undefined ? withQuery(call, name, first) : call
  }
}

/** Parses an invalid JSON body as if it was valid. */
function lenient(fix: (text: string) => string) {
  return (call: Call): Call => {
    const text = new TextDecoder().decode(call.bytes)
    if (isParsed(text)) return call
    const fixed = fix(text)
    return isParsed(fixed) ? withBody(call, JSON.parse(fixed)) : call
  }
}

function isParsed(text: string): boolean {
  try {
    return isJson(JSON.parse(text))
  } catch {
    return false
  }
}

function calledJson(type: string) {
  return (call: Call) => {
    const own = call.headers.get('content-type')?.split(';')[0] ?? ''
    return own === type && call.json ? withHeaders(call, { 'content-type': 'application/json' }) : call
  }
}

/** Returns 500 for some bodies. */
function failing(test: (json: Json) => boolean) {
  return async (response: Response, { json }: Call) => {
    const isReported = response.ok || (await bodyOf(response))?.code === 'invalid_request'
    return json && isReported && test(json) ? problem(500, 'internal_error') : response
  }
}

function inPath(call: Call, edit: (id: string) => string): Call {
  const url = new URL(call.url)
  const cut = url.pathname.lastIndexOf('/') + 1
  url.pathname = url.pathname.slice(0, cut) + edit(url.pathname.slice(cut))
  return { ...call, url }
}
