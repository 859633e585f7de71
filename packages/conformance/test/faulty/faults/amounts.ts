import { withBody } from '../call.ts'
import type { Faults } from '../fault.ts'
import { at, change, isJson, type Json } from '../json.ts'
import { bodyOf, withJson } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { changeResponse, changeSuccess, isPartner, type Wrap } from '../wrap.ts'

const today = ['charge-amounts'] as const
const echo = ['record-shown'] as const

/** Amounts that are wrong on one day, for one caller, or above a limit. */
export const amounts: Faults = {
  'fine-on-the-due-date': {
    operation: 'checkCode',
    rule: [...today, 'charge-amounts'],
    describe: 'A fine is charged on the due date already.',
    service: onDueDate('fine', '2.00'),
  },
  'interest-on-the-due-date': {
    operation: 'checkCode',
    rule: [...today, 'charge-amounts'],
    describe: 'Interest of a day is charged on the due date already.',
    service: onDueDate('interest', '1.00'),
  },
  'discount-ends-a-day-early': {
    operation: 'checkCode',
    rule: today,
    describe: 'A discount is not given on its last day.',
    service: endingEarly,
  },
  'customers-get-no-discount': {
    operation: 'checkCode',
    rule: [...today, 'copies'],
    describe: 'A token that acts for a customer is shown no discount.',
    success: async (body, call, sandbox) =>
      (await isPartner(call, sandbox)) ? body : withPart(body, 'discount', '0'),
  },
  'fine-rounded': {
    operation: 'checkCode',
    rule: ['charge-amounts'],
    describe: 'A fine of percent is rounded.',
    service: roundedFine,
  },
  'overdraft-of-a-real': {
    operation: 'createTransfer',
    rule: ['refusals', 'money-moves'],
    describe: 'An account may pay a real more than it holds.',
    service: overdrawn,
  },
  'static-amount-of-a-float': {
    operation: 'createStaticQrCode',
    rule: echo,
    describe:
      'The amount of a static code is what a binary fraction leaves of it, a centavo less now and then.',
    request: amount((it) => (Math.floor(it * 100) / 100).toFixed(2)),
  },
  'large-static-amount-rounded': {
    operation: 'createStaticQrCode',
    rule: echo,
    describe: 'The amount of a static code keeps seven digits.',
    request: amount((it) => Math.fround(it).toFixed(2).slice(0, 13)),
  },
}

function amount(edit: (value: number) => string) {
  return change('/amount', (it) => (/^\d{1,10}\.\d\d$/.test(String(it)) ? edit(Number(it)) : it))
}

function withPart(body: Json, name: string, value: string): Json {
  const changed = { ...body, [name]: value }
  const [original, deduction, discount, interest, fine] = PARTS.map((it) =>
    Math.round(Number(changed[it]) * 100),
  )
  const final = (original ?? 0) - (deduction ?? 0) - (discount ?? 0) + (interest ?? 0) + (fine ?? 0)
  return { ...changed, final_amount: (final / 100).toFixed(2) }
}

const PARTS = ['original_amount', 'deduction', 'discount', 'interest', 'fine'] as const

async function chargeOf({ app }: TestSandbox, emv: unknown): Promise<Json> {
  const sql = 'SELECT charge FROM qrcodes WHERE emv = ?'
  const row = await app.store.read((queries) => queries.get<{ charge: string }>(sql, [String(emv)]))
  const charge: unknown = JSON.parse(row?.charge ?? '{}')
  return isJson(charge) ? charge : {}
}

function dayOf({ app }: TestSandbox): string {
  return new Date(app.clock.now() - 3 * 3_600_000).toISOString().slice(0, 10)
}

function onDueDate(name: 'fine' | 'interest', value: string): Wrap {
  return changeSuccess('checkCode', async (body, { json }, sandbox) => {
    const charge = await chargeOf(sandbox, json?.emv)
    const isDue = body.due_date === dayOf(sandbox) && at(charge, `/amount/${name}/amount`) !== undefined
    return isDue ? withPart(body, name, value) : body
  })
}

function endingEarly(sandbox: TestSandbox): ReturnType<Wrap> {
  return changeSuccess('checkCode', async (body, { json }, sandbox) => {
    const charge = await chargeOf(sandbox, json?.emv)
    const dates = (at(charge, '/amount/discount/fixedDateDiscount') as Json[] | undefined) ?? []
    return dates.some(({ date }) => date === dayOf(sandbox)) ? withPart(body, 'discount', '0') : body
  })(sandbox)
}

function roundedFine(sandbox: TestSandbox): ReturnType<Wrap> {
  return changeSuccess('checkCode', async (body, { json }, sandbox) => {
    const charge = await chargeOf(sandbox, json?.emv)
    const isMeant = at(charge, '/amount/fine/modality') === '2' && body.fine !== '0'
    if (!isMeant) return body
    const base = Math.round(Number(body.original_amount) * 100) - Math.round(Number(body.deduction) * 100)
    const fine = Math.round((base * Number(at(charge, '/amount/fine/amount'))) / 100)
    return withPart(body, 'fine', (fine / 100).toFixed(2))
  })(sandbox)
}

/** Lends up to one real if the balance is too low. */
function overdrawn(sandbox: TestSandbox): ReturnType<Wrap> {
  const wrap = changeResponse('createTransfer', async (response, call) => {
    if (response.status !== 422 || (await bodyOf(response))?.code !== 'insufficient_funds') return response
    const authorization = call.headers.get('authorization')
    const asked = Number(call.json?.amount)
    const smaller = (Math.round(asked * 100) - 100) / 100
    if (smaller <= 0) return response
    const paid = await sandbox.app.fetch(
      new Request(call.url, {
        method: 'POST',
        headers: { authorization: authorization ?? '', 'content-type': 'application/json' },
        body: new TextDecoder().decode(withBody(call, { ...call.json, amount: smaller.toFixed(2) }).bytes),
      }),
    )
    const body = paid.ok ? await bodyOf(paid) : undefined
    return body
      ? withJson(paid, { ...body, data: { ...(body.data as Json), amount: call.json?.amount } })
      : response
  })
  return wrap(sandbox)
}
