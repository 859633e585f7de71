import { keepsContract, withBody } from '../../faulty/call.ts'
import { isJson, type Json } from '../../faulty/json.ts'
import { bodyOf, withJson } from '../../faulty/responses.ts'
import { asOwner, retry, type Wrap } from '../../faulty/wrap.ts'
import type { Mutants } from '../mutant.ts'
import type { Stage } from '../stage.ts'
import {
  callerOf,
  centavosOf,
  isRefused,
  jsonOf,
  listOf,
  refusalAt,
  remembering,
  rowOf,
  todayOf,
} from '../tools.ts'
import { cancel, DUE_DATE, dueDate, IMMEDIATE, immediate, list, payCode } from './orders.ts'

type Create = 'createImmediateQrCode' | 'createDueDateQrCode'
const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

/** Allows a tx_id again: the stored charge gets another one, which the responses hide. */
function takenAgain(id: Create, isFree: (row: { kind: string; status: string }) => boolean): Wrap {
  return remembering(
    () => new Map<string, string>(),
    async (names, call, next, sandbox) => {
      const response = await next(call)
      const tx_id = String(call.json?.tx_id)
      const isMeant = call.operation === id && (await isRefused(response, 'tx_id_taken'))
      const caller = isMeant ? await callerOf(call, sandbox) : undefined
      const sql = 'SELECT kind, status FROM qrcodes WHERE tx_id = ? AND partner_id = ?'
      const row =
        caller && (await rowOf<{ kind: string; status: string }>(sandbox, sql, [tx_id, caller.partner_id]))
      if (!row || !isFree(row)) return shown(names, response)
      const hidden = `M${String(names.size).padStart(tx_id.length - 1, '0')}`
      names.set(hidden, tx_id)
      return shown(names, await next(withBody(call, { ...call.json, tx_id: hidden })))
    },
  )
}

async function shown(names: ReadonlyMap<string, string>, response: Response): Promise<Response> {
  const body = names.size > 0 ? await bodyOf(response) : undefined
  if (!body) return response
  let text = JSON.stringify(body)
  for (const [hidden, tx_id] of names) text = text.replaceAll(hidden, tx_id)
  return withJson(response, JSON.parse(text))
}

const calendarOf = (body: Json) => jsonOf(body.calendar)
const _listed = async ({ partner }: Stage, kind: 'immediate' | 'due-date', id: unknown) =>
  listOf((await partner(list(kind))).body.data).find((it) => it.id === id)

export const charges: Mutants = {
  'immediate-default-expiration-an-hour': {
    describe:
      'An immediate charge whose calendar lacks expiration lasts for an hour; without a calendar, for a day.',
    operation: 'createImmediateQrCode',
    expects: 'calendar.expiration of createImmediateQrCode is 3600 instead of 86400 for an empty calendar.',
    request: (body) =>
      isJson(body.calendar) && body.calendar.expiration === undefined
        ? { ...body, calendar: { ...body.calendar, expiration: 3600 } }
        : body,
  },
  'immediate-tx-id-in-any-case': {
    describe: 'Two tx_id that differ in capitals and small letters alone count as the same.',
    operation: 'createImmediateQrCode',
    expects: 'createImmediateQrCode refuses (tx_id_taken) a tx_id that was not used, but for its case.',
    service: (sandbox) => async (call, next) => {
      const caller = call.operation === 'createImmediateQrCode' ? await callerOf(call, sandbox) : undefined
      const sql = 'SELECT 1 AS found FROM qrcodes WHERE partner_id = ? AND lower(tx_id) = lower(?)'
      const row = caller && (await rowOf(sandbox, sql, [caller.partner_id, String(call.json?.tx_id)]))
      return row ? refusalAt(409, 'tx_id_taken', '/tx_id') : next(call)
    },
    shows: async ({ partner }) => {
      const order = immediate()
      await partner(IMMEDIATE, order)
      const tx_id = String(order.tx_id).toLowerCase()
      return (await partner(IMMEDIATE, { ...order, tx_id })).status
    },
  },
  'immediate-tx-id-free-after-cancellation': {
    describe: 'The tx_id of a charge that was cancelled can be used again.',
    operation: 'createImmediateQrCode',
    expects: 'createImmediateQrCode takes the tx_id of a cancelled charge a second time.',
    service: takenAgain('createImmediateQrCode', ({ status }) => status === CANCELLED),
  },
  'due-date-tx-id-unique-per-kind': {
    describe: 'A due-date charge may have the tx_id of an immediate one: each kind has a table of its own.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode takes a tx_id that an immediate charge of the partner has.',
    service: takenAgain('createDueDateQrCode', ({ kind }) => kind === 'Immediate'),
  },
  'immediate-tx-id-unique-over-partners': {
    describe: 'A tx_id that another partner has used is refused.',
    operation: 'createImmediateQrCode',
    expects: 'createImmediateQrCode refuses (tx_id_taken) a tx_id that only another partner has used.',
    service: (sandbox) => async (call, next) => {
      const caller = call.operation === 'createImmediateQrCode' ? await callerOf(call, sandbox) : undefined
      const sql = 'SELECT 1 AS found FROM qrcodes WHERE tx_id = ? AND partner_id <> ?'
      const row = caller && (await rowOf(sandbox, sql, [String(call.json?.tx_id), caller.partner_id]))
      return row ? refusalAt(409, 'tx_id_taken', '/tx_id') : next(call)
    },
  },
  'immediate-message-escaped': {
    describe: 'The message of a charge is escaped as HTML: "Pão & Café" becomes "Pão &amp; Café".',
    operation: 'createImmediateQrCode',
    also: ['listImmediateQrCodes', 'checkCode'],
    expects: 'message of createImmediateQrCode differs from what was sent (&, <, ").',
    request: (body) => {
      if (typeof body.message !== 'string' || body.message.length > 120) return body
      const message = body.message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
      return message.length > 140 ? body : { ...body, message }
    },
  },
  'immediate-false-is-absent': {
    describe: 'can_change_document is kept only where it is true.',
    operation: 'createImmediateQrCode',
    also: ['listImmediateQrCodes'],
    expects: 'payer.can_change_document: false of the request is not in the record.',
    request: (body) => {
      const { can_change_document, ...payer } = jsonOf(body.payer)
      return can_change_document === false ? { ...body, payer } : body
    },
  },
  'immediate-fifty-infos-refused': {
    describe: 'Fifty additional_infos are refused: the limit is off by one.',
    operation: 'createImmediateQrCode',
    expects: 'createImmediateQrCode refuses 50 additional_infos (maxItems).',
    refuse: [({ additional_infos: it }) => Array.isArray(it) && it.length === 50, [400, 'invalid_request']],
  },
  'immediate-large-amount-500': {
    describe: 'An amount above 21,474,836.47 does not fit a column of 32 bits: 500.',
    operation: 'createImmediateQrCode',
    expects: 'createImmediateQrCode responds 500 to a large amount.original that is valid.',
    refuse: [
      ({ amount }) =>
        /^\d{1,10}\.\d\d$/.test(String(jsonOf(amount).original)) &&
        centavosOf(jsonOf(amount).original) > 2_147_483_647n,
      [500, 'internal_error'],
    ],
  },
  'immediate-key-in-small-letters': {
    describe: 'The record shows the key of an immediate charge in small letters.',
    operation: 'createImmediateQrCode',
    also: ['listImmediateQrCodes'],
    expects: 'dict_key of createImmediateQrCode differs from what was sent and from the list.',
    success: (body) => ({
      ...body,
      dict_key: String(body.dict_key).toLowerCase(),
    }),
  },
  'due-date-on-leap-day-refused': {
    describe: 'A due date of 29 February is refused in every year.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode refuses the due_date 2028-02-29.',
    refuse: [(body) => String(calendarOf(body).due_date).endsWith('-02-29'), [400, 'invalid_request']],
  },
  'due-date-zero-days-are-thirty': {
    describe: 'expiration_days of 0 is taken for absent, and becomes 30.',
    operation: 'createDueDateQrCode',
    also: ['listDueDateQrCodes', 'checkCode'],
    expects: 'calendar.expiration_days is 30 where 0 was sent.',
    request: (body) => {
      const { expiration_days, ...calendar } = calendarOf(body)
      return expiration_days === 0 ? { ...body, calendar } : body
    },
  },
  'due-date-on-weekend-refused': {
    describe: 'A due date on a Saturday or Sunday is refused.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode refuses a due_date on a weekend.',
    refuse: [
      (body) => [0, 6].includes(new Date(`${calendarOf(body).due_date}T00:00:00Z`).getUTCDay()),
      [422, 'invalid_charge'],
    ],
  },
  'due-date-in-two-years-refused': {
    describe: 'A due date more than a year ahead is refused.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode refuses a due_date more than 365 days ahead, for which there is no limit.',
    service: (sandbox) => async (call, next) => {
      const due = call.operation === 'createDueDateQrCode' ? calendarOf(call.json ?? {}).due_date : undefined
      const isFar = Date.parse(String(due)) > sandbox.app.clock.now() + 366 * 86_400_000
      const response = await next(call)
      return isFar && response.ok ? refusalAt(422, 'invalid_charge', '/calendar/due_date') : response
    },
    shows: async (stage) => (await stage.partner(DUE_DATE, dueDate(stage, {}, 800))).status,
  },
  'due-date-today-by-utc': {
    describe:
      'From 21:00 in Brazil on, a charge that is due today is refused as past: the day is taken in UTC.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode refuses the due_date of today between 21:00 and midnight in Brazil.',
    service: (sandbox) => async (call, next) => {
      const { here, utc } = todayOf(sandbox)
      const due = call.operation === 'createDueDateQrCode' ? calendarOf(call.json ?? {}).due_date : undefined
      const isMeant = due === here && here !== utc && (await callerOf(call, sandbox)) !== undefined
      return isMeant ? refusalAt(422, 'invalid_charge', '/calendar/due_date') : next(call)
    },
    shows: async (stage) => {
      await stage.waitUntil('01:30')
      return (await stage.partner(DUE_DATE, dueDate(stage, {}, 0))).status
    },
  },
  'due-date-third-discount-lost': {
    describe: 'Of three discounts by date, the first two are kept.',
    operation: 'createDueDateQrCode',
    also: ['listDueDateQrCodes', 'checkCode'],
    expects: 'amount.discount.fixedDateDiscount of the record lacks the third item.',
    request: (body, call) => {
      const amount = jsonOf(body.amount)
      const { fixedDateDiscount: dates, ...discount } = jsonOf(amount.discount)
      if (!Array.isArray(dates) || dates.length !== 3 || !keepsContract(call)) return body
      return {
        ...body,
        amount: { ...amount, discount: { ...discount, fixedDateDiscount: dates.slice(0, 2) } },
      }
    },
    shows: async (stage) => {
      const { here } = todayOf(stage.sandbox)
      const fixedDateDiscount = ['3.00', '2.00', '1.00'].map((amount) => ({ amount, date: here }))
      const amount = { original: '95.00', discount: { modality: '1', fixedDateDiscount } }
      return listOf(
        jsonOf(jsonOf((await stage.partner(DUE_DATE, dueDate(stage, { amount }))).body.amount).discount)
          .fixedDateDiscount,
      ).length
    },
  },
  'due-date-interest-modality-8-refused': {
    describe:
      'Interest of modality 8, percent a year of business days, is refused: the list of modalities ends at 7.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode refuses amount.interest.modality 8.',
    refuse: [({ amount }) => jsonOf(jsonOf(amount).interest).modality === '8', [400, 'invalid_request']],
  },
  'due-date-payer-cnpj-digits-only': {
    describe: 'A payer whose CNPJ has letters is refused.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode refuses a payer.tax_id with letters.',
    refuse: [({ payer }) => /[A-Z]/.test(String(jsonOf(payer).tax_id ?? '')), [400, 'invalid_request']],
  },
  'due-date-infos-sorted': {
    describe: 'The additional_infos of a charge come back sorted by name.',
    operation: 'createDueDateQrCode',
    also: ['listDueDateQrCodes', 'checkCode'],
    expects: 'additional_infos of createDueDateQrCode are in another order than they were sent.',
    request: (body, call) => {
      const infos = listOf(body.additional_infos)
      if (infos.length < 2 || !keepsContract(call)) return body
      return {
        ...body,
        additional_infos: infos.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
      }
    },
  },
  'due-date-discount-per-day-unchecked': {
    describe:
      'A discount by day (modality 3) may exceed the original amount; the check is for the other modalities.',
    operation: 'createDueDateQrCode',
    expects: 'createDueDateQrCode takes a discount of modality 3 whose amount is above the original.',
    service: retry('createDueDateQrCode', ['invalid_charge'], async (call, sandbox) => {
      const amount = jsonOf(call.json?.amount)
      const discount = jsonOf(amount.discount)
      const isMeant = discount.modality === '3' && centavosOf(discount.amount) >= centavosOf(amount.original)
      if (!isMeant || !(await callerOf(call, sandbox))) return undefined
      return withBody(call, {
        ...call.json,
        amount: { ...amount, discount: { ...discount, amount: '0.01' } },
      })
    }),
    shows: async (stage) => {
      const amount = { original: '95.00', discount: { modality: '3', amount: '100.00' } }
      return (await stage.partner(DUE_DATE, dueDate(stage, { amount }))).status
    },
  },
  'cancel-immediate-paid': {
    describe: 'Cancelling an immediate charge that was paid responds 200 with the paid record.',
    operation: 'cancelImmediateQrCode',
    expects: 'cancelImmediateQrCode of a paid charge must be refused (409 qrcode_paid).',
    service: () => async (call, next) => {
      const response = await next(call)
      const isMeant = call.operation === 'cancelImmediateQrCode' && (await isRefused(response, 'qrcode_paid'))
      if (!isMeant) return response
      const url = new URL('.?limit=100', call.url)
      url.pathname = url.pathname.replace(/\/$/, '')
      const page = await next({ ...call, method: 'GET', url, operation: 'listImmediateQrCodes' })
      const record = listOf((await bodyOf(page))?.data).find(({ id }) => id === call.path.id)
      return record ? withJson(page, record) : response
    },
  },
  'cancel-due-date-while-paying': {
    describe:
      'A due-date charge can be cancelled while a payment of it has not settled; the payment settles all the same.',
    operation: 'cancelDueDateQrCode',
    also: ['listDueDateQrCodes'],
    expects:
      'cancelDueDateQrCode succeeds for a charge that was paid a moment ago; the charge is never CONCLUIDA.',
    service: retry('cancelDueDateQrCode', ['qrcode_paid'], async (call, sandbox) => {
      const id = call.path.id ?? ''
      const row = await rowOf<{ status: string }>(sandbox, 'SELECT status FROM qrcodes WHERE id = ?', [id])
      if (row?.status !== 'ATIVA') return undefined
      await sandbox.run('UPDATE transfers SET qrcode_id = NULL WHERE qrcode_id = ?', [id])
      await sandbox.run('UPDATE qrcodes SET transfer_id = NULL WHERE id = ?', [id])
      return call
    }),
    shows: async (stage) => {
      const { id, emv } = (await stage.partner(DUE_DATE, dueDate(stage))).body
      await payCode(stage.customer, emv, '95.00')
      return (await stage.partner(cancel('due-date', id))).status
    },
  },
  'cancel-again-changes-revision': {
    describe: 'Cancelling a cancelled charge saves it again: revision and updated_at grow.',
    operation: 'cancelImmediateQrCode',
    expects: 'revision or updated_at of a charge changes by the second cancellation.',
    service: (sandbox) => async (call, next) => {
      const isMeant = call.operation === 'cancelImmediateQrCode' && (await callerOf(call, sandbox))
      const sql = `UPDATE qrcodes SET revision = revision + 1, updated_at = ?
        WHERE id = ? AND kind = 'Immediate' AND status = ? AND account_id = ?`
      if (isMeant)
        await sandbox.run(sql, [sandbox.app.clock.now(), call.path.id ?? '', CANCELLED, isMeant.account_id])
      return next(call)
    },
  },
  'cancel-due-date-of-others': {
    describe: 'Cancelling a due-date charge does not look whose it is.',
    operation: 'cancelDueDateQrCode',
    expects: 'cancelDueDateQrCode cancels a charge of another partner or account.',
    service: asOwner('cancelDueDateQrCode'),
  },
  'cancel-immediate-takes-due-date': {
    describe: 'The path of immediate charges cancels due-date charges too: they are kept in one table.',
    operation: 'cancelImmediateQrCode',
    expects: 'cancelImmediateQrCode succeeds with the id of a due-date charge.',
    service: () => async (call, next) => {
      const response = await next(call)
      if (call.operation !== 'cancelImmediateQrCode' || response.status !== 404) return response
      const url = new URL(call.url)
      url.pathname = url.pathname.replace('/immediate/', '/due-date/')
      return next({ ...call, url, operation: 'cancelDueDateQrCode' })
    },
  },
  'cancel-due-date-shows-old-status': {
    describe: 'The response to a cancellation is read before the write: it still says ATIVA.',
    operation: 'cancelDueDateQrCode',
    expects: 'status of cancelDueDateQrCode is ATIVA.',
    service: remembering(
      () => new Set<string>(),
      async (known, call, next) => {
        const response = await next(call)
        const id = call.path.id ?? ''
        if (call.operation !== 'cancelDueDateQrCode' || !response.ok || known.has(id)) return response
        known.add(id)
        return withJson(response, { ...(await bodyOf(response)), status: 'ATIVA' })
      },
    ),
  },
  'cancel-due-date-keeps-revision': {
    describe: 'A cancellation shows revision 1, and does not save it.',
    operation: 'cancelDueDateQrCode',
    also: ['listDueDateQrCodes'],
    expects: 'revision of a cancelled charge is 1 in the response and 0 in the list.',
    state: [
      `CREATE TRIGGER mutant AFTER UPDATE OF status ON qrcodes
        WHEN NEW.kind = 'DueDate' AND NEW.status = '${CANCELLED}' BEGIN
        UPDATE qrcodes SET revision = OLD.revision WHERE id = NEW.id; END`,
    ],
  },
  'cancel-clears-the-payer': {
    describe: 'Cancelling an immediate charge empties its payer.',
    operation: 'cancelImmediateQrCode',
    also: ['listImmediateQrCodes'],
    expects: 'payer of a charge is gone after its cancellation.',
    afterwards: async (_, { path }, sandbox) => {
      await sandbox.run(`UPDATE qrcodes SET charge = json_set(charge, '$.payer', NULL) WHERE id = ?`, [
        path.id ?? '',
      ])
    },
  },
  'static-image-of-the-code-before': {
    describe: 'qrcode_image is that of the code that was created before: the drawing runs one behind.',
    operation: 'createStaticQrCode',
    expects: 'qrcode_image of createStaticQrCode holds another payment code than emv.',
    service: remembering(
      () => ({ image: '' }),
      async (last, call, next) => {
        const response = await next(call)
        const body =
          call.operation === 'createStaticQrCode' && response.ok ? await bodyOf(response) : undefined
        if (!body) return response
        const { image } = last
        last.image = String(body.qrcode_image)
        return image ? withJson(response, { ...body, qrcode_image: image }) : response
      },
    ),
  },
  'static-message-without-accents': {
    describe: 'The record shows the message without its accents, as it stands in the code.',
    operation: 'createStaticQrCode',
    expects: 'message of createStaticQrCode differs from what was sent (Pão).',
    success: (body) => ({
      ...body,
      message: String(body.message)
        .normalize('NFD')
        .replaceAll(/\p{Mark}/gu, ''),
    }),
  },
  'static-created-at-in-local-time': {
    describe: 'created_at of a static code is in Brazilian time, though it ends in Z.',
    operation: 'createStaticQrCode',
    expects: 'created_at of createStaticQrCode is three hours in the past.',
    success: (body) => ({
      ...body,
      created_at: new Date(Date.parse(String(body.created_at)) - 3 * 3_600_000).toISOString(),
    }),
  },
  'static-amount-unpadded': {
    describe: 'Centavos below ten lose their zero: 10.05 comes back as 10.5.',
    operation: 'createStaticQrCode',
    expects: 'amount of createStaticQrCode differs from what was sent, for amounts such as 10.05.',
    success: (body) => ({
      ...body,
      amount: String(body.amount).replace(/\.0([1-9])$/, '.$1'),
    }),
  },
  'static-telephone-key-refused': {
    describe: 'A static code for a telephone key is refused: the plus sign is lost on the way.',
    operation: 'createStaticQrCode',
    expects: 'createStaticQrCode refuses the key +5561912345678 of the account itself.',
    refuse: [({ dict_key }) => String(dict_key).startsWith('+'), [422, 'invalid_charge']],
  },
}
