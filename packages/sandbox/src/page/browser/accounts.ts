import { empty, h, hidden } from './element.ts'
import { money } from './format.ts'
import type { Account } from './state.ts'

const OWN =
  'The accounts at this institution. The same people and companies also have accounts at another institution: the balances below do not show what those receive.'

/** Shows accounts with their balances, and a form for a deposit. */
export function accountsView(accounts: readonly Account[]): HTMLElement {
  if (accounts.length === 0) return empty('No account. “Reset everything” restores the seed data.')
  return h('div', {}, h('p', { class: 'soft' }, OWN), h('ul', { class: 'cards' }, ...accounts.map(card)))
}

function card(account: Account): HTMLElement {
  const { id, branch, number, ispb, keys } = account
  const name = account.trade_name || account.name
  return h(
    'li',
    { class: 'card', 'data-key': id },
    h('h3', {}, name),
    h('p', { class: 'soft' }, `${ispb} · ${branch} · ${number}`),
    h(
      'dl',
      { class: 'balances' },
      pair('Available', money(account.balance), 'large'),
      pair('Set aside', money(account.held)),
    ),
    h(
      'ul',
      { class: 'keys', 'aria-label': `Keys of ${name}` },
      ...keys.map((key) => h('li', {}, h('code', {}, key))),
    ),
    deposit(id, name),
  )
}

function pair(term: string, value: string, kind = ''): HTMLElement {
  return h('div', {}, h('dt', {}, term), h('dd', { class: kind }, value))
}

function deposit(id: string, name: string): HTMLElement {
  const field = `deposit-${id}`
  return h(
    'form',
    { class: 'deposit', 'data-action': 'deposit', 'data-id': id, novalidate: true },
    h('label', { for: field }, 'R$', hidden(` to deposit into ${name}`)),
    h('input', { id: field, name: 'amount', inputmode: 'decimal', autocomplete: 'off', value: '100.00' }),
    h('button', {}, 'Deposit', hidden(` into ${name}`)),
  )
}
