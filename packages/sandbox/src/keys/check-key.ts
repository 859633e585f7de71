import { keyKind } from '@partner-payments/brcode'
import type { Caller } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../handler.ts'
import { limited, notFound, refuse } from '../problems.ts'
import { type Entry, entryOf, maskedDocument } from './directory.ts'
import { sealInitiation } from './initiation.ts'

/** Rate limit cost of an unknown key. A known key costs 1. This slows down scanning of the directory. */
const COST_OF_A_MISS = 20

/**
 * Looks up a key, and issues the initiation id for paying its owner.
 *
 * @throws {Refusal} `invalid_key`, `not_found`, `rate_limited`
 */
export const checkKey: Handler<'checkKey'> = async ({ body: { dict_key }, caller, context }) => {
  const { store, limits } = context
  if (!keyKind(dict_key)) refuse('invalid_key', '/dict_key', EXPECTED)
  limited(limits.lookUps.take(caller.partner_id))
  const entry = await store.read((queries) => entryOf(queries, dict_key))
  return entry ? shown(entry, caller, context) : miss(caller, context)
}

const EXPECTED = '"dict_key" must be an e-mail, a telephone with +, a CPF, a CNPJ or an EVP.'

function miss({ partner_id }: Caller, { limits }: Context): never {
  limits.lookUps.charge(partner_id, COST_OF_A_MISS - 1)
  return notFound()
}

function shown(entry: Entry, { account_id }: Caller, context: Context) {
  const { dict_key, key_id, kind, tax_id, name, trade_name, owner_type, ispb, branch, number, type } = entry
  const initiation = { caller: account_id, dict_key, owner: entry.id, at: context.now() }
  return {
    id: key_id,
    initiation_id: sealInitiation(context, initiation),
    dict_key,
    dict_key_type: kind,
    owner_document: maskedDocument(tax_id),
    owner_name: name,
    owner_trade_name: trade_name,
    owner_type,
    ispb,
    branch,
    account_number: number,
    account_type: type,
  }
}
