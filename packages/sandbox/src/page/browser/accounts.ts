import { money } from './format.ts'
import type { Account } from './state.ts'
import { empty, hidden, html, type View } from './view.ts'

const OWN =
  'The accounts at this institution. The same people and companies also have accounts at another institution: the balances below do not show what those receive.'

export function accountsView(accounts: readonly Account[]): View {
  if (accounts.length === 0) return empty('No account. “Reset everything” restores the seed data.')
  return html`<p class="soft">${OWN}</p><ul class="cards">${accounts.map(accountCard)}</ul>`
}

/** An account with its owner, its balances, its Pix keys and a form to deposit money. */
function accountCard({
  id,
  name,
  trade_name,
  ispb,
  branch,
  number,
  balance,
  held,
  keys,
}: Account): View {
  const owner = trade_name || name
  const field = `deposit-${id}`
  const keyItems = keys.map((key) => html`<li><code>${key}</code></li>`)
  return html`<li class="card" key=${id}>
    <h3>${owner}</h3>
    <p class="soft">${ispb} · ${branch} · ${number}</p>
    <dl class="balances">
      <div><dt>Available</dt><dd class="large">${money(balance)}</dd></div>
      <div><dt>Set aside</dt><dd>${money(held)}</dd></div>
    </dl>
    <ul class="keys" aria-label="Keys of ${owner}">${keyItems}</ul>
    <form class="deposit" data-action="deposit" data-id=${id} novalidate>
      <label for=${field}>R$${hidden(` to deposit into ${owner}`)}</label>
      <input id=${field} name="amount" inputmode="decimal" autocomplete="off" defaultValue="100.00" />
      <button>Deposit${hidden(` into ${owner}`)}</button>
    </form>
  </li>`
}
