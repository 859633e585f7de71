import { accountsView } from './accounts.ts'
import { listenForActions } from './actions.ts'
import { followOpened, getState, loadedVersion } from './api.ts'
import { createShownClock, showClock, skewText, skewView } from './clock.ts'
import { byId, expandedLists, h } from './element.ts'
import { faultsView } from './faults.ts'
import { openFirst, showFirst, showMagic } from './first.ts'
import { follow, type Liveness } from './live.ts'
import { morphChildren } from './morph.ts'
import { qrcodesView } from './qrcodes.ts'
import { filterNow, listenForFilter, offerChoices, requestsView } from './requests.ts'
import { news, say } from './say.ts'
import type { State } from './state.ts'
import { transfersView } from './transfers.ts'
import { showReceiving, webhooksView } from './webhooks.ts'

const clock = createShownClock()
const drawn = new Map<string, string>()
let state: State | undefined

async function refresh(): Promise<void> {
  const before = state
  state = await getState()
  clock.set(state.clock)
  draw(state)
  const text = before ? news(before, state) : ''
  if (text !== '') say(text)
  if (before) return
  openFirst(state)
  // The browser looked for the section while the page was empty.
  document.getElementById(location.hash.slice(1))?.scrollIntoView()
}

function showDocs(docs: State['docs']): void {
  if (!docs || byId('docs').hasChildNodes()) return
  byId('docs').append(h('a', { href: docs.home }, 'Docs'), h('a', { href: docs.form }, 'Try it'))
  byId('first').append(h('p', {}, h('a', { href: docs.form }, 'Try each operation'), ' in the docs.'))
}

const STORAGE: Readonly<Record<string, string>> = {
  memory: 'in memory',
  file: 'in a file',
  postgres: 'in PostgreSQL',
}

function draw({ storage, docs, accounts, transfers, qrcodes, webhooks, requests, faults }: State): void {
  showClock(clock.now())
  byId('storage').textContent = `State ${STORAGE[storage] ?? storage}`
  showDocs(docs)
  drawSkew()
  drawPart('accounts', accounts, () => accountsView(accounts))
  drawPart('transfers', [transfers, expandedLists()], () => transfersView(transfers))
  drawPart('qrcodes', [qrcodes, expandedLists()], () => qrcodesView(qrcodes))
  offerChoices(requests)
  const reading = [loadedVersion(), expandedLists(), filterNow()]
  drawPart('requests', [requests, reading], () => requestsView(requests, docs?.errors))
  drawFaults(faults)
  drawWebhooks(webhooks)
  showReceiving(webhooks)
  loadOpened()
}

function redraw(): void {
  if (state) draw(state)
}

/** Redraws a part only if its input changed: the browser would decode even an identical image again. */
function drawPart(id: string, input: unknown, view: () => HTMLElement): void {
  const text = JSON.stringify(input)
  if (drawn.get(id) === text) return
  drawn.set(id, text)
  morphChildren(byId(`${id}-body`), [view()])
}

/** Empty while the clock is right. */
function drawSkew(): void {
  const text = skewText(clock.state())
  const key = JSON.stringify(text ?? null)
  if (drawn.get('skew') === key) return
  drawn.set('skew', key)
  morphChildren(byId('skew'), text ? [skewView(text)] : [])
}

/** Redrawn every second while deliveries are due, because it shows a countdown. */
function drawWebhooks(webhooks: State['webhooks']): void {
  const isWaiting = webhooks.some(({ deliveries }) => deliveries.some(({ due_at }) => due_at))
  const second = isWaiting ? Math.floor(clock.now() / 1000) : 0
  drawPart('webhooks', [webhooks, second, loadedVersion(), expandedLists()], () =>
    webhooksView(webhooks, clock.now()),
  )
}

/** Redrawn every second while a fault ends by itself, because it shows a countdown. */
function drawFaults(faults: State['faults']): void {
  const second = faults.some(({ ends_at }) => ends_at) ? Math.floor(clock.now() / 1000) : 0
  drawPart('faults', [faults, second], () => faultsView(faults, clock.now()))
}

function tick(): void {
  if (!state || document.hidden) return
  showClock(clock.now())
  drawSkew()
  drawFaults(state.faults)
  drawWebhooks(state.webhooks)
}

const TONES: Readonly<Record<Liveness, string>> = { Live: 'good', Polling: 'waits', 'No response': 'bad' }

function showLiveness(liveness: Liveness): void {
  const shown = byId('live')
  if (shown.textContent === liveness) return
  shown.textContent = liveness
  shown.dataset.tone = TONES[liveness]
}

const loadOpened = followOpened(redraw)
listenForFilter(redraw)
showFirst()
showMagic()
const refreshNow = follow({ refresh, show: showLiveness })
listenForActions(refreshNow)
setInterval(tick, 1_000)
void refreshNow()
