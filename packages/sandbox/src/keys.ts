import type { Caller } from './auth/tokens.ts'
import type { KeyWord } from './behaviour.ts'
import type { HandlerContext } from './context.ts'
import { RATE_LIMITED_KEY } from './failing-keys.ts'
import type { Handler } from './handler.ts'
import { explainInvalidKey, isLikeTelephone } from './key-forms.ts'
import type { Account } from './ledger/accounts.ts'
import { Refusal, refuse, refuseIfLimited } from './problems.ts'
import { seal } from './seal.ts'
import type { Queries } from './store/store.ts'
import { maskedTaxId } from './tax-ids.ts'

/**
 * Rate limit cost of an unknown key. A known key costs 1. This slows down scanning of the
 * directory.
 */
const COST_OF_A_MISS = 20

/**
 * Looks up who owns a Pix key, and issues the initiation id with which the caller can pay that
 * owner once. Look-ups are limited per partner; one that finds nothing counts more, so that
 * guessing keys ends soon.
 */
export const checkKey: Handler<'checkKey'> = async ({ body: { dict_key }, caller, context }) => {
  const { store, limits } = context
  const expectation = explainInvalidKey(dict_key)
  if (expectation) refuse('invalid_key', '/dict_key', `"dict_key" must be ${expectation}.`)
  if (dict_key === RATE_LIMITED_KEY) refuseIfLimited(1)
  // Counts this look-up as one.
  refuseIfLimited(limits.lookUps.take(caller.partner_id))

  const entry = await store.read((queries) => findEntry(queries, dict_key))
  if (entry) return createKeyCheck(entry, caller, context)

  limits.lookUps.charge(caller.partner_id, COST_OF_A_MISS - 1)
  throw new Refusal('not_found', { detail: describeMissingEntry(dict_key) })
}

/** Says that the directory has no entry for a key of a valid form, and how to add one. */
export function describeMissingEntry(dict_key: string): string {
  if (isLikeTelephone(dict_key)) return `${NO_ENTRY} ${TELEPHONE} ${HOW_TO_ADD}`
  return `${NO_ENTRY} ${HOW_TO_ADD}`
}

const NO_ENTRY = 'The directory of this sandbox has no entry for the key.'
const TELEPHONE = 'Eleven digits are read as a CPF; a telephone begins with +55.'
const HOW_TO_ADD = 'Add one with POST /_sandbox/keys, or on the page of the sandbox.'

/**
 * The response to a look-up that found the owner of a key. The initiation id is sealed: it contains
 * who may pay whom since when, encrypted.
 */
function createKeyCheck(entry: Entry, { account_id }: Caller, context: HandlerContext) {
  const initiation: Initiation = {
    caller: account_id,
    dict_key: entry.dict_key,
    owner: entry.id,
    at: context.now(),
  }
  return {
    id: entry.key_id,
    initiation_id: seal(context, INITIATION, initiation),
    dict_key: entry.dict_key,
    dict_key_type: entry.kind,
    owner_document: maskedTaxId(entry.tax_id),
    owner_name: entry.name,
    owner_trade_name: entry.trade_name,
    owner_type: entry.owner_type,
    ispb: entry.ispb,
    branch: entry.branch,
    account_number: entry.number,
    account_type: entry.type,
  }
}

/** A key, with the account that owns it. */
type Entry = Account & {
  readonly dict_key: string
  readonly key_id: string
  readonly kind: KeyWord
}

export function findEntry(queries: Queries, dict_key: string): Promise<Entry | undefined> {
  return queries.get<Entry>(ENTRY_BY_KEY, [dict_key])
}

const ENTRY_BY_KEY = `
  SELECT a.id, a.standing, a.held_id, a.name, a.trade_name, a.tax_id, a.owner_type, a.ispb,
    a.branch, a.number, a.type, a.balance, k.dict_key, k.id AS key_id, k.kind
  FROM keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.dict_key = ?`

/**
 * The content of an initiation id: who looked up which key, and when. createTransfer stores its
 * nonce, so it can be used once.
 */
export interface Initiation {
  /** The account that looked up the key. */
  readonly caller: string
  readonly dict_key: string
  /** The account that owned the key. */
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export const INITIATION = 'ini_'
