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

/** The status of an answer. */
export function statusPill(status: number): HTMLElement {
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'waits' : 'good'
  return h('span', { class: 'pill', 'data-tone': tone }, String(status))
}
