import { isSameValue, stringAt } from '../contract/json.ts'
import { invariants } from './money.ts'
import { cited, judge, type Rule } from './rule.ts'

const moneyKeys: Rule = {
  id: 'money-keys',
  says: 'A look-up names the kind of its key, and the kind of its owner.',
  advice: 'Derive both from the key and from the document.',
  read(exchange, model, report) {
    const { operation, outcome, shown, differences } = exchange
    if (operation?.id !== 'checkKey' || outcome !== 'accepted') return
    for (const name of ['key-kind', 'owner-kind']) {
      const { field = '', of = '', forms = {} } = model.contract.behaviour.invariants?.[name]?.formOf ?? {}
      const [own, value] = [field, of].map((it) => stringAt(shown, it))
      const [kind] = Object.entries(forms).find(([, form]) => new RegExp(form).test(value ?? '')) ?? []
      const isOther = differences.some(({ pointer }) => pointer === field || pointer === of)
      if (kind === undefined || own === undefined || value === undefined || isOther) continue
      const expect = invariants({ exchange, model, report })
      expect(name, own === kind, `${field} is ${own}; expected ${kind}.`)
    }
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
  read(exchange, { contract }, report) {
    const [userId, id] = ['/user_id', '/user/id'].map((it) => stringAt(exchange.shown, it))
    const isLookUp = exchange.operation?.id === 'getUser' && exchange.outcome === 'accepted'
    if (!isLookUp || userId === undefined || id === undefined) return
    const cites = cited(contract.behaviour.invariants?.['user-of-look-up'])
    const message = 'getUser shows as user_id another id than that of the user.'
    judge(report, exchange, { cites, message: userId !== id && message })
  },
}

export const lookUpRules = [moneyKeys, keysRepeated, usersRepeated]
