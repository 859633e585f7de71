import { accountsView } from './accounts.ts'
import { listenForActions } from './actions.ts'
import { control } from './api.ts'
import { createShownClock, showClock, skewView } from './clock.ts'
import { faultsView } from './faults.ts'
import { openFirst, showFirst, showMagic } from './first.ts'
import { followChanges, type Liveness } from './live.ts'
import { qrcodesView } from './qrcodes.ts'
import { listenForFilter, offerChoices, requestsView } from './requests.ts'
import { describeChanges, say } from './say.ts'
import type { State } from './state.ts'
import { transfersView } from './transfers.ts'
import { byId, draw, empty, html } from './view.ts'
import { showReceiving, webhooksView } from './webhooks.ts'

const clock = createShownClock()
let state: State | undefined

/** Fetches the state and shows it. After the first time, announces what has changed. */
async function refresh(): Promise<void> {
  const before = state
  state = await control<State>('GET', '/state')
  clock.set(state.clock)
  show(state)
  if (before) announceChanges(before, state)
  else arrive(state)
}

function announceChanges(before: State, after: State): void {
  const text = describeChanges(before, after)
  if (text !== '') say(text)
}

/** Shows the user where to begin, or the section that the address names. */
function arrive(first: State): void {
  openFirst(first)
  // The browser looked for the section while the page was empty.
  document.getElementById(location.hash.slice(1))?.scrollIntoView()
}

const STORAGE: Readonly<Record<string, string>> = {
  memory: 'in memory',
  file: 'in a file',
  postgres: 'in PostgreSQL',
}

/** Draws every section of the page. */
function show(current: State): void {
  const { storage, docs, accounts, transfers, incoming, qrcodes, webhooks, requests, faults } =
    current
  showClock(clock.now())
  byId('storage').textContent = `State ${STORAGE[storage] ?? storage}`
  draw('docs', docs ? html`<a href=${docs.home}>Docs</a><a href=${docs.form}>Try it</a>` : null)
  draw('first-docs', docs ? html`<a href=${docs.form}>Try each operation</a> in the docs.` : null)
  draw('skew', skewView(clock.state()))
  draw('accounts-body', accountsView(accounts))
  draw('transfers-body', transfersView(transfers, incoming))
  draw('qrcodes-body', qrcodesView(qrcodes))
  offerChoices(requests)
  draw('requests-body', requestsView(requests, docs?.errors))
  draw('faults-body', faultsView(faults, clock.now()))
  draw('webhooks-body', webhooksView(webhooks, clock.now()))
  showReceiving(webhooks)
}

function redraw(): void {
  if (state && !document.hidden) show(state)
}

const TONES: Readonly<Record<Liveness, string>> = {
  Live: 'good',
  Polling: 'waits',
  'No response': 'bad',
}

function showLiveness(liveness: Liveness): void {
  const element = byId('live')
  if (element.textContent === liveness) return
  element.textContent = liveness
  element.dataset.tone = TONES[liveness]
}

// In the HTML it would stay: the first drawing adds to what is there.
for (const list of document.querySelectorAll('section > [id$="-body"], #faults-body')) {
  draw(list.id, empty('Loading…'))
}
listenForFilter(redraw)
showFirst()
showMagic()
const refreshNow = followChanges(refresh, showLiveness)
listenForActions(refreshNow)
// The clock and the countdowns.
setInterval(redraw, 1_000)
void refreshNow()
