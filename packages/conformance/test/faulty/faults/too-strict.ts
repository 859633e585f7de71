import { hash } from 'node:crypto'
import type { Call } from '../call.ts'
import type { Faults } from '../fault.ts'
import { at, type Json } from '../json.ts'
import { bodyOf, problem, remade } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { refuse, type Wrap } from '../wrap.ts'

const invalid = [400, 'invalid_request'] as const

/** Requests that are valid in their state, time or form, but are refused. */
export const tooStrict: Faults = {
  'cursor-beside-a-filter-refused': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages', 'boundary-accepted'],
    describe: 'The second page of a list that is filtered is refused.',
    refuse: [
      (_, { url: { searchParams: it } }) => it.has('cursor') && (it.has('status') || it.has('tax_id')),
      invalid,
    ],
  },
  'inactive-webhook-not-deleted': {
    operation: 'deleteWebhook',
    rule: ['record-changes'],
    describe: 'A webhook that is inactive cannot be deleted.',
    service: onInactive('deleteWebhook'),
  },
  'inactive-webhook-not-rotated': {
    operation: 'rotateWebhookSecret',
    rule: ['record-changes'],
    describe: 'The secret of a webhook that is inactive cannot be changed.',
    service: onInactive('rotateWebhookSecret'),
  },
  'same-again-refused': {
    operation: 'updateWebhook',
    rule: ['record-changes'],
    describe: 'A change of a webhook to what it is already is refused.',
    service: sameAgain,
  },
  'new-look-up-ends-the-old': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['one-time-values'],
    describe: 'An initiation_id pays no more once the key was looked up again.',
    service: newestLookUp,
  },
  'initiation-ends-after-ten-minutes': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['refusals-later'],
    describe: 'An initiation_id pays for ten minutes.',
    service: aged('checkKey', 'initiation_id', 600),
  },
  'tokens-end-after-half-their-time': {
    operation: 'signIn',
    rule: ['expired-token-refused'],
    describe: 'An access token is refused after half of its time.',
    afterwards: async ({ access_token }, _, sandbox) => {
      const until = BigInt(sandbox.app.clock.now() + 1_800_000)
      const values = [until, hash('sha256', String(access_token), 'base64url')]
      await sandbox.run('UPDATE tokens SET expires_at = ? WHERE hash = ?', values)
    },
  },
  'body-of-40-kb-refused': {
    operation: 'createTransfer',
    rule: ['body-format'],
    describe: 'A transfer of more than 32 KB is too large.',
    refuse: [(_, { bytes }) => bytes.byteLength > 32_768, [413, 'body_too_large']],
  },
  'gui-in-capitals-refused': {
    operation: 'checkCode',
    rule: ['refusals'],
    describe: 'A code whose br.gov.bcb.pix is in capitals is refused.',
    refuse: [coded(/BR\.GOV\.BCB\.PIX/), [422, 'invalid_code']],
  },
  'accents-in-a-code-refused': {
    operation: 'checkCode',
    rule: ['refusals'],
    describe: 'A code with accents is refused, as if its lengths were of bytes.',
    refuse: [coded(/[^ -~]/), [422, 'invalid_code']],
  },
  'other-template-refused': {
    operation: 'checkCode',
    rule: ['refusals'],
    describe: 'A code whose account is in another template than 26 is refused.',
    refuse: [coded(/^000201(?!(0102..)?26)/), [422, 'invalid_code']],
  },
  'overdue-charge-closed-at-once': {
    operation: 'checkCode',
    rule: ['charge-amounts'],
    describe: 'A charge is closed on the day after its due date, whatever its expiration_days.',
    response: async (it, _, { app }) => {
      const { due_date } = (it.ok && (await bodyOf(it))) || {}
      const today = new Date(app.clock.now() - 3 * 3_600_000).toISOString().slice(0, 10)
      return due_date && String(due_date) < today ? problem(422, 'code_expired') : it
    },
  },
  'charge-ends-in-an-hour': {
    operation: 'checkCode',
    elsewhere: ['createTransfer', 'createImmediateQrCode'],
    rule: ['charge-amounts'],
    describe: 'An immediate charge lapses after an hour at most.',
    service: lapsing,
  },
  'due-today-refused': {
    operation: 'createDueDateQrCode',
    rule: ['refusals', 'charge-amounts', 'refusals-later', 'boundary-accepted'],
    describe: 'A charge that is due today is refused as one of the past.',
    service: refuseToday('createDueDateQrCode', '/calendar/due_date', [422, 'invalid_charge']),
  },
  'payment-today-refused': {
    operation: 'createTransfer',
    rule: ['refusals'],
    describe: 'A transfer that is dated today is refused as one of later.',
    service: refuseToday('createTransfer', '/payment_date', [422, 'payment_date_not_allowed']),
  },
  'discount-until-the-due-date-refused': {
    operation: 'createDueDateQrCode',
    rule: ['refusals', 'example-accepted'],
    describe: 'A discount that holds until the due date is refused.',
    refuse: [
      (body) => {
        const dates = at(body, '/amount/discount/fixedDateDiscount') as Json[] | undefined
        return dates?.some(({ date }) => date === at(body, '/calendar/due_date')) ?? false
      },
      [422, 'invalid_charge'],
    ],
  },
  'static-code-paid-once': {
    operation: 'createTransfer',
    rule: ['one-time-values', 'copies'],
    describe: 'A static code that was paid is not paid again.',
    service: staticOnce,
  },
  'basic-in-small-letters-refused': {
    operation: 'signIn',
    rule: ['example-accepted', 'credentials-required'],
    describe: 'The scheme basic in small letters is refused.',
    response: (it, { headers }) =>
      headers.get('authorization')?.startsWith('basic')
        ? remade(problem(401, 'invalid_credentials'), { headers: { 'www-authenticate': 'Basic' } })
        : it,
  },
  'query-in-url-refused': {
    operation: 'createWebhook',
    rule: ['boundary-accepted', 'record-shown'],
    describe: 'A webhook whose URL has a query is refused.',
    refuse: [({ url }) => /\?/.test(String(url)), invalid],
  },
}

function coded(form: RegExp) {
  return ({ emv }: Json) => form.test(String(emv))
}

/** Responds as if an inactive webhook did not exist. */
function onInactive(id: 'deleteWebhook' | 'rotateWebhookSecret'): Wrap {
  return (sandbox) => async (call, next) => {
    if (call.operation !== id) return next(call)
    const { status } = await shown(call, sandbox)
    return status === 'inactive' ? problem(404, 'not_found') : next(call)
  }
}

function shown({ headers, path }: Call, { send }: Parameters<Wrap>[0]) {
  return send('GET', `/partner/webhook/${path.webhook_id}`, { authorization: headers.get('authorization') })
}

function sameAgain(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    if (call.operation !== 'updateWebhook') return next(call)
    const now = await shown(call, sandbox)
    const isSame = ['url', 'type', 'status'].every((name) => now[name] === call.json?.[name])
    return isSame ? problem(422, 'invalid_request') : next(call)
  }
}

/** Accepts only the last lookup of a key. */
function newestLookUp(): ReturnType<Wrap> {
  const newest = new Map<string, unknown>()
  const older = new Set<unknown>()
  return async (call, next) => {
    if (call.operation === 'createTransfer' && older.has(call.json?.initiation_id))
      return problem(422, 'initiation_invalid')
    const response = await next(call)
    if (call.operation !== 'checkKey' || !response.ok) return response
    const asked = `${call.headers.get('authorization')} ${call.json?.dict_key}`
    if (newest.has(asked)) older.add(newest.get(asked))
    newest.set(asked, (await bodyOf(response))?.initiation_id)
    return response
  }
}

/** Refuses a value some seconds after it was issued. */
function aged(id: 'checkKey', field: string, seconds: number): Wrap {
  return ({ app }) => {
    const given = new Map<unknown, number>()
    return async (call, next) => {
      const at = given.get(call.json?.[field])
      if (call.operation === 'createTransfer' && at !== undefined && app.clock.now() - at > seconds * 1000)
        return problem(422, 'initiation_invalid')
      const response = await next(call)
      if (call.operation === id && response.ok) given.set((await bodyOf(response))?.[field], app.clock.now())
      return response
    }
  }
}

function refuseToday(
  id: 'createDueDateQrCode' | 'createTransfer',
  pointer: string,
  refusal: Parameters<typeof refuse>[2],
): Wrap {
  return (sandbox) => {
    const today = () => new Date(sandbox.app.clock.now() - 3 * 3_600_000).toISOString().slice(0, 10)
    return refuse(id, (body) => at(body, pointer) === today(), refusal)(sandbox)
  }
}

function staticOnce(): ReturnType<Wrap> {
  const paid = new Set<unknown>()
  return async (call, next) => {
    const isPayment = call.operation === 'createTransfer' && call.json?.type === 'emv'
    if (isPayment && paid.has(call.json?.emv)) return problem(409, 'code_paid')
    const response = await next(call)
    const { data } = (isPayment && response.ok && (await bodyOf(response))) || {}
    if ((data as Json | undefined)?.initiation_type === 'QRES') paid.add(call.json?.emv)
    return response
  }
}

const HOUR = 3_600_000
const CREATED = `SELECT created_at FROM qrcodes WHERE kind = 'Immediate' AND emv = ?`

function lapsing({ app }: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    if (call.operation !== 'checkCode') return next(call)
    const emv = String(call.json?.emv)
    const row = await app.store.read((queries) => queries.get<{ created_at: bigint }>(CREATED, [emv]))
    const response = await next(call)
    const isOld = row && app.clock.now() - Number(row.created_at) > HOUR
    return isOld && response.ok ? problem(422, 'code_expired') : response
  }
}
