import { type Call, withBody, withQuery } from '../call.ts'
import type { Faults } from '../fault.ts'
import { at, change, drop, isJson, type Json, set } from '../json.ts'
import { bodyOf, withJson } from '../responses.ts'
import { ask, retry, type Wrap } from '../wrap.ts'

const broken = ['break-refused'] as const
const rules = ['refusals'] as const
const urls = ['refusals'] as const
const compared = ['refusals'] as const

/** Requests that are checked in one branch but not the other, or by only some of the rules. */
export const branches: Faults = {
  'description-too-long-for-a-code': {
    operation: 'createTransfer',
    rule: broken,
    describe: 'A description that is too long is cut off where a code is paid.',
    service: ofCodes(
      change('/description', (it) => (typeof it === 'string' ? [...it].slice(0, 140).join('') : it)),
    ),
  },
  'amount-as-a-number-for-a-code': {
    operation: 'createTransfer',
    rule: broken,
    describe: 'An amount that is a number is taken where a code is paid.',
    service: ofCodes(change('/amount', (it) => (typeof it === 'number' ? it.toFixed(2) : it))),
  },
  'payment-date-unchecked-for-a-code': {
    operation: 'createTransfer',
    rule: broken,
    describe: 'A payment date that is no date is left out of account where a code is paid.',
    service: ofCodes((it) =>
      /^\d{4}-\d\d-\d\d$/.test(String(it.payment_date)) ? it : drop('/payment_date')(it),
    ),
  },
  'code-scheduled': {
    operation: 'createTransfer',
    rule: ['refusals'],
    describe: 'A transfer by a code that is dated later is paid at once.',
    service: retryCodes('payment_date_not_allowed', drop('/payment_date')),
  },
  'beneficiary-of-a-code-not-compared': {
    operation: 'createTransfer',
    rule: compared,
    describe: 'What a transfer by a code says of its beneficiary is not compared.',
    service: retryCodes('beneficiary_mismatch', drop('/beneficiary')),
  },
  'beneficiary-document-not-compared': {
    operation: 'createTransfer',
    rule: compared,
    describe: 'The tax_id of a beneficiary is not compared.',
    request: wellFormed('/beneficiary/tax_id', /^(\d{11}|[\dA-Z]{12}\d\d)$/),
  },
  'beneficiary-account-not-compared': {
    operation: 'createTransfer',
    rule: compared,
    describe: 'The account_number of a beneficiary is not compared.',
    request: wellFormed('/beneficiary/account_number', /^\d{1,20}$/),
  },
  'company-digits-unchecked': {
    operation: 'checkKey',
    rule: ['refusals'],
    describe: 'A CNPJ whose check digits are wrong is looked up all the same.',
    request: change('/dict_key', (it) => (/^\d{14}$/.test(String(it)) ? '11222333000181' : it)),
  },
  'random-key-in-capitals': {
    operation: 'checkKey',
    rule: ['refusals'],
    describe: 'A key that is a UUID in capitals is looked up in small letters.',
    request: change('/dict_key', (it) =>
      /^[\dA-F]{8}-[\dA-F-]{27}$/.test(String(it)) ? String(it).toLowerCase() : it,
    ),
  },
  'telephone-with-spaces': {
    operation: 'checkKey',
    rule: ['refusals'],
    describe: 'A telephone with spaces and a dash is looked up without them.',
    request: change('/dict_key', (it) =>
      /^\+[\d ()-]+$/.test(String(it)) ? String(it).replaceAll(/[ ()-]/g, '') : it,
    ),
  },
  'private-url-taken': {
    operation: 'createWebhook',
    rule: urls,
    describe: 'A webhook may have a URL inside of a private network.',
    service: retry('createWebhook', ['url_not_allowed'], elsewhere(/^https:/)),
  },
  'http-url-taken': {
    operation: 'createWebhook',
    rule: urls,
    describe: 'A webhook may have a URL of http.',
    service: retry('createWebhook', ['url_not_allowed'], elsewhere(/^http:/)),
  },
  'update-to-a-private-url': {
    operation: 'updateWebhook',
    rule: urls,
    describe: 'A webhook may be changed to a URL inside of a private network.',
    service: retry('updateWebhook', ['url_not_allowed'], elsewhere(/^https:/)),
  },
  'filter-with-dots-taken': {
    operation: 'listDueDateQrCodes',
    rule: ['break-refused'],
    describe: 'What is no digit is left out of a tax_id in a query.',
    call: (call) => {
      const digits = call.url.searchParams.get('tax_id')?.replaceAll(/\D/g, '') ?? ''
      return digits.length === 11 || digits.length === 14 ? withQuery(call, 'tax_id', digits) : call
    },
  },
  'message-too-long-for-its-key': {
    operation: 'createStaticQrCode',
    rule: [...rules, 'invariants'],
    describe: 'A message that its code has no room for beside the key is cut off in it.',
    service: cutMessage,
  },
  'fixed-discount-above-the-amount': {
    operation: 'createDueDateQrCode',
    rule: rules,
    describe: 'A discount until a date may be above the amount.',
    service: without((it) => at(it, '/amount/discount/modality') === '1', '/amount/discount'),
  },
  'deduction-of-100-percent': {
    operation: 'createDueDateQrCode',
    rule: rules,
    describe: 'A deduction of percent may take all of the amount.',
    service: without((it) => at(it, '/amount/deduction/modality') === '2', '/amount/deduction'),
  },
  'discount-without-its-dates': {
    operation: 'createDueDateQrCode',
    rule: rules,
    describe: 'A discount until dates need have none.',
    service: without((it) => at(it, '/amount/discount/fixedDateDiscount') === undefined, '/amount/discount'),
  },
}

function ofCodes(edit: (body: Json) => unknown): Wrap {
  return ask('createTransfer', (body) => (body.type === 'emv' ? edit(body) : body))
}

function retryCodes(code: string, edit: (body: unknown) => unknown): Wrap {
  return retry('createTransfer', [code], (call) =>
    call.json?.type === 'emv' ? edited(call, edit) : undefined,
  )
}

/** Removes a field with a valid form. */
function wellFormed(pointer: string, form: RegExp) {
  return (body: Json) => (form.test(String(at(body, pointer))) ? drop(pointer)(body) : body)
}

function elsewhere(meant: RegExp) {
  return (call: Call) =>
    meant.test(String(call.json?.url)) ? edited(call, set('/url', 'https://loja.example/pix')) : undefined
}

function edited(call: Call, edit: (body: unknown) => unknown): Call {
  const body = edit(call.json)
  return isJson(body) ? withBody(call, body) : call
}

/** Creates without the field that caused the refusal. */
function without(isMeant: (body: unknown) => boolean, pointer: string): Wrap {
  return retry('createDueDateQrCode', ['invalid_charge', 'field_missing'], (call) =>
    isMeant(call.json) ? edited(call, drop(pointer)) : undefined,
  )
}

function cutMessage(): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    const { message, dict_key } = call.json ?? {}
    if (call.operation !== 'createStaticQrCode' || response.status !== 422) return response
    const room = 73 - String(dict_key).length
    const again = await next(edited(call, set('/message', String(message).slice(0, room))))
    return again.ok ? withJson(again, { ...(await bodyOf(again)), message }) : response
  }
}
