import { change, type Json, set } from '../services/responses.ts'
import { chargeOf } from '../services/state.ts'
import { cached, onRequest, onSuccess, refuse, type Service } from '../services/wrap.ts'
import {
  centavosOf,
  inLocalTime,
  jsonOf,
  listOf,
  type Mutant,
  onField,
  todayOf,
  withMore,
} from './tools.ts'

interface Today {
  readonly due: string
  readonly here: string
  readonly utc: string
}

/** Changes the check of a due-date charge, depending on the request that created it. */
function ofDueDate(edit: (body: Json, amount: Json, today: Today) => Json): Service {
  return onSuccess(async (body, { json }, sandbox) => {
    const found = await chargeOf(sandbox, json?.emv)
    if (found?.kind !== 'DueDate') return body
    const { calendar, amount } = found.charge
    const due = String(jsonOf(calendar).due_date)
    return edit(body, jsonOf(amount), { due, ...todayOf(sandbox) })
  })
}

/** Mutants of checks and look-ups. */
export const codes: readonly Mutant[] = [
  {
    says: 'The check of a code shows amounts in centavos, without a dot.',
    places: ['checkCode'],
    service: onSuccess((body) => ({
      ...body,
      original_amount: String(centavosOf(body.original_amount)),
      final_amount: String(centavosOf(body.final_amount)),
    })),
  },
  {
    says: 'The check of an immediate code shows its expiration in local time.',
    places: ['checkCode'],
    service: onField('/expiration', inLocalTime),
  },
  {
    says: 'Each check of a code raises the revision.',
    places: ['checkCode'],
    service: onSuccess((body, { json }, { memory }) => {
      const looks = Number(memory.get(json?.emv) ?? 0)
      memory.set(json?.emv, looks + 1)
      return { ...body, revision: Number(body.revision) + looks }
    }),
  },
  {
    says: 'Remembers the check of a code for a minute, so a charge that was cancelled meanwhile still looks open.',
    places: ['checkCode'],
    service: cached(60_000, ({ json }) => json?.emv),
  },
  {
    says: 'A discount until a date is no longer given on that date.',
    places: ['checkCode'],
    service: ofDueDate((body, { discount }, { here }) => {
      const dates = listOf(jsonOf(discount).fixedDateDiscount).map(({ date }) => String(date))
      const isLast = dates.includes(here) && !dates.some((date) => date > here)
      return isLast ? withMore(body, 'discount', -centavosOf(body.discount)) : body
    }),
  },
  {
    says: 'A discount by day counts to the due date itself, although it is a Saturday.',
    places: ['checkCode'],
    service: ofDueDate((body, { discount }, { due, here }) => {
      const { modality, amount } = jsonOf(discount)
      const isSaturday = new Date(due).getUTCDay() === 6
      const isCounted = isSaturday && modality === '3' && here <= due
      return isCounted ? withMore(body, 'discount', -2n * centavosOf(amount)) : body
    }),
  },
  {
    says: 'A fine in percent is rounded to the nearest centavo.',
    places: ['checkCode', 'createTransfer'],
    service: onSuccess(async (body, call, sandbox) => {
      const { charge = {} } = (await chargeOf(sandbox, call.json?.emv)) ?? {}
      const { modality, amount } = jsonOf(jsonOf(charge.amount).fine)
      const isPercent = modality === '2' && body.fine !== '0'
      if (!isPercent) return body
      const base = centavosOf(body.original_amount) - centavosOf(body.deduction)
      const isRoundedUp = (base * centavosOf(amount)) % 10_000n >= 5_000n
      return isRoundedUp ? withMore(body, 'fine', 1n) : body
    }),
  },
  {
    says: 'Every look-up shows one company.',
    places: ['checkKey'],
    service: onRequest(set('/dict_key', '11222333000181')),
  },
  {
    says: 'An e-mail is looked up in lower case.',
    places: ['checkKey'],
    service: onRequest(
      change('/dict_key', (key) => {
        const isEmail = String(key).includes('@')
        return isEmail ? String(key).toLowerCase() : key
      }),
    ),
  },
  {
    says: 'A CNPJ with letters is refused as no key.',
    places: ['checkKey'],
    service: refuse([422, 'invalid_key'], ({ dict_key }) =>
      /^(?=.*[A-Z])[\dA-Z]{12}\d\d$/.test(String(dict_key)),
    ),
  },
  {
    says: 'Look-ups of one key in five minutes get the same initiation_id.',
    places: ['checkKey', 'createTransfer'],
    service: cached(300_000, ({ json }) => json?.dict_key),
  },
]
