import { isCpf } from '@partner-payments/brcode'
import { behaviour } from '../contract/behaviour.ts'
import { isSameValue, stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Report } from '../report/report.ts'
import { expectInvariants } from './money.ts'
import { cited, quoted, type Rule } from './rule.ts'

const { invariants } = behaviour

const moneyKeys: Rule = {
  id: 'money-keys',
  says: 'A look-up names the kind of its key and of its owner, and shows the document of that owner.',
  advice: 'Derive both from the key and from the tax ID.',
  read(exchange, _, report) {
    const { operation, outcome } = exchange
    if (operation?.id !== 'checkKey' || outcome !== 'accepted') return

    expectForm('key-kind', exchange, report)
    expectForm('owner-kind', exchange, report)
    expectForm('owner-trade-name', exchange, report)
    expectDocumentOfKey(exchange, report)
  },
}

/** Expects that a field names the form that another field has. */
function expectForm(
  name: 'key-kind' | 'owner-kind' | 'owner-trade-name',
  exchange: Exchange,
  report: Report,
): void {
  const { field, of, forms } = invariants[name].formOf
  const shown = stringAt(exchange.shown, field)
  const value = stringAt(exchange.shown, of)
  if (shown === undefined || value === undefined) return

  const isMisshaped = exchange.differences.some(
    ({ pointer }) => pointer === field || pointer === of,
  )
  const expected = formOf(value, forms)
  if (expected === undefined || isMisshaped) return

  const expectInvariant = expectInvariants(exchange, report)
  expectInvariant(
    name,
    shown === expected,
    () => `${field} is ${shown} beside ${of} ${quoted(value)}; expected ${expected}.`,
  )
}

/** The first form that a value has, by the patterns of the contract. */
function formOf(value: string, forms: Readonly<Record<string, string>>): string | undefined {
  for (const [form, pattern] of Object.entries(forms))
    if (new RegExp(pattern).test(value)) return form
  return undefined
}

/** A CPF is a key of the person who has it. */
function expectDocumentOfKey(exchange: Exchange, report: Report): void {
  const key = stringAt(exchange.sent, '/dict_key') ?? ''
  const document = stringAt(exchange.shown, '/owner_document') ?? ''
  const digits = document.replaceAll(/[^\d*]/g, '')
  if (!isCpf(key) || digits.length !== key.length) return

  const isOwn = [...digits].every((digit, index) => digit === '*' || digit === key[index])
  report.expect(
    isOwn,
    { evidence: exchange, cites: { question: 'owner-masking' } },
    () => 'checkKey shows other digits in owner_document than those of the CPF that is the key.',
  )
}

const keysRepeated: Rule = {
  id: 'keys-repeated',
  says: 'The look-up of a key shows the key that was looked up.',
  advice: 'Show the key of the entry that was found.',
  read(exchange, _, report) {
    if (exchange.operation?.id !== 'checkKey' || exchange.outcome !== 'accepted') return

    const sent = stringAt(exchange.sent, '/dict_key')
    const shown = stringAt(exchange.shown, '/dict_key')
    report.expect(
      shown === undefined || isSameValue(sent, shown),
      { evidence: exchange, cites: { fact: 'key-repeated' } },
      () => 'checkKey shows another dict_key than was looked up.',
    )
  },
}

const usersRepeated: Rule = {
  id: 'users-repeated',
  says: 'The look-up of a user shows the id of this user as user_id.',
  advice: 'Show the id of the user, and not that of the caller.',
  settles: ['user-relation/'],
  read(exchange, _, report) {
    if (exchange.operation?.id !== 'getUser' || exchange.outcome !== 'accepted') return

    const userId = stringAt(exchange.shown, '/user_id')
    const id = stringAt(exchange.shown, '/user/id')
    if (userId === undefined || id === undefined) return

    report.expect(
      userId === id,
      { evidence: exchange, cites: cited(invariants['user-of-look-up']) },
      () => 'getUser shows as user_id another id than that of the user.',
    )
  },
}

const usersApart: Rule = {
  id: 'users-apart',
  says: 'The list of users shows as user_id the id of none of its users.',
  advice: 'Show the id of the user who signed in for the partner.',
  settles: ['user-relation/list'],
  read(exchange, _, report) {
    const userId = stringAt(exchange.shown, '/user_id')
    if (exchange.operation?.id !== 'listUsers' || !userId) return

    const users = exchange.records.filter(({ kind }) => kind.name === 'user')
    if (users.length === 0) return

    report.expect(
      !users.some(({ id }) => id === userId),
      { evidence: exchange, cites: { question: 'user-relation', statement: 'list' } },
      () => 'listUsers shows as user_id the id of one of its users.',
    )
  },
}

export const lookUpRules = [moneyKeys, keysRepeated, usersRepeated, usersApart]
