import { h } from './element.ts'

const TONES: Readonly<Record<string, string>> = {
  settled: 'good',
  delivered: 'good',
  active: 'good',
  CONCLUIDA: 'good',
  pending: 'waits',
  ATIVA: 'waits',
  rejected: 'bad',
  dead: 'bad',
  dropped: 'bad',
}

/** A status: the word says it, the colour repeats it. */
export function pill(status: string): HTMLElement {
  return h('span', { class: 'pill', 'data-tone': TONES[status] ?? 'plain' }, status)
}

/** The status of an answer; 0 where a fault lost the answer or reset the connection. */
export function statusPill(status: number): HTMLElement {
  if (status === 0) return h('span', { class: 'pill', 'data-tone': 'bad' }, 'no answer')
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'waits' : 'good'
  return h('span', { class: 'pill', 'data-tone': tone }, String(status))
}
