import { keepsContract, withId } from '../services/call.ts'
import { type Json, problem, remade, set } from '../services/responses.ts'
import { callerOf, rowOf } from '../services/state.ts'
import {
  asOwner,
  handle,
  onCall,
  onRequest,
  onResponse,
  onSuccess,
  refuse,
  type Service,
} from '../services/wrap.ts'
import {
  CANCELLED,
  inLocalTime,
  jsonOf,
  listOf,
  type Mutant,
  onField,
  refusalAt,
  todayOf,
  trigger,
} from './tools.ts'

/** Gives a QR code another tx_id when a new one gets it, if it is such as the condition says. */
function takenBy(kind: string, from: string): Service {
  return trigger(
    `BEFORE INSERT ON qrcodes WHEN NEW.kind = '${kind}'`,
    `UPDATE qrcodes SET tx_id = substr('X' || replace(id, '-', '') || '00', 1, length(tx_id))
      WHERE partner_id = NEW.partner_id AND tx_id = NEW.tx_id AND ${from}`,
  )
}

/** Days of the week, as `getUTCDay` counts them. */
const SUNDAY = 0
const SATURDAY = 6

const calendarOf = (body: Json) => jsonOf(body.calendar)

/** Mutants of QR codes. */
export const charges: readonly Mutant[] = [
  {
    says: 'A due date is compared with the day in UTC.',
    places: ['createDueDateQrCode'],
    service: refuse([422, 'invalid_charge'], ({ calendar }, _, sandbox) => {
      const { here, utc } = todayOf(sandbox)
      return here !== utc && jsonOf(calendar).due_date === here
    }),
  },
  {
    says: 'tx_ids are compared without regard to capitals.',
    places: ['createDueDateQrCode'],
    service: refuse([409, 'tx_id_taken'], async ({ tx_id }, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      const sql =
        'SELECT id FROM qrcodes WHERE partner_id = ? AND lower(tx_id) = lower(?) AND tx_id <> ?'
      return rowOf(sandbox, sql, caller?.partner_id, tx_id, tx_id)
    }),
  },
  {
    says: 'A due-date charge takes the tx_id of an immediate one, which gets another.',
    places: ['createDueDateQrCode'],
    service: takenBy('DueDate', `kind = 'Immediate'`),
  },
  {
    says: 'A due date on a Saturday or Sunday is refused.',
    places: ['createDueDateQrCode'],
    service: refuse([422, 'invalid_charge'], (body) => {
      const day = new Date(`${calendarOf(body).due_date}T00:00:00Z`).getUTCDay()
      return day === SUNDAY || day === SATURDAY
    }),
  },
  {
    says: 'A due-date code is returned, but not stored.',
    places: [
      'createDueDateQrCode',
      'listDueDateQrCodes',
      'cancelDueDateQrCode',
      'checkCode',
      'createTransfer',
    ],
    service: onSuccess(({ id }, _, { run }) => run('DELETE FROM qrcodes WHERE id = ?', id)),
  },
  {
    says: 'expiration_days of 0 is taken for absent, and becomes 30.',
    places: ['createDueDateQrCode', 'listDueDateQrCodes', 'checkCode'],
    service: onRequest((body) => {
      const { expiration_days, ...calendar } = calendarOf(body)
      return expiration_days === 0 ? { ...body, calendar } : body
    }),
  },
  {
    says: 'The additional_infos of a charge come back sorted by name.',
    places: ['createDueDateQrCode', 'listDueDateQrCodes', 'checkCode'],
    service: onRequest((body, call) => {
      const infos = listOf(body.additional_infos)
      if (infos.length < 2 || !keepsContract(call)) return body
      const sorted = infos.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
      return { ...body, additional_infos: sorted }
    }),
  },
  {
    says: 'A second cancellation of a due-date code changes it again.',
    places: ['cancelDueDateQrCode'],
    service: handle(async (call, next, sandbox) => {
      const caller = await callerOf(call, sandbox)
      const sql = `UPDATE qrcodes SET revision = revision + 1, updated_at = ?
        WHERE kind = 'DueDate' AND status = '${CANCELLED}' AND id = ? AND account_id = ?`
      const account = caller?.account_id ?? ''
      await sandbox.run(sql, sandbox.app.clock.now(), call.path.id, account)
      return next(call)
    }),
  },
  {
    says: 'Cancelling a due-date charge does not look whose it is.',
    places: ['cancelDueDateQrCode'],
    service: handle(asOwner),
  },
  {
    says: 'The response to a cancellation still says ATIVA.',
    places: ['cancelDueDateQrCode'],
    service: onSuccess((body, { path }, { memory }) => {
      if (memory.has(path.id)) return body
      memory.set(path.id, true)
      return { ...body, status: 'ATIVA' }
    }),
  },
  {
    says: 'The cancellation of a due-date code is shown, but not stored.',
    places: ['cancelDueDateQrCode', 'listDueDateQrCodes', 'checkCode', 'createTransfer'],
    service: onSuccess(({ id }, _, { run }) =>
      run(`UPDATE qrcodes SET status = 'ATIVA' WHERE id = ? AND status <> 'CONCLUIDA'`, id),
    ),
  },
  {
    says: 'A cancellation shows revision 1, and does not save it.',
    places: ['cancelDueDateQrCode', 'listDueDateQrCodes'],
    service: trigger(
      `AFTER UPDATE OF status ON qrcodes WHEN NEW.kind = 'DueDate' AND NEW.status = '${CANCELLED}'`,
      `UPDATE qrcodes SET revision = OLD.revision WHERE id = NEW.id`,
    ),
  },
  {
    says: 'A creation that is refused by a business rule takes its tx_id.',
    places: ['createImmediateQrCode'],
    service: handle(async (call, next, sandbox) => {
      const { memory } = sandbox
      const caller = await callerOf(call, sandbox)
      const key = `${caller?.partner_id} ${call.json?.tx_id}`
      if (memory.has(key) && keepsContract(call)) return problem(409, 'tx_id_taken')
      const response = await next(call)
      if (response.status === 422) memory.set(key, true)
      return response
    }),
  },
  {
    says: 'A charge takes the tx_id of one that was cancelled, which gets another.',
    places: ['createImmediateQrCode'],
    service: takenBy('Immediate', `status = '${CANCELLED}'`),
  },
  {
    says: 'A tx_id that another partner has used is refused.',
    places: ['createImmediateQrCode'],
    service: handle(async (call, next, sandbox) => {
      const caller = await callerOf(call, sandbox)
      if (!caller) return next(call)
      const sql = 'SELECT 1 AS found FROM qrcodes WHERE tx_id = ? AND partner_id <> ?'
      const row = await rowOf(sandbox, sql, call.json?.tx_id, caller.partner_id)
      return row ? refusalAt(409, 'tx_id_taken', '/tx_id') : next(call)
    }),
  },
  {
    says: 'Fifty additional_infos are refused.',
    places: ['createImmediateQrCode'],
    service: refuse(
      [400, 'invalid_request'],
      ({ additional_infos }) => Array.isArray(additional_infos) && additional_infos.length === 50,
    ),
  },
  {
    says: 'The creation of an immediate code returns always the same id.',
    places: ['createImmediateQrCode', 'cancelImmediateQrCode', 'listImmediateQrCodes'],
    service: onSuccess(set('/id', '00000000-0000-4000-8000-000000000001')),
  },
  {
    says: 'An immediate code that has expired cannot be cancelled.',
    places: ['cancelImmediateQrCode'],
    service: handle(async (call, next, sandbox) => {
      const caller = await callerOf(call, sandbox)
      const sql = `SELECT id FROM qrcodes WHERE id = ? AND account_id = ? AND status = 'ATIVA'
        AND created_at + 1000 * (charge ->> '$.calendar.expiration') < ?`
      const now = sandbox.app.clock.now()
      const row = await rowOf(sandbox, sql, call.path.id, caller?.account_id, now)
      return row ? problem(409, 'qrcode_paid') : next(call)
    }),
  },
  {
    says: 'The path of immediate charges cancels due-date charges too.',
    places: ['cancelImmediateQrCode'],
    service: handle(async (call, next) => {
      const response = await next(call)
      if (response.status !== 404) return response
      const url = new URL(call.url)
      url.pathname = url.pathname.replace('/immediate/', '/due-date/')
      return next({ ...call, url, operation: 'cancelDueDateQrCode' })
    }),
  },
  {
    says: 'The cancellation of an immediate code cancels the newest one.',
    places: ['cancelImmediateQrCode', 'listImmediateQrCodes'],
    service: onCall(async (call, sandbox) => {
      const sql = `SELECT id FROM qrcodes
        WHERE kind = 'Immediate' AND status = 'ATIVA' AND account_id = ? ORDER BY position DESC`
      const caller = await callerOf(call, sandbox)
      const newest = await rowOf(sandbox, sql, caller?.account_id)
      return newest ? withId(call, String(newest.id)) : call
    }),
  },
  {
    says: 'The creation of a static code responds with 201.',
    places: ['createStaticQrCode'],
    service: onResponse((response) => (response.ok ? remade(response, { status: 201 }) : response)),
  },
  {
    says: 'qrcode_image is that of the code that was created before.',
    places: ['createStaticQrCode'],
    service: onSuccess((body, _, { memory }) => {
      const image = memory.get('image') ?? body.qrcode_image
      memory.set('image', body.qrcode_image)
      return { ...body, qrcode_image: image }
    }),
  },
  {
    says: 'The record of a static code shows the message without accents.',
    places: ['createStaticQrCode'],
    service: onField('/message', (message) => {
      const decomposed = String(message).normalize('NFD')
      return decomposed.replaceAll(/\p{Mark}/gu, '')
    }),
  },
  {
    says: 'created_at of a static code is in Brazilian time, though it ends in Z.',
    places: ['createStaticQrCode'],
    service: onField('/created_at', inLocalTime),
  },
  {
    says: 'Centavos below ten lose their zero.',
    places: ['createStaticQrCode'],
    service: onField('/amount', (amount) => String(amount).replace(/\.0([1-9])$/, '.$1')),
  },
]
