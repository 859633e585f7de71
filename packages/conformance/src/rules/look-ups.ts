import { isCpf } from '@partner-payments/brcode'
import { behaviour } from '../contract/behaviour.ts'
import { isSameValue, stringAt } from '../contract/json.ts'
import { expectInvariants } from './money.ts'
import { cited, judge, quoted, type Rule } from './rule.ts'

const { invariants } = behaviour

const moneyKeys: Rule = {
  id: 'money-keys',
  says: 'A look-up names the kind of its key and of its owner, and shows the document of that owner.',
  advice: 'Derive both from the key and from the tax ID.',
  read(exchange, _, report) {
    const { operation, outcome, shown, differences } = exchange
    if (operation?.id !== 'checkKey' || outcome !== 'accepted') return
    for (const name of ['key-kind', 'owner-kind', 'owner-trade-name'] as const) {
      const { field, of, forms } = invariants[name].formOf
      const [own, value] = [field, of].map((it) => stringAt(shown, it))
      const [kind] =
        Object.entries(forms).find(([, form]) => new RegExp(form).test(value ?? '')) ?? []
      const isOther = differences.some(({ pointer }) => pointer === field || pointer === of)
      if (kind === undefined || own === undefined || value === undefined || isOther) continue
      const expect = expectInvariants(exchange, report)
      expect(
        name,
        own === kind,
        `${field} is ${own} beside ${of} ${quoted(value)}; expected ${kind}.`,
      )
    }
    const key = stringAt(exchange.sent, '/dict_key') ?? ''
    const digits = (stringAt(shown, '/owner_document') ?? '').replaceAll(/[^\d*]/g, '')
    // A CPF is a key of the person who has it.
    if (!isCpf(key) || digits.length !== key.length) return
    const isOwn = [...digits].every((it, i) => it === '*' || it === key[i])
    const message =
      'checkKey shows other digits in owner_document than those of the CPF that is the key.'
    judge(report, exchange, { cites: { question: 'owner-masking' }, message: !isOwn && message })
  },
}

const keysRepeated: Rule = {
  id: 'keys-repeated',
  says: 'The look-up of a key shows the key that was looked up.',
  advice: 'Show the key of the entry that was found.',
  read(exchange, _, report) {
    if (exchange.operation?.id !== 'checkKey' || exchange.outcome !== 'accepted') return
    const [sent, shown] = [exchange.sent, exchange.shown].map((it) => stringAt(it, '/dict_key'))
    const isSame = shown === undefined || isSameValue(sent, shown)
    const message = 'checkKey shows another dict_key than was looked up.'
    judge(report, exchange, { cites: { fact: 'key-repeated' }, message: !isSame && message })
  },
}

const usersRepeated: Rule = {
  id: 'users-repeated',
  says: 'The look-up of a user shows the id of this user as user_id.',
  advice: 'Show the id of the user, and not that of the caller.',
  settles: ['user-relation/'],
  read(exchange, _, report) {
    const [userId, id] = ['/user_id', '/user/id'].map((it) => stringAt(exchange.shown, it))
    const isLookUp = exchange.operation?.id === 'getUser' && exchange.outcome === 'accepted'
    if (!isLookUp || userId === undefined || id === undefined) return
    const cites = cited(invariants['user-of-look-up'])
    const message = 'getUser shows as user_id another id than that of the user.'
    judge(report, exchange, { cites, message: userId !== id && message })
  },
}

const usersApart: Rule = {
  id: 'users-apart',
  says: 'The list of users shows as user_id the id of none of its users.',
  advice: 'Show the id of the user who signed in for the partner.',
  settles: ['user-relation/list'],
  read(exchange, _, report) {
    const userId = stringAt(exchange.shown, '/user_id')
    const users = exchange.records.filter(({ kind }) => kind.name === 'user')
    if (exchange.operation?.id !== 'listUsers' || !userId || users.length === 0) return
    const cites = { question: 'user-relation', statement: 'list' }
    const message = 'listUsers shows as user_id the id of one of its users.'
    judge(report, exchange, { cites, message: users.some(({ id }) => id === userId) && message })
  },
}

export const lookUpRules = [moneyKeys, keysRepeated, usersRepeated, usersApart]
