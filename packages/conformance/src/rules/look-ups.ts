import { isCpf } from '@partner-payments/brcode'
import { isSameKey } from '../causes/keys.ts'
import { isSameValue, stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Report } from '../report/report.ts'
import { NOTATION_QUESTION } from './fields.ts'
import { ALL_BUT_REQUEST_HEADERS, type Rule } from './rule.ts'

const moneyKeys: Rule = {
  id: 'money-keys',
  says: 'A look-up of a CPF shows the document of the person who has it.',
  advice: 'Derive the document from the tax ID of the owner.',
  needs: ['responseBody'],
  /** Judges each accepted look-up of a key. */
  read(exchange, _, report) {
    const { operation, outcome } = exchange
    if (operation?.id !== 'checkKey' || outcome !== 'accepted') return

    expectDocumentOfKey(exchange, report)
  },
}

/**
 * Expects that the look-up of a key that is a CPF, a person's tax ID, shows this CPF as the document of
 * its owner. Stars may hide some of its digits.
 */
function expectDocumentOfKey(exchange: Exchange, report: Report): void {
  const key = stringAt(exchange.requestBody, '/dict_key')
  const document = stringAt(exchange.responseBody, '/owner_document')
  if (key === undefined || document === undefined || !isCpf(key)) return

  // Of `***.444.777-**`, `***444777**`.
  const digits = document.replaceAll(/[^\d*]/g, '')
  if (digits.length !== key.length) return

  const isDocumentOfKey = [...digits].every((digit, index) => digit === '*' || digit === key[index])
  report.expect(
    isDocumentOfKey,
    { evidence: exchange, cites: { question: 'owner-masking' } },
    () => 'checkKey shows other digits in owner_document than those of the CPF that is the key.',
  )
}

const keysRepeated: Rule = {
  id: 'keys-repeated',
  says: 'The look-up of a key shows the key that was looked up.',
  advice: 'Show the key of the entry that was found.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Expects that the look-up of a key repeats the key. Another key contradicts a fact. The same key in another notation,
   * such as `111.444.777-35` for `11144477735`, is an open question. Another rule judges a response without a key.
   */
  read(exchange, _, report) {
    if (exchange.operation?.id !== 'checkKey' || exchange.outcome !== 'accepted') return

    const sent = stringAt(exchange.requestBody, '/dict_key')
    const shown = stringAt(exchange.responseBody, '/dict_key')
    const isSame = shown === undefined || isSameValue(sent, shown)
    const isWrittenOtherwise = !isSame && isSameKey(sent, shown)
    report.expect(
      isSame,
      {
        evidence: exchange,
        cites: isWrittenOtherwise ? NOTATION_QUESTION : { fact: 'key-repeated' },
      },
      () => {
        if (isWrittenOtherwise)
          return 'checkKey writes dict_key in another way than it was looked up.'
        return 'checkKey shows another dict_key than was looked up.'
      },
    )
  },
}

const usersApart: Rule = {
  id: 'users-apart',
  says: 'The list of users shows as user_id the id of none of its users.',
  advice: 'Show the id of the user who signed in for the partner.',
  settles: ['user-relation/list'],
  needs: ALL_BUT_REQUEST_HEADERS,
  /** Expects that the `user_id` beside the list of users is the id of none of them: it is the caller's. */
  read(exchange, _, report) {
    const userId = stringAt(exchange.responseBody, '/user_id')
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

const usersOwn: Rule = {
  id: 'users-own',
  says: 'The look-up of a user shows the customers of this user, and of no other.',
  advice: 'Select the customers by the id of the user.',
  /** Expects that the look-up of a user shows no customer that the look-up of another user showed before. */
  read(exchange, { ledger }, report) {
    const { operation, outcome, identity, parameters, records } = exchange
    const user = parameters.user_id
    if (operation?.id !== 'getUser' || outcome !== 'accepted' || !identity || user === undefined)
      return

    const customers = records.filter(({ kind }) => kind.name === 'customer')
    for (const { id } of customers) {
      const userBefore = ledger.findUser(identity.partner, id)
      if (userBefore === undefined) continue

      report.expect(
        userBefore === user,
        {
          evidence: exchange,
          cites: { question: 'user-relation', statement: 'customers' },
          impact: 'high',
        },
        () => 'getUser shows a customer with two users; expected it with one.',
      )
    }
  },
}

export const lookUpRules = [moneyKeys, keysRepeated, usersApart, usersOwn]
