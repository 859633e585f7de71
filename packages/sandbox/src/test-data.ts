import { keyKind } from '@partner-payments/brcode'
import { FAULT_HEADERS } from './control/faults/headers.ts'
import { FAILING_KEYS } from './failing-keys.ts'
import { formatCentavos } from './money/centavos.ts'
import { ACCOUNTS, KEYS, OUTSIDE, PARTNERS, type SeededAccount, USERS } from './seed/data.ts'
import { listRejectingValues, REJECTING } from './transfers/rejections.ts'

/**
 * Lists what a new sandbox has (partners, users, accounts, keys), and the values that make it
 * refuse, reject or fail, so that testers can cause each case.
 */
export function testData() {
  return {
    partners: PARTNERS,
    users: USERS,
    accounts: ACCOUNTS.filter(({ standing }) => standing === 'own').map(shownAccount),
    keys: ACCOUNTS.filter(isListed).flatMap(keysOfAccount),
    rejections: listRejectingValues(),
    lookUps: FAILING_KEYS,
    faultHeaders: FAULT_HEADERS,
  }
}

function shownAccount(account: SeededAccount) {
  const { id, name, tax_id, branch, number, opening = 0n } = account
  return { id, name, tax_id, branch, number, balance: formatCentavos(opening) }
}

/** Whether an account is neither the world nor one that rejects. */
function isListed({ id }: SeededAccount): boolean {
  return id !== OUTSIDE && !id.startsWith(REJECTING)
}

function keysOfAccount({ id, name, standing }: SeededAccount) {
  const keys = KEYS.filter(({ account_id }) => account_id === id)
  return keys.map(({ dict_key }) => ({ dict_key, kind: keyKind(dict_key) ?? '', name, standing }))
}

/** The test data in a few lines, as the commands print them when they start. */
export function testDataLines(): string {
  const partners = PARTNERS.map(({ client_key, client_secret }) => `${client_key}:${client_secret}`)
  const users = USERS.map(
    ({ username, id, customer }) => `${username} ${id}, customer ${customer.id}`,
  )
  const { amounts, keys } = listRejectingValues()
  const firstAmount = amounts[0]?.amount
  const lastAmount = amounts.at(-1)?.amount
  const failing = FAILING_KEYS.map(({ dict_key, status }) => `${dict_key} (${status})`)
  return `  partners   ${partners.join('   ')}
  users      ${users.join(NEXT_LINE)}
  keys here  ${listOwners('own').join(NEXT_LINE)}
  to pay     ${listOwners('outside').join(NEXT_LINE)}
  rejected   ${firstAmount} to ${lastAmount} to any key; any amount to ${keys[0]?.dict_key} and others
  look-ups   ${failing.join('   ')}`
}

/** Starts a line under the values of the first one. */
const NEXT_LINE = '\n             '

/**
 * The owners of accounts, each with its Pix keys in one line, such as `Ana ana@example.com`.
 *
 * @param standing `own` for accounts of this sandbox, `outside` for accounts of other institutions
 */
function listOwners(standing: SeededAccount['standing']): string[] {
  const lines: string[] = []
  for (const account of ACCOUNTS.filter(isListed)) {
    if (account.standing !== standing) continue
    const owner = account.trade_name || account.name
    const keys = keysOfAccount(account).map(({ dict_key }) => dict_key)
    lines.push([owner.padEnd(15), ...keys].join('  '))
  }
  return lines
}
