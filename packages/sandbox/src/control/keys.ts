import { keyKind } from '@partner-payments/brcode'
import type { KeyWord } from '../behaviour.ts'
import type { Context } from '../context.ts'
import { isFailingKey } from '../failing-keys.ts'
import { explainInvalidKey } from '../key-forms.ts'
import { addAccount, type NewAccount } from '../ledger/accounts.ts'
import { Refusal, refuse } from '../problems.ts'
import { type Random, uuid } from '../random.ts'
import { ELSEWHERE } from '../seed/data.ts'
import { insertStatement } from '../store/store.ts'
import type { Bodies } from './input.ts'

/**
 * Adds an entry to the directory: a key of a new account at another institution, so that the key and
 * codes for it can be paid.
 *
 * @throws {Refusal} if the key has no valid form, is there already, or is one whose look-up always
 *   fails
 */
export async function addKey(
  { store, random }: Pick<Context, 'store' | 'random'>,
  { dict_key, name, tax_id, trade_name = '' }: Bodies['/keys'],
) {
  const expectation = explainInvalidKey(dict_key)
  if (expectation) refuse('invalid_key', '/dict_key', `"dict_key" must be ${expectation}.`)

  if (isFailingKey(dict_key)) refuse('invalid_key', '/dict_key', KEY_IS_RESERVED)

  const kind: KeyWord | '' = keyKind(dict_key) ?? ''
  const isTaxId = kind === 'CPF' || kind === 'CNPJ'
  if (isTaxId && tax_id !== dict_key) {
    refuse('invalid_request', '/tax_id', `"tax_id" must be the key, which is a ${kind}.`)
  }

  const id = uuid(random)
  const account = createAccount(`outside/${id}`, { name, trade_name, tax_id }, random)
  const entry = { dict_key, id, kind, account_id: account.id }
  const insertEntry = insertStatement('keys', entry, 'ON CONFLICT (dict_key) DO NOTHING')
  await store.write(async (queries) => {
    await addAccount(queries, account)
    const addedCount = await queries.run(...insertEntry)
    if (addedCount === 0)
      throw new Refusal('invalid_request', { status: 409, errors: [KEY_IS_TAKEN] })
  })

  const { ispb, branch, number, type, owner_type } = account
  return {
    id,
    dict_key,
    dict_key_type: kind,
    name,
    trade_name,
    tax_id,
    owner_type,
    ispb,
    branch,
    account_number: number,
    account_type: type,
  }
}

/** An account at another institution. */
function createAccount(
  id: string,
  owner: Pick<NewAccount, 'name' | 'trade_name' | 'tax_id'>,
  random: Random,
): NewAccount {
  const isCpf = owner.tax_id.length === 11
  return {
    ...ELSEWHERE,
    ...owner,
    id,
    owner_type: isCpf ? 'NATURAL_PERSON' : 'LEGAL_PERSON',
    number: String(Buffer.from(random(4)).readUInt32BE()),
    // A current account (ISO 20022).
    type: 'CACC',
  }
}

const KEY_IS_RESERVED = '"dict_key" must be another key: the look-up of this one always fails.'

const KEY_IS_TAKEN = {
  pointer: '/dict_key',
  code: 'invalid_request',
  detail: '"dict_key" must be new: the directory has an entry for it.',
}
