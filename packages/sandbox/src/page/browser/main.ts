import { accountsView } from './accounts.ts'
import { listenForActions } from './actions.ts'
import { getState } from './api.ts'
import { createShownClock, showClock } from './clock.ts'
import { byId } from './element.ts'
import { openFirst, showFirst } from './first.ts'
import { follow, type Liveness } from './live.ts'
import { showMagic } from './magic.ts'
import { morphChildren } from './morph.ts'
import { news } from './news.ts'
import { qrcodesView } from './qrcodes.ts'
import { requestsView } from './requests.ts'
import { say } from './say.ts'
import { skewText, skewView } from './skew.ts'
import type { State } from './state.ts'
import { transfersView } from './transfers.ts'
import { webhooksView } from './webhooks.ts'

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
  if (!before) openFirst(state.requests.length === 0)
}

function draw({ backend, accounts, transfers, qrcodes, webhooks, requests }: State): void {
  showClock(clock.now())
  byId('backend').textContent = backend
  drawSkew()
  drawPart('accounts', accounts, () => accountsView(accounts))
  drawPart('transfers', transfers, () => transfersView(transfers))
  drawPart('qrcodes', qrcodes, () => qrcodesView(qrcodes))
  drawPart('requests', requests, () => requestsView(requests))
  drawWebhooks(webhooks)
}

/** Draws what is not drawn already: a new image, even of equal bytes, is decoded anew. */
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

/** What is due is so many seconds away. */
function drawWebhooks(webhooks: State['webhooks']): void {
  const isWaiting = webhooks.some(({ deliveries }) => deliveries.some(({ due_at }) => due_at))
  const second = isWaiting ? Math.floor(clock.now() / 1000) : 0
  drawPart('webhooks', [webhooks, second], () => webhooksView(webhooks, clock.now()))
}

function tick(): void {
  if (!state || document.hidden) return
  showClock(clock.now())
  drawSkew()
  drawWebhooks(state.webhooks)
}

const TONES: Readonly<Record<Liveness, string>> = { Live: 'good', Polling: 'waits', 'No answer': 'bad' }

function showLiveness(liveness: Liveness): void {
  const shown = byId('live')
  if (shown.textContent === liveness) return
  shown.textContent = liveness
  shown.dataset.tone = TONES[liveness]
}

showFirst()
showMagic()
const refreshNow = follow({ refresh, show: showLiveness })
listenForActions(refreshNow)
setInterval(tick, 1_000)
void refreshNow()
