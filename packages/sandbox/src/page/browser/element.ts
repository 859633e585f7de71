type Attributes = Readonly<Record<string, string | boolean>>
type Child = Node | string | false

/** Creates an element. String children become text nodes, so nothing from a request is parsed as HTML. */
export function h(name: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== false))
  return element
}

/** Text for screen readers only: it distinguishes buttons that look the same. */
export function hidden(text: string): HTMLElement {
  return h('span', { class: 'hidden' }, text)
}

/** An element that exists in the HTML. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element "${id}"`)
  return element
}

/** A hint for an empty list. Backquotes mark code. */
export function empty(text: string): HTMLElement {
  const pieces = text.split('`').map((piece, i) => (i % 2 === 1 ? h('code', {}, piece) : piece))
  return h('p', { class: 'empty' }, ...pieces)
}

/** Marks an assumption, so that nobody takes it for known behaviour of the service. */
export function basis(question: string | null | undefined, subject = 'The rule is'): HTMLElement {
  if (!question) {
    const title = `${subject} stated by the source document.`
    return h('span', { class: 'basis', 'data-basis': 'fact', title }, 'fact')
  }
  const title = `${subject} an assumption on an open question. The service may do otherwise.`
  return h('span', { class: 'basis', 'data-basis': 'assumed', title }, `assumed: ${question}`)
}

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

const expanded = new Set<string>()

/** The lists that the user expanded. */
export const expandedLists = () => [...expanded].join(' ')

export function expand(list: string): void {
  expanded.add(list)
}

/** The first rows of a list, and a button for the others. The page scrolls as a whole, so lists have no scroll bars. */
export function firstOf<T>(
  list: string,
  rows: readonly T[],
  most: number,
): { shown: readonly T[]; more: HTMLElement | false } {
  if (rows.length <= most || expanded.has(list)) return { shown: rows, more: false }
  const attributes = { type: 'button', class: 'more', 'data-action': 'more', 'data-list': list }
  return { shown: rows.slice(0, most), more: h('button', attributes, `Show all ${rows.length} ${list}`) }
}
