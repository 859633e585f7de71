import { requirePayableAmounts } from '../codes/payable.ts'
import type { Context } from '../context.ts'
import { notFound, Refusal } from '../problems.ts'
import { CHARGE_COLUMNS, type ChargeRow, SELECT_AND_LOCK } from '../qrcodes/record.ts'
import { bind } from '../store/store.ts'
import { laterExpression } from '../time.ts'

/**
 * Lets the payer of an open immediate charge pay another amount than the one that it asks for, or
 * not (modalidadeAlteracao 1 or 0). Changing nothing is allowed.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, section 2.7.1.1.
 *
 * @throws {Refusal} if it is no immediate charge, or cannot be paid any more
 */
export async function setValueChange(
  { store, now }: Context,
  id: string,
  allow_value_change: boolean,
) {
  return store.write(async (queries) => {
    const row = (await queries.get<ChargeRow>(SELECT_AND_LOCK, [id])) ?? notFound()
    if (row.kind !== 'Immediate') throw new Refusal('invalid_charge', { detail: ONLY_IMMEDIATE })

    // Refuses a charge that nobody can pay any more.
    requirePayableAmounts(row, now(), 'outside')

    // Returns no row if the charge has this setting already, and so keeps its revision.
    const change = { id, at: now(), allow_value_change: allow_value_change ? 1 : 0 }
    const changed = await queries.get<ChargeRow>(...bind(CHANGE_IF_OTHER, change))
    const { revision } = changed ?? row
    return { id, allow_value_change, revision: Number(revision) }
  })
}

const ONLY_IMMEDIATE =
  'Only an immediate QR code can let the payer change its amount. A static code without an amount leaves it to the payer.'

/** Returns no row if nothing changes. */
const CHANGE_IF_OTHER = `
  UPDATE qrcodes
  SET allow_value_change = :allow_value_change, revision = revision + 1,
    updated_at = ${laterExpression('updated_at', ':at')}
  WHERE id = :id AND allow_value_change <> :allow_value_change
  RETURNING ${CHARGE_COLUMNS}`
