import { change, type Json, set } from '../services/responses.ts'
import { chargeOf } from '../services/state.ts'
import { cached, onRequest, onSuccess, refuse, type Service } from '../services/wrap.ts'
import {
  centavosOf,
  inLocalTime,
  jsonOf,
  listOf,
  type Mutants,
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
    const due = String(jsonOf(found.charge.calendar).due_date)
    return edit(body, jsonOf(found.charge.amount), { due, ...todayOf(sandbox) })
  })
}

/** Mutants of checks and look-ups. */
export const codes: Mutants = {
  checkCode: {
    'The check of a code shows amounts in centavos, without a dot.': onSuccess((body) => ({
      ...body,
      original_amount: `${centavosOf(body.original_amount)}`,
      final_amount: `${centavosOf(body.final_amount)}`,
    })),
    'The check of an immediate code shows its expiration in local time.': onField(
      '/expiration',
      inLocalTime,
    ),
    'Each check of a code raises the revision.': onSuccess((body, { json }, { memory }) => {
      const looks = Number(memory.get(json?.emv) ?? 0)
      memory.set(json?.emv, looks + 1)
      return { ...body, revision: Number(body.revision) + looks }
    }),
    'Remembers the check of a code for a minute, so a charge that was cancelled meanwhile still looks open.':
      cached(60_000, ({ json }) => json?.emv),
    'A discount until a date is no longer given on that date.': ofDueDate(
      (body, { discount }, { here }) => {
        const dates = listOf(jsonOf(discount).fixedDateDiscount).map(({ date }) => String(date))
        const isLast = dates.includes(here) && !dates.some((it) => it > here)
        return isLast ? withMore(body, 'discount', -centavosOf(body.discount)) : body
      },
    ),
  },
  'checkCode createTransfer': {
    'A fine in percent is rounded to the nearest centavo.': onSuccess(
      async (body, call, sandbox) => {
        const { charge = {} } = (await chargeOf(sandbox, call.json?.emv)) ?? {}
        const { modality, amount } = jsonOf(jsonOf(charge.amount).fine)
        const base = centavosOf(body.original_amount) - centavosOf(body.deduction)
        const isUp = (base * centavosOf(amount)) % 10_000n >= 5_000n
        return isUp && modality === '2' && body.fine !== '0' ? withMore(body, 'fine', 1n) : body
      },
    ),
  },
  checkKey: {
    'Every look-up shows one company.': onRequest(set('/dict_key', '11222333000181')),
    'An e-mail is looked up in lower case.': onRequest(
      change('/dict_key', (it) => (String(it).includes('@') ? String(it).toLowerCase() : it)),
    ),
    'A CNPJ with letters is refused as no key.': refuse([422, 'invalid_key'], ({ dict_key }) =>
      /^(?=.*[A-Z])[\dA-Z]{12}\d\d$/.test(String(dict_key)),
    ),
  },
  'checkKey createTransfer': {
    'Look-ups of one key in five minutes get the same initiation_id.': cached(
      300_000,
      ({ json }) => json?.dict_key,
    ),
  },
}
