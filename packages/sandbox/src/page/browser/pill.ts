import { h } from './element.ts'

const TONES: Readonly<Record<string, string>> = {
  settled: 'good',
  delivered: 'good',
  active: 'good',
  CONCLUIDA: 'good',
  pending: 'open',
  ATIVA: 'open',
  rejected: 'bad',
  dead: 'bad',
  dropped: 'bad',
}

/** Shows a status as a word; the colour only repeats it. */
export function pill(status: string): HTMLElement {
  return h('span', { class: 'pill', 'data-tone': TONES[status] ?? 'plain' }, status)
}

/** The status of a response, or 0 if a fault lost it or reset the connection. */
export function statusPill(status: number): HTMLElement {
  if (status === 0) return h('span', { class: 'pill', 'data-tone': 'bad' }, 'no response')
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'waits' : 'good'
  return h('span', { class: 'pill', 'data-tone': tone }, String(status))
}
